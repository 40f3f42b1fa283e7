package dev.leat.flink.internal.coordination;

import dev.leat.internal.engine.KnownVersion;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.jspecify.annotations.Nullable;

/** What a subtask asks before it begins to read. Each one is answered at once. */
sealed interface Question extends CoordinationRequest {

  int subtask();

  int attempt();

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
