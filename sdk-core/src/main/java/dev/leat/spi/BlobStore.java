package dev.leat.spi;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The port to a file system or object store: the smallest set of calls that Leat needs.
 *
 * <p>Implementations are thread-safe and throw {@link StoreException} with the fitting kind.
 * Retries, deadlines, circuit breaking and metrics are decorators over this interface and no
 * business of an implementation.
 */
public interface BlobStore extends AutoCloseable {

  /**
   * All blobs below a directory or prefix, at any depth, sorted by the text of their URI.
   * Directories themselves are not listed.
   *
   * @return the blobs; empty where nothing is there
   */
  List<Blob> list(URI directory) throws IOException;

  /** The blob at {@code uri} as it is now, or empty where none is. */
  Optional<Blob> find(URI uri) throws IOException;

  /**
   * Opens a blob for reading. The reader answers with this content or fails with kind {@code
   * CHANGED} or {@code NOT_FOUND}, which may show at the first read only.
   */
  BlobReader open(Blob blob) throws IOException;

  /**
   * Publishes a local file under {@code target}: others see either the whole content or nothing
   * (or, where {@code target} exists, the former content), whenever the writer dies. Parents are
   * made.
   */
  void publish(Path file, URI target) throws IOException;

  /**
   * Publishes a small content under {@code target} only if nothing is there. Of several callers at
   * the same time at most one gets {@code true} on a store with atomic creation; on others the last
   * one wins, which costs work and never correctness.
   *
   * @return whether this call created it
   */
  boolean publishIfAbsent(byte[] content, URI target) throws IOException;

  /** Deletes the blob at {@code uri}, or everything below it. Nothing there is not an error. */
  void delete(URI uri) throws IOException;

  /** Frees clients and connections. Calls that are running fail. Idempotent. */
  @Override
  void close();
}
