package dev.leat.spi;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;

/** A {@link RemoteTier} at work. Thread-safe. */
public interface RemoteTierStore extends AutoCloseable {

  /** The store that holds the tier's files: published indexes, and copies of source files. */
  BlobStore blobs();

  /** The directory below which indexes are published. */
  URI indexRoot();

  /**
   * The tier's copy of a file of the source, if the tier maps the file and its metadata proves that
   * the copy has the content that {@code source} has (the same length and content tag or
   * modification time). Empty in all other cases: stale bytes are never served as fresh ones.
   */
  Optional<Blob> freshCopy(Blob source) throws IOException;

  /**
   * The source of truth of a location of this tier, learned from its mount table or its configured
   * mapping.
   *
   * @return the under-store URI, e.g. {@code s3://bucket/customers}
   * @throws dev.leat.LeatException {@code TIER_NOT_MAPPED} if there is none
   */
  URI sourceOf(URI location) throws IOException;

  @Override
  void close();
}
