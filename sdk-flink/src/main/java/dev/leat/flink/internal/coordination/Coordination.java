package dev.leat.flink.internal.coordination;

import dev.leat.Refresh;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.jspecify.annotations.Nullable;

/** How an operator of a join and its coordinator come together. */
public final class Coordination {

  private Coordination() {}

  /** What makes the coordinator of an operator on the JobManager. */
  public static OperatorCoordinator.Provider provider(
      OperatorID operator, String dimension, Refresh refresh) {
    return new VersionCoordinator.Provider(operator, dimension, refresh);
  }

  /**
   * Of two states of subtasks of one operator the one that was decided later.
   *
   * @param one null for none
   */
  public static byte[] later(byte @Nullable [] one, byte[] other) {
    return one != null && Codec.activation(one).isAfter(Codec.activation(other)) ? one : other;
  }
}
