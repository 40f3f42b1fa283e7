package dev.leat.internal.engine.build;

import org.jspecify.annotations.Nullable;

/** An attempt to build an index is void, and another one may succeed. */
public final class AttemptFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Why an attempt is void. */
  public enum Reason {
    /** The source has another version now. */
    SOURCE_CHANGED,
    /**
     * A tier failed in the middle of a file, which must not be read half from here and half from
     * there.
     */
    TIER_FAILED
  }

  private final Reason reason;

  AttemptFailedException(Reason reason, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.reason = reason;
  }

  /** The source has another version now. */
  public static AttemptFailedException sourceChanged(String message) {
    return new AttemptFailedException(Reason.SOURCE_CHANGED, message, null);
  }

  /** The reason. */
  public Reason reason() {
    return reason;
  }
}
