package dev.leat.event;

import dev.leat.DimensionVersion;
import dev.leat.ErrorCode;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Something that happened to a dimension. Values, without secrets. */
public sealed interface DimensionEvent {

  /** The name of the dimension. */
  String dimension();

  /** Where the index of a version came from. */
  enum Origin {
    /** It was built from the rows of the source. */
    BUILT,
    /** It was fetched from a remote tier, where another process had published it. */
    FETCHED,
    /** It was found on the local disk. */
    REUSED
  }

  /**
   * A version is served from now on.
   *
   * @param rows the rows that can be found in it
   * @param indexBytes the size of its index
   * @param took the time from seeing the version to serving it
   */
  record VersionActivated(
      String dimension,
      DimensionVersion version,
      Origin origin,
      long rows,
      long indexBytes,
      Duration took)
      implements DimensionEvent {}

  /**
   * Somebody has pinned the dimension to a version, or has taken the pin away.
   *
   * @param versionId the pinned version; empty where the source is followed again
   */
  record PinChanged(String dimension, Optional<String> versionId) implements DimensionEvent {}

  /** A version that was replaced is no longer read by anyone of this process, and is unmapped. */
  record VersionRetired(String dimension, String versionId) implements DimensionEvent {}

  /** The source was looked at and has the served version still; nothing was rebuilt. */
  record SourceUnchanged(String dimension, DimensionVersion version) implements DimensionEvent {}

  /**
   * Looking at the source, or building its new version, failed; the served version goes on serving
   * and the refresh is tried again.
   *
   * @param code what went wrong
   * @param message the message of the failure
   * @param failures how many times in a row it has failed now
   */
  record RefreshFailed(String dimension, ErrorCode code, String message, int failures)
      implements DimensionEvent {}

  /**
   * A new version has fewer rows than the guard allows. It is not served; the one before it goes on
   * serving, where there is one. Told once for each version, however often it is seen.
   *
   * @param rows the rows that can be found in it
   * @param before those of the version before it; empty if there was none
   * @param reason what the guard has against it
   */
  record VersionHeldBack(
      String dimension, String versionId, long rows, OptionalLong before, String reason)
      implements DimensionEvent {}

  /**
   * A refresh succeeded after others had failed.
   *
   * @param failures how many had failed in a row
   */
  record RefreshRecovered(String dimension, DimensionVersion version, int failures)
      implements DimensionEvent {}

  /**
   * The source changed while it was being read; what was read is thrown away and the reading begins
   * again.
   *
   * @param attempt the number of the attempt that was thrown away, from 1
   */
  record SourceChangedWhileReading(String dimension, String versionId, int attempt)
      implements DimensionEvent {}

  /**
   * How far the building of an index has come.
   *
   * @param rows rows read so far
   * @param bytes bytes of the source read so far
   * @param totalBytes bytes of the source
   * @param done the share of the whole work that is done, from 0 to 1, estimated: when all rows are
   *     read they are still to be put in order and written
   * @param elapsed time since the building began
   */
  record BuildProgress(
      String dimension,
      String versionId,
      long rows,
      long bytes,
      long totalBytes,
      double done,
      Duration elapsed)
      implements DimensionEvent {

    /** Bytes read per second so far; 0 at the very start. */
    public double bytesPerSecond() {
      return elapsed.isZero() ? 0 : bytes * 1e9 / elapsed.toNanos();
    }

    /** The time that the rest takes at the rate so far; zero where there is no rate yet. */
    public Duration remaining() {
      return done <= 0
          ? Duration.ZERO
          : Duration.ofMillis((long) (elapsed.toMillis() * (1 - done) / done));
    }
  }

  /**
   * An index was built without reading those files of the source that had not changed since an
   * earlier build of this host.
   *
   * @param files files that were not read
   * @param totalFiles files of the source
   * @param rows rows that were not parsed again
   * @param bytes bytes of the source that were not read
   */
  record FilesReused(
      String dimension, String versionId, long files, long totalFiles, long rows, long bytes)
      implements DimensionEvent {}

  /**
   * Rows were left out of a version because they could not be read, or cells became NULL.
   *
   * @param rejectedRows rows left out
   * @param unparsableCells cells that could not be read as their column's type
   * @param samples some of them, with file, offset and reason
   */
  record RowsRejected(
      String dimension,
      String versionId,
      long rejectedRows,
      long unparsableCells,
      List<String> samples)
      implements DimensionEvent {
    /** Copies the samples. */
    public RowsRejected {
      samples = List.copyOf(samples);
    }
  }

  /**
   * A tier, or the source itself, fails or is too slow; the next one serves in its place.
   *
   * @param tier the tier's name, or {@code source}
   */
  record TierDegraded(String dimension, String tier, String reason) implements DimensionEvent {}

  /**
   * A tier that was degraded works again and is used again.
   *
   * @param tier the tier's name, or {@code source}
   */
  record TierHealed(String dimension, String tier) implements DimensionEvent {}

  /**
   * The index of a version could not be published to a remote tier: other hosts have to build it
   * themselves.
   *
   * @param tier the tier's name
   */
  record PublicationFailed(String dimension, String versionId, String tier, String reason)
      implements DimensionEvent {}

  /**
   * An index was found to be damaged; it is dropped, and fetched or built again.
   *
   * @param tier the name of the tier that held it
   */
  record IndexDamaged(String dimension, String versionId, String tier, String reason)
      implements DimensionEvent {}
}
