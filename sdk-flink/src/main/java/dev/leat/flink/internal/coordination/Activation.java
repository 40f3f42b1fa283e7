package dev.leat.flink.internal.coordination;

import static java.util.Objects.requireNonNull;

import dev.leat.internal.engine.KnownVersion;
import java.io.Serializable;

/**
 * The decision that a version is read by all subtasks of a join from a point in the job on.
 *
 * @param number counts the decisions of a job, from 1; the higher one holds
 * @param version what is read
 * @param checkpoint the checkpoint with whose barrier it begins to be read, or {@link #AT_ONCE}
 */
public record Activation(long number, KnownVersion version, long checkpoint)
    implements Serializable {
  /** Of a version that is read as soon as it is ready. */
  static final long AT_ONCE = -1;

  /** Checks that there is a version. */
  public Activation {
    requireNonNull(version, "version");
  }

  /** Whether it holds over another one. */
  boolean isAfter(Activation other) {
    return number > other.number;
  }

  Activation seenAt(KnownVersion seen) {
    return new Activation(number, version.seenAt(seen.seen()), checkpoint);
  }
}
