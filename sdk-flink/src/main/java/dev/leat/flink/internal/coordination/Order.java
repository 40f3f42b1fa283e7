package dev.leat.flink.internal.coordination;

import dev.leat.internal.engine.KnownVersion;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/**
 * What the coordinator tells a subtask to do. Lives no longer than the run of the job, whose
 * processes have the same classes.
 */
sealed interface Order extends OperatorEvent {

  /**
   * Look which version the source has.
   *
   * @param number names the order in the answer
   */
  record Look(long number) implements Order {
    private static final long serialVersionUID = 1L;
  }

  /** Load a version beside the one that is read. */
  record Prepare(KnownVersion version) implements Order {
    private static final long serialVersionUID = 1L;
  }

  /** Let go of a version that will not be read after all. */
  record Forget(String versionId) implements Order {
    private static final long serialVersionUID = 1L;
  }

  /** Read a version from a point on. */
  record Activate(Activation activation) implements Order {
    private static final long serialVersionUID = 1L;
  }

  /** The source was seen to have a version. */
  record Seen(KnownVersion version) implements Order {
    private static final long serialVersionUID = 1L;
  }
}
