package dev.leat.alluxio;

import alluxio.exception.AccessControlException;
import alluxio.exception.AlluxioException;
import alluxio.exception.FileAlreadyExistsException;
import alluxio.exception.FileDoesNotExistException;
import alluxio.exception.FileIncompleteException;
import alluxio.exception.runtime.AlluxioRuntimeException;
import alluxio.exception.status.AlluxioStatusException;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.util.concurrent.TimeoutException;

/** Sorts the exceptions of Alluxio's client by what can be done about them. */
final class AlluxioFailures {

  private AlluxioFailures() {}

  /** A call of Alluxio's client. */
  interface Call<T> {
    T run() throws IOException, AlluxioException;
  }

  /**
   * Runs a call, with its failures sorted.
   *
   * @param doing what is being done, e.g. {@code listing}
   */
  static <T> T sorting(String doing, URI uri, Call<T> call) throws IOException {
    try {
      return call.run();
    } catch (StoreException e) {
      throw e;
    } catch (IOException | AlluxioException | AlluxioRuntimeException e) {
      throw of(doing, uri, e);
    } catch (IllegalStateException e) {
      // So say the client's pools once it is closed.
      throw new StoreException(
          Kind.UNAVAILABLE, doing + " " + uri + " failed: Alluxio's client is closed", e);
    }
  }

  private static IOException of(String doing, URI uri, Exception failure) {
    Kind kind = kind(failure);
    if (failure instanceof InterruptedIOException interrupted && kind == Kind.OTHER) {
      return interrupted;
    }
    return new StoreException(
        kind, doing + " " + uri + " failed: " + reason(kind, failure), failure);
  }

  private static String reason(Kind kind, Exception failure) {
    return switch (kind) {
      case NOT_FOUND -> "nothing is there";
      case ACCESS_DENIED -> "access denied; check the user that Alluxio sees";
      case TIMEOUT -> "no answer in time";
      case UNAVAILABLE -> "the master or a worker is away or failed";
      case TRUNCATED -> "the content ended early";
      case ALREADY_EXISTS -> "it exists already";
      case FULL -> "no room is left";
      case THROTTLED, CHANGED, OTHER -> String.valueOf(failure.getMessage());
    };
  }

  private static Kind kind(Exception failure) {
    if (failure instanceof FileDoesNotExistException
        || failure instanceof FileNotFoundException
        || failure instanceof FileIncompleteException) {
      return Kind.NOT_FOUND;
    }
    if (failure instanceof FileAlreadyExistsException) {
      return Kind.ALREADY_EXISTS;
    }
    if (failure instanceof AccessControlException) {
      return Kind.ACCESS_DENIED;
    }
    if (failure instanceof AlluxioStatusException status) {
      return kind(status.getStatusCode().name());
    }
    if (failure instanceof AlluxioRuntimeException status) {
      return kind(status.getStatus().getCode().name());
    }
    if (failure instanceof AlluxioException) {
      return String.valueOf(failure.getMessage()).contains("does not exist")
          ? Kind.NOT_FOUND
          : Kind.OTHER;
    }
    if (failure instanceof EOFException) {
      return Kind.TRUNCATED;
    }
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof TimeoutException || cause instanceof SocketTimeoutException) {
        return Kind.TIMEOUT;
      }
    }
    return failure instanceof InterruptedIOException ? Kind.OTHER : Kind.UNAVAILABLE;
  }

  /** By gRPC's names, so that its classes are not needed here. */
  private static Kind kind(String code) {
    return switch (code) {
      case "NOT_FOUND" -> Kind.NOT_FOUND;
      case "ALREADY_EXISTS" -> Kind.ALREADY_EXISTS;
      case "PERMISSION_DENIED", "UNAUTHENTICATED" -> Kind.ACCESS_DENIED;
      case "DEADLINE_EXCEEDED" -> Kind.TIMEOUT;
      case "RESOURCE_EXHAUSTED" -> Kind.FULL;
      case "OUT_OF_RANGE", "DATA_LOSS" -> Kind.TRUNCATED;
      case "UNAVAILABLE", "ABORTED", "CANCELLED", "INTERNAL", "UNKNOWN" -> Kind.UNAVAILABLE;
      default -> Kind.OTHER;
    };
  }
}
