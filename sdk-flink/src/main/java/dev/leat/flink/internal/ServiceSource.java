package dev.leat.flink.internal;

import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import java.io.Serializable;

/** Where an operator gets its service from: the engine, or a double in a test. */
interface ServiceSource extends Serializable {

  /** A handle, which the operator closes. */
  <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request, ServiceEnvironment environment);
}
