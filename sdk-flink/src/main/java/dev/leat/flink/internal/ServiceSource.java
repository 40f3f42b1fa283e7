package dev.leat.flink.internal;

import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.internal.engine.SteeredDimension;
import java.io.Serializable;

/** Where an operator gets its service from: the engine, or a double in a test. */
interface ServiceSource extends Serializable {

  /** A handle that follows the source, which the operator closes. */
  <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request, ServiceEnvironment environment);

  /** A handle that follows orders, which the operator closes. */
  <K, D> SteeredDimension<K, D> steer(ServiceRequest<K, D> request, ServiceEnvironment environment);

  /** The engine itself. */
  enum Engine implements ServiceSource {
    INSTANCE;

    @Override
    public <K, D> DimensionService<K, D> acquire(
        ServiceRequest<K, D> request, ServiceEnvironment environment) {
      return DimensionServices.acquire(request, environment);
    }

    @Override
    public <K, D> SteeredDimension<K, D> steer(
        ServiceRequest<K, D> request, ServiceEnvironment environment) {
      return DimensionServices.steer(request, environment);
    }
  }
}
