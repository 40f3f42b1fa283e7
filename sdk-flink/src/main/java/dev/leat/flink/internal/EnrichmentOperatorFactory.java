package dev.leat.flink.internal;

import dev.leat.flink.internal.coordination.Coordination;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.CoordinatedOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/**
 * What travels to the TaskManagers, and makes an {@link EnrichmentOperator} in each subtask; and on
 * the JobManager the coordinator of them all.
 */
final class EnrichmentOperatorFactory<E, K, D, R, O> extends AbstractStreamOperatorFactory<O>
    implements OneInputStreamOperatorFactory<E, O>, CoordinatedOperatorFactory<O> {
  private static final long serialVersionUID = 1L;

  private final JoinPlan<E, K, D, R, O> plan;
  private final ServiceSource services;

  EnrichmentOperatorFactory(JoinPlan<E, K, D, R, O> plan) {
    this(plan, ServiceSource.Engine.INSTANCE);
  }

  EnrichmentOperatorFactory(JoinPlan<E, K, D, R, O> plan, ServiceSource services) {
    this.plan = plan;
    this.services = services;
  }

  JoinPlan<E, K, D, R, O> plan() {
    return plan;
  }

  ServiceSource services() {
    return services;
  }

  @Override
  public OperatorCoordinator.Provider getCoordinatorProvider(String name, OperatorID operator) {
    return Coordination.provider(operator, plan.dimensionName(), plan.request().refresh());
  }

  // The operator is of the type that Flink asks for, which it only knows as a type variable.
  @SuppressWarnings("unchecked")
  @Override
  public <T extends StreamOperator<O>> T createStreamOperator(
      StreamOperatorParameters<O> parameters) {
    EnrichmentOperator<E, K, D, R, O> operator =
        new EnrichmentOperator<>(plan, services, parameters);
    parameters
        .getOperatorEventDispatcher()
        .registerEventHandler(parameters.getStreamConfig().getOperatorID(), operator);
    return (T) operator;
  }

  @SuppressWarnings("rawtypes")
  @Override
  public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
    return EnrichmentOperator.class;
  }
}
