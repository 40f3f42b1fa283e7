package dev.leat.internal.index;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.MalformedRows;
import java.nio.file.Path;
import java.util.Optional;

/**
 * How an index is built. Nothing here changes the bytes of the index.
 *
 * @param workDirectory where intermediate files may stand; made if it is not there, and left as it
 *     was found
 * @param memory about how much heap a build may use for rows that it holds; more rows are spilled
 *     to the work directory
 * @param threads how many threads {@link IndexBuilder#finish} uses, at least 1
 * @param malformedRows what is done with malformed rows
 * @param expectedBytes the bytes of all source files, or 0 where unknown; chooses the number of
 *     partitions
 * @param listener is told the progress
 * @param recordings the rows that earlier builds recorded, and where this one records its own;
 *     empty where every split is to be parsed
 */
public record BuildSettings(
    Path workDirectory,
    DataSize memory,
    int threads,
    MalformedRows malformedRows,
    long expectedBytes,
    BuildListener listener,
    Optional<RecordedSplits> recordings) {
  private static final DataSize MAX_DEFAULT_MEMORY = DataSize.ofMebibytes(768);

  /** Checks the bounds. */
  public BuildSettings {
    requireNonNull(workDirectory, "workDirectory");
    requireNonNull(memory, "memory");
    requireNonNull(malformedRows, "malformedRows");
    requireNonNull(listener, "listener");
    if (threads < 1) {
      throw new IllegalArgumentException(
          threads + " threads cannot build an index; use at least 1");
    }
    if (expectedBytes < 0) {
      throw new IllegalArgumentException(
          "a source of "
              + expectedBytes
              + " bytes cannot be expected; use 0 where the size is unknown");
    }
  }

  /**
   * As many threads as there are processors, a third of the heap but at most 768 MiB, the default
   * policy for malformed rows. A third, because what lives long must fit a collector's old
   * generation, beside all else that the process keeps there.
   */
  public static BuildSettings in(Path workDirectory) {
    return new BuildSettings(
        workDirectory,
        DataSize.ofBytes(
            Math.min(MAX_DEFAULT_MEMORY.bytes(), Runtime.getRuntime().maxMemory() / 3)),
        Runtime.getRuntime().availableProcessors(),
        MalformedRows.skipShare(MalformedRows.DEFAULT_SHARE),
        0,
        BuildListener.none(),
        Optional.empty());
  }

  /** The same with another bound on the heap for rows. */
  public BuildSettings withMemory(DataSize size) {
    return new BuildSettings(
        workDirectory, size, threads, malformedRows, expectedBytes, listener, recordings);
  }

  /** The same with another number of threads. */
  public BuildSettings withThreads(int count) {
    return new BuildSettings(
        workDirectory, memory, count, malformedRows, expectedBytes, listener, recordings);
  }

  /** The same with another policy for malformed rows. */
  public BuildSettings withMalformedRows(MalformedRows policy) {
    return new BuildSettings(
        workDirectory, memory, threads, policy, expectedBytes, listener, recordings);
  }

  /** The same with the size of the source. */
  public BuildSettings withExpectedBytes(long bytes) {
    return new BuildSettings(
        workDirectory, memory, threads, malformedRows, bytes, listener, recordings);
  }

  /** The same with a listener. */
  public BuildSettings withListener(BuildListener newListener) {
    return new BuildSettings(
        workDirectory, memory, threads, malformedRows, expectedBytes, newListener, recordings);
  }

  /** The same with recordings. */
  public BuildSettings withRecordings(RecordedSplits recorded) {
    return new BuildSettings(
        workDirectory,
        memory,
        threads,
        malformedRows,
        expectedBytes,
        listener,
        Optional.of(recorded));
  }
}
