package dev.leat.flink.internal.coordination;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Which decision held at each checkpoint to which a failure may still lead back. A subtask that
 * resumes from one of them begins as all others did: its own state may have less, where it was told
 * too late, or nothing, where the parallelism has changed.
 */
final class PastDecisions {
  /** Flink's number for the beginning of a job. */
  static final long BEFORE_THE_FIRST = -1;

  /** The checkpoints at which another decision held than at the one before. */
  private final TreeMap<Long, Activation> byCheckpoint = new TreeMap<>();

  private boolean promised;

  /** Begins anew with what a checkpoint has; empty for a job, or a join, without one. */
  void reset(long checkpoint, Optional<Activation> restored) {
    byCheckpoint.clear();
    restored.ifPresent(decision -> byCheckpoint.put(checkpoint, decision));
    promised = restored.isPresent();
  }

  /** Is told of the first decision of a job. */
  void first(Activation decision) {
    byCheckpoint.putIfAbsent(BEFORE_THE_FIRST, decision);
  }

  /** Is told what a subtask has in its state. */
  void restored(long checkpoint, Activation decision) {
    promised = true;
    at(checkpoint, decision);
  }

  /** Is told what holds at a checkpoint. */
  void at(long checkpoint, Activation decision) {
    Optional<Activation> known = at(checkpoint);
    if (known.isEmpty() || decision.isAfter(known.get())) {
      byCheckpoint.put(checkpoint, decision);
    }
  }

  /** What held at a checkpoint. */
  Optional<Activation> at(long checkpoint) {
    return Optional.ofNullable(byCheckpoint.floorEntry(checkpoint)).map(Map.Entry::getValue);
  }

  /** No failure leads back behind this checkpoint any more. */
  void completed(long checkpoint) {
    promised = true;
    Long last = byCheckpoint.floorKey(checkpoint);
    if (last != null) {
      byCheckpoint.headMap(last).clear();
    }
  }

  /** A version is gone, and another one takes its place also where a failure leads back. */
  void replace(String goneVersionId, Activation decision) {
    byCheckpoint.replaceAll(
        (checkpoint, past) -> past.version().id().equals(goneVersionId) ? decision : past);
  }

  /** Whether there is a checkpoint, which promises that its version is read again. */
  boolean promised() {
    return promised;
  }
}
