package dev.leat.internal.engine.source;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.channels.ClosedByInterruptException;

/** Makes of a failure of the source's store the error that tells a user what to do. */
public final class SourceErrors {

  private SourceErrors() {}

  /**
   * The error for a failure.
   *
   * @throws InterruptedException if the failure is that the thread was interrupted
   */
  public static LeatException of(String dimension, URI uri, IOException failure)
      throws InterruptedException {
    if (failure instanceof ClosedByInterruptException
        || (failure instanceof InterruptedIOException && Thread.currentThread().isInterrupted())) {
      throw interrupted(failure);
    }
    String what =
        "Dimension '" + dimension + "': cannot read " + uri + " (" + failure.getMessage() + "); ";
    if (!(failure instanceof StoreException store)) {
      return new LeatException(ErrorCode.SOURCE_UNREADABLE, what + "see the cause", failure);
    }
    return switch (store.kind()) {
      case NOT_FOUND ->
          new LeatException(
              ErrorCode.SOURCE_NOT_FOUND, what + "check the bucket and the path", failure);
      case ACCESS_DENIED ->
          new LeatException(
              ErrorCode.ACCESS_DENIED,
              what
                  + "check the credentials that the task finds (credential provider, environment, instance role) and what they are allowed to list and read",
              failure);
      case TIMEOUT ->
          new LeatException(
              ErrorCode.SOURCE_TIMEOUT, what + "check the endpoint and the network", failure);
      case THROTTLED ->
          new LeatException(
              ErrorCode.SOURCE_UNREADABLE,
              what
                  + "the store asks to slow down: look less often (Refresh.every), or raise its limits",
              failure);
      case CHANGED ->
          new LeatException(
              ErrorCode.SOURCE_CHANGING, what + "it was overwritten while it was read", failure);
      default ->
          new LeatException(
              ErrorCode.SOURCE_UNREADABLE,
              what + "check the endpoint, the network and the store",
              failure);
    };
  }

  private static InterruptedException interrupted(IOException failure) {
    InterruptedException interrupted =
        new InterruptedException("interrupted while reading the source");
    interrupted.initCause(failure);
    return interrupted;
  }
}
