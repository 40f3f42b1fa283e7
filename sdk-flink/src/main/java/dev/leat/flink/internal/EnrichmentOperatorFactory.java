package dev.leat.flink.internal;

import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** What travels to the TaskManagers, and makes an {@link EnrichmentOperator} in each subtask. */
final class EnrichmentOperatorFactory<E, K, D, R, O> extends AbstractStreamOperatorFactory<O>
    implements OneInputStreamOperatorFactory<E, O> {
  private static final long serialVersionUID = 1L;

  private final JoinPlan<E, K, D, R, O> plan;
  private final ServiceSource services;

  EnrichmentOperatorFactory(JoinPlan<E, K, D, R, O> plan) {
    this(plan, DimensionServices::acquire);
  }

  EnrichmentOperatorFactory(JoinPlan<E, K, D, R, O> plan, ServiceSource services) {
    this.plan = plan;
    this.services = services;
  }

  /** A handle to the service of the join, which begins to load its first version. */
  DimensionService<?, ?> beginLoad(ServiceEnvironment environment) {
    return services.acquire(plan.request(), environment);
  }

  // The operator is of the type that Flink asks for, which it only knows as a type variable.
  @SuppressWarnings("unchecked")
  @Override
  public <T extends StreamOperator<O>> T createStreamOperator(
      StreamOperatorParameters<O> parameters) {
    return (T) new EnrichmentOperator<>(plan, services, parameters);
  }

  @SuppressWarnings("rawtypes")
  @Override
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return EnrichmentOperator.class;
  }
}
