package dev.leat.flink;

import static java.util.Objects.requireNonNull;

import dev.leat.DimensionVersion;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * What an event met, with the version that was asked: of the same version in all subtasks between
 * two checkpoints. Given to the combiner by {@link Enrichment#withVersion()}. A value.
 *
 * @param row the row; in a left join an {@code Optional} of one
 * @param version the version, and when the source was last seen to have it
 */
public record Match<R>(R row, DimensionVersion version) implements Serializable {

  /** Checks that both are there. */
  public Match {
    requireNonNull(row, "row");
    requireNonNull(version, "version");
  }

  /**
   * How long before a moment the source was last seen to have the version; negative for an earlier
   * moment.
   */
  public Duration ageAt(Instant moment) {
    return Duration.between(version.seen(), moment);
  }
}
