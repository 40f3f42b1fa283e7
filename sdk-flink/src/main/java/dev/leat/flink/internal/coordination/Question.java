package dev.leat.flink.internal.coordination;

import dev.leat.internal.engine.KnownVersion;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.jspecify.annotations.Nullable;

/** What a subtask asks before it reads. Each one is answered at once. */
sealed interface Question extends CoordinationRequest {

  int subtask();

  int attempt();

  /**
   * With which version shall I begin? Asked on behalf of a join that is not opened yet, or is
   * already, by another one of the same task: it changes nothing of what is known of the subtask.
   */
  record Ahead(int subtask, int attempt) implements Question {
    private static final long serialVersionUID = 1L;
  }

  /**
   * With which version do I begin?
   *
   * @param restored what my state says; null for a subtask without state
   */
  record Begin(int subtask, int attempt, @Nullable Activation restored) implements Question {
    private static final long serialVersionUID = 1L;
  }

  /** I looked at the source and loaded this version, as I was told; with which one do I begin? */
  record Led(int subtask, int attempt, KnownVersion version) implements Question {
    private static final long serialVersionUID = 1L;
  }

  /** The version that I was told is gone and this one takes its place; shall I begin with it? */
  record Replaced(int subtask, int attempt, Activation gone, KnownVersion version)
      implements Question {
    private static final long serialVersionUID = 1L;
  }
}
