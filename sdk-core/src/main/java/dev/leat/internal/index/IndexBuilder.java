package dev.leat.internal.index;

import dev.leat.spi.FileSplit;
import java.nio.file.Path;

/**
 * Builds an index: one {@link SplitSink} per split of the source takes the rows, from several threads at a time; then {@link #finish} writes the files. The bytes depend on the rows, their files' order
 * and the definition only.
 */
public final class IndexBuilder implements AutoCloseable {
  private IndexBuilder() {}

  /** Begins a build. */
  public static IndexBuilder open(IndexDefinition definition, BuildSettings settings) {
    throw new UnsupportedOperationException("not written yet: " + definition + settings);
  }

  /**
   * A sink for the rows of one split.
   *
   * @param split the part of the source that its rows come from
   * @param fileOrdinal the position of the file among the files of the source, which decides which of several rows of a key is first
   */
  public SplitSink sink(FileSplit split, int fileOrdinal) {
    throw new UnsupportedOperationException("not written yet: " + split + fileOrdinal);
  }

  /**
   * Writes the index: the shards first, the manifest last and atomically. All sinks must be closed.
   *
   * @param directory where the files are written; made if it is not there
   * @param sourceFingerprint identifies the version of the source
   * @throws dev.leat.LeatException {@code MALFORMED_ROWS}, {@code DUPLICATE_KEY}, {@code DISK_FULL}, {@code DISK_UNUSABLE} or {@code BUILD_CANCELLED}; nothing that looks like an index is left then
   */
  public IndexManifest finish(Path directory, String sourceFingerprint) {
    throw new UnsupportedOperationException("not written yet: " + directory + sourceFingerprint);
  }

  /** Ends the build and deletes its intermediate files. A build that is not finished is cancelled: threads that are in a sink or in {@link #finish} get {@code BUILD_CANCELLED}. Idempotent. */
  @Override
  public void close() {
    throw new UnsupportedOperationException("not written yet");
  }
}
