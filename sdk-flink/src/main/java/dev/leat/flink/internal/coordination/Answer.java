package dev.leat.flink.internal.coordination;

import java.util.Optional;

/** What the coordinator answers to a {@link Question}. */
sealed interface Answer {

  /** Look at the source, load the version that it has, and say which one it is. */
  record Lead() implements Answer {}

  /** Another subtask does that; ask again in a moment. */
  record Wait() implements Answer {}

  /**
   * Begin with a version.
   *
   * @param first what is read first
   * @param next what was decided since the checkpoint that the subtask resumes from, and is read
   *     from the next barrier on
   * @param promised whether the job has a checkpoint, so that it is for the policy to say whether
   *     another version may be read where this one is gone
   */
  record Begin(Activation first, Optional<Activation> next, boolean promised) implements Answer {}
}
