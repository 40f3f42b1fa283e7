package dev.leat.spi;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * One immutable content of one file or object, as a listing of its store shows it.
 *
 * @param uri where it stands, absolute, without secrets
 * @param length its size in bytes
 * @param contentTag what identifies the content, as the store gives it (the ETag of S3, without
 *     quotes), where the store has such a thing
 * @param modified when it was last written, to the precision of the store
 */
public record Blob(URI uri, long length, Optional<String> contentTag, Instant modified) {

  /** Checks that the length is not negative. */
  public Blob {
    requireNonNull(uri, "uri");
    requireNonNull(contentTag, "contentTag");
    requireNonNull(modified, "modified");
    if (length < 0) {
      throw new IllegalArgumentException(
          "length is " + length + " for " + uri + "; it must not be negative");
    }
  }
}
