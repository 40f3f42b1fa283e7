package dev.leat.flink.internal.coordination;

import dev.leat.internal.engine.KnownVersion;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;

/** What a subtask tells the coordinator. */
sealed interface Report extends OperatorEvent {

  /**
   * The subtask has begun to read.
   *
   * @param activation the number of the decision that it follows
   */
  record Began(long activation) implements Report {
    private static final long serialVersionUID = 1L;
  }

  /** The source has this version. */
  record Looked(long order, KnownVersion version) implements Report {
    private static final long serialVersionUID = 1L;
  }

  /** The source could not be looked at. */
  record LookFailed(long order, String message) implements Report {
    private static final long serialVersionUID = 1L;
  }

  /** The version is loaded and can be read from the next record on. */
  record Prepared(String versionId) implements Report {
    private static final long serialVersionUID = 1L;
  }

  /** The version could not be loaded. */
  record PrepareFailed(String versionId, String message) implements Report {
    private static final long serialVersionUID = 1L;
  }

  /** The subtask knows of a decision, holds the version, and reads it from its barrier on. */
  record Decided(long activation) implements Report {
    private static final long serialVersionUID = 1L;
  }

  /** The subtask has had its last record. */
  record Finished() implements Report {
    private static final long serialVersionUID = 1L;
  }
}
