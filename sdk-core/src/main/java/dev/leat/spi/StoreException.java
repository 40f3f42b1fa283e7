package dev.leat.spi;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A failure of a {@link BlobStore}, sorted by what can be done about it. The message has the URI
 * and never a secret.
 */
public final class StoreException extends IOException {
  private static final long serialVersionUID = 1L;

  /** What can be done about a failure. */
  public enum Kind {
    /** The blob, or its container, is not there. Not retried. */
    NOT_FOUND(false),
    /** Credentials are missing, wrong or expired, or do not suffice. Not retried. */
    ACCESS_DENIED(false),
    /** The store asks to slow down (S3: 503 SlowDown). Retried with backoff. */
    THROTTLED(true),
    /**
     * The content is no longer the one that was listed. Not retried at this level: the listing is
     * taken again.
     */
    CHANGED(false),
    /** Fewer bytes came than the length promises. Retried. */
    TRUNCATED(true),
    /** No answer within the deadline. Retried while the caller's deadline allows. */
    TIMEOUT(true),
    /** A connection that broke, a server that failed, a worker that is away. Retried. */
    UNAVAILABLE(true),
    /** The target of an exclusive creation is there already. Not retried. */
    ALREADY_EXISTS(false),
    /** The store has no room. Not retried. */
    FULL(false),
    /** Everything else. Not retried. */
    OTHER(false);

    private final boolean retriable;

    Kind(boolean retriable) {
      this.retriable = retriable;
    }

    /** Whether the same call may succeed a little later. */
    public boolean retriable() {
      return retriable;
    }
  }

  private final Kind kind;

  /**
   * Creates an exception.
   *
   * @param cause what led to it, or null
   */
  public StoreException(Kind kind, String message, @Nullable Throwable cause) {
    super(requireNonNull(message, "message"), cause);
    this.kind = requireNonNull(kind, "kind");
  }

  /** What can be done about it. */
  public Kind kind() {
    return kind;
  }
}
