package dev.leat.spi;

import static java.util.Objects.requireNonNull;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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

  /**
   * Checks that a read lies within the content, before a store is asked.
   *
   * @param position where it begins
   * @param count how many bytes are read
   * @throws StoreException of kind {@code TRUNCATED} if there are not so many
   */
  public void requireRange(long position, long count) throws StoreException {
    if (position < 0 || count < 0 || count > length - position) {
      throw new StoreException(
          StoreException.Kind.TRUNCATED,
          "reading "
              + count
              + " bytes at "
              + position
              + " of "
              + uri
              + " failed: it has "
              + length
              + " bytes",
          null);
    }
  }

  /**
   * The URI of a path in the one spelling that all stores use: what is no ASCII is percent-encoded
   * as UTF-8, and nothing is normalized, so that {@code Zürich} is {@code Z%C3%BCrich} everywhere.
   *
   * @param scheme the scheme, e.g. {@code s3a}
   * @param authority the bucket or server, or null where the scheme has none
   * @param path the path, not encoded
   * @throws IllegalArgumentException if they make no URI
   */
  public static URI uriOf(String scheme, @Nullable String authority, String path) {
    String quoted;
    try {
      quoted = new URI(scheme, authority, path, null, null).toString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          scheme + ", " + authority + " and '" + path + "' make no URI: " + e.getReason(), e);
    }
    StringBuilder ascii = new StringBuilder(quoted.length());
    quoted
        .codePoints()
        .forEach(
            point -> {
              if (point < 0x80) {
                ascii.append((char) point);
              } else {
                for (byte part : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
                  ascii.append(String.format(Locale.ROOT, "%%%02X", part));
                }
              }
            });
    return URI.create(ascii.toString());
  }
}
