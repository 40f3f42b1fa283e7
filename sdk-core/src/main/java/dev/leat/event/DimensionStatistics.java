package dev.leat.event;

import dev.leat.DimensionVersion;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/**
 * How a dimension stood at one moment, in the process that was asked. An immutable value; counters
 * begin at 0 when the first operator of the process opens the dimension.
 *
 * @param served what is served; empty until the first version is ready
 * @param lookups what lookups found
 * @param loads how versions were brought in
 * @param tiers what each tier did, by tier name, the nearest first; the source of truth stands
 *     last, as {@code source}
 */
public record DimensionStatistics(
    Optional<Served> served, Lookups lookups, Loads loads, Map<String, Tier> tiers) {

  /**
   * The version that is served.
   *
   * @param age time since the source was last seen to have it
   * @param rows rows that can be found (FLIP-221: {@code numCachedRecords})
   * @param bytes size of its index, mapped from the local disk (FLIP-221: {@code numCachedBytes})
   * @param rejectedRows malformed rows that it lacks
   * @param unparsableCells cells that are NULL because they could not be read
   * @param duplicateKeys rows of the source beyond the first of their key
   * @param nullKeyRows rows of the source without a key, which no lookup can find
   * @param filteredRows rows of the source that the dimension's filter left out
   */
  public record Served(
      DimensionVersion version,
      Duration age,
      long rows,
      long bytes,
      long rejectedRows,
      long unparsableCells,
      long duplicateKeys,
      long nullKeyRows,
      long filteredRows) {}

  /**
   * Lookups of all readers, those that were closed included.
   *
   * @param hits keys that were found (FLIP-221: {@code hitCount})
   * @param misses keys that were not found, null keys not counted (FLIP-221: {@code missCount})
   * @param nullKeys lookups with a null key
   */
  public record Lookups(long hits, long misses, long nullKeys) {}

  /**
   * How versions were brought in.
   *
   * @param loads versions that became ready (FLIP-221: {@code loadCount})
   * @param failures looks at the source, builds or fetches that failed (FLIP-221: {@code
   *     numLoadFailures})
   * @param latestTime how long the latest load took, zero before the first (FLIP-221: {@code
   *     latestLoadTime})
   * @param built of the loads, those built from the source
   * @param fetched of the loads, those fetched from a remote tier
   * @param reused of the loads, those found on the local disk
   * @param unchanged looks that found the served version still current
   * @param failuresInARow refreshes that failed since the last one that succeeded; 0 when all is
   *     well
   * @param latestFailure the message of the refresh failure that is latched; empty when all is well
   * @param heldBack the version that the guard holds back; empty when there is none
   * @param pinned the version that somebody has pinned the dimension to; empty when the source is
   *     followed
   * @param reusedFiles files of the source that builds did not read, because they had not changed
   *     since an earlier build
   * @param reusedRows rows that were not parsed again, for the same reason
   * @param building the build that goes on; empty when there is none
   */
  public record Loads(
      long loads,
      long failures,
      Duration latestTime,
      long built,
      long fetched,
      long reused,
      long unchanged,
      int failuresInARow,
      Optional<String> latestFailure,
      Optional<String> heldBack,
      Optional<String> pinned,
      long reusedFiles,
      long reusedRows,
      Optional<Building> building) {}

  /**
   * How far the building of an index is.
   *
   * @param rows rows read so far
   * @param bytes bytes of the source read so far
   * @param totalBytes bytes of the source
   * @param done the share of the whole work that is done, from 0 to 1, estimated: when all rows are
   *     read they are still to be put in order and written
   * @param elapsed time since the building began
   */
  public record Building(
      String versionId, long rows, long bytes, long totalBytes, double done, Duration elapsed) {

    /** The time that the rest takes at the rate so far; zero where there is no rate yet. */
    public Duration remaining() {
      return done <= 0
          ? Duration.ZERO
          : Duration.ofMillis((long) (elapsed.toMillis() * (1 - done) / done));
    }
  }

  /**
   * What one tier did.
   *
   * @param operations calls to its store
   * @param failures calls that failed, each retry counted
   * @param bytes bytes read from it
   * @param hits files or indexes that it served
   * @param misses files or indexes that were asked for and that it did not have in a fresh state
   * @param fallbacks times that the next tier had to serve because this one failed
   * @param damaged indexes that were found damaged in it
   * @param health whether it is in use
   */
  public record Tier(
      long operations,
      long failures,
      long bytes,
      long hits,
      long misses,
      long fallbacks,
      long damaged,
      Health health) {}

  /** Whether a tier is in use: the state of its circuit breaker. */
  public enum Health {
    /** It is used. */
    CLOSED,
    /** It failed too often and is left alone for a while. */
    OPEN,
    /** It is being tried again. */
    HALF_OPEN
  }

  /** Copies nothing that can change. */
  public DimensionStatistics {
    tiers = java.util.Collections.unmodifiableMap(new java.util.LinkedHashMap<>(tiers));
  }
}
