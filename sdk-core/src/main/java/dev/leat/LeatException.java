package dev.leat;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * The one exception that Leat throws for what a user can act on: a bad definition, an unreadable
 * source, a damaged index, a version that is too old. Its message has the code, what is wrong, the
 * value, and what to do; it never has a secret.
 */
public final class LeatException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final ErrorCode errorCode;

  /**
   * Creates an exception.
   *
   * @param errorCode the stable code
   * @param message what is wrong, the value, what to do; the code is put in front
   */
  public LeatException(ErrorCode errorCode, String message) {
    this(errorCode, message, null);
  }

  /**
   * Creates an exception with a cause.
   *
   * @param errorCode the stable code
   * @param message what is wrong, the value, what to do; the code is put in front
   * @param cause what led to it, or null
   */
  public LeatException(ErrorCode errorCode, String message, @Nullable Throwable cause) {
    super(
        requireNonNull(errorCode, "errorCode").code() + ": " + requireNonNull(message, "message"),
        cause);
    this.errorCode = errorCode;
  }

  /** The stable code of what went wrong. */
  public ErrorCode errorCode() {
    return errorCode;
  }
}
