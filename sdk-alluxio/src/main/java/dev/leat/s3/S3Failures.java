package dev.leat.s3;

import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.util.Set;
import org.apache.hadoop.fs.s3a.AWSNoResponseException;
import org.apache.hadoop.fs.s3a.AWSRedirectException;
import org.apache.hadoop.fs.s3a.AWSServiceIOException;
import org.apache.hadoop.fs.s3a.AWSServiceThrottledException;
import org.apache.hadoop.fs.s3a.HttpChannelEOFException;
import org.apache.hadoop.fs.s3a.RangeNotSatisfiableEOFException;
import org.apache.hadoop.fs.s3a.RemoteFileChangedException;
import org.apache.hadoop.fs.s3a.UnknownStoreException;

/** Sorts the exceptions of S3A by what can be done about them. */
final class S3Failures {

  private static final int PRECONDITION_FAILED = 412;
  private static final int TOO_MANY_REQUESTS = 429;
  private static final int SERVICE_UNAVAILABLE = 503;

  /** 400 and 403 answers of S3 that mean the credentials. */
  private static final Set<String> CREDENTIAL_CODES =
      Set.of(
          "ExpiredToken",
          "InvalidToken",
          "InvalidAccessKeyId",
          "SignatureDoesNotMatch",
          "TokenRefreshRequired",
          "AccessDenied");

  private S3Failures() {}

  /**
   * The failure to throw for {@code failure}.
   *
   * @param doing what failed, e.g. {@code listing}
   */
  static IOException of(String doing, URI uri, IOException failure) {
    if (failure instanceof StoreException) {
      return failure;
    }
    Kind kind = kind(failure);
    if (kind == Kind.OTHER && failure instanceof InterruptedIOException) {
      Thread.currentThread().interrupt();
      return failure;
    }
    return new StoreException(kind, message(kind, doing, uri, failure), failure);
  }

  private static String message(Kind kind, String doing, URI uri, IOException failure) {
    String what = doing + " " + uri + " failed: ";
    return switch (kind) {
      case NOT_FOUND ->
          what
              + (failure instanceof UnknownStoreException
                  ? "there is no such bucket"
                  : "nothing is there");
      case ACCESS_DENIED ->
          what + "access denied; check the credentials and their policy (docs/stores.md)";
      case THROTTLED -> what + "S3 asks to slow down";
      case CHANGED -> what + "the object is no longer the one that was listed";
      case TRUNCATED -> what + "the content ended early";
      case TIMEOUT -> what + "no answer in time";
      case UNAVAILABLE -> what + "the server or the connection failed";
      case ALREADY_EXISTS -> what + "it exists already";
      case FULL -> what + "no room is left";
      case OTHER ->
          what
              + (failure instanceof AWSRedirectException
                  ? "the bucket is in another region; set S3.region(…) or fs.s3a.endpoint.region"
                  : failure.getClass().getSimpleName());
    };
  }

  private static Kind kind(IOException failure) {
    if (failure instanceof RemoteFileChangedException
        || failure instanceof RangeNotSatisfiableEOFException) {
      return Kind.CHANGED;
    }
    if (failure instanceof AccessDeniedException) {
      return Kind.ACCESS_DENIED;
    }
    if (failure instanceof FileNotFoundException || failure instanceof UnknownStoreException) {
      return Kind.NOT_FOUND;
    }
    if (failure instanceof FileAlreadyExistsException
        || failure instanceof org.apache.hadoop.fs.FileAlreadyExistsException) {
      return Kind.ALREADY_EXISTS;
    }
    if (failure instanceof AWSServiceThrottledException) {
      return Kind.THROTTLED;
    }
    if (failure instanceof AWSNoResponseException || failure instanceof HttpChannelEOFException) {
      return Kind.UNAVAILABLE;
    }
    if (failure instanceof AWSServiceIOException service) {
      return kindOfAnswer(service);
    }
    if (failure instanceof EOFException) {
      return Kind.TRUNCATED;
    }
    return kindOfConnection(failure);
  }

  private static Kind kindOfAnswer(AWSServiceIOException answer) {
    int status = answer.statusCode();
    // S3A puts S3's error code into the message; taking it from there spares a dependency on the
    // AWS SDK's types.
    String message = String.valueOf(answer.getMessage());
    if (status == PRECONDITION_FAILED) {
      return Kind.CHANGED;
    }
    if (status == TOO_MANY_REQUESTS || status == SERVICE_UNAVAILABLE) {
      return Kind.THROTTLED;
    }
    if (status >= 500) {
      return Kind.UNAVAILABLE;
    }
    return CREDENTIAL_CODES.stream().anyMatch(message::contains) ? Kind.ACCESS_DENIED : Kind.OTHER;
  }

  private static Kind kindOfConnection(IOException failure) {
    boolean credentials = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      if (cause instanceof SocketTimeoutException
          || cause.getClass().getSimpleName().endsWith("TimeoutException")) {
        return Kind.TIMEOUT;
      }
      if (cause instanceof ConnectException
          || cause instanceof SocketException
          || cause instanceof NoRouteToHostException
          || cause instanceof UnknownHostException
          || cause.getClass().getSimpleName().equals("NoHttpResponseException")
          || cause.getClass().getSimpleName().equals("ConnectionClosedException")) {
        return Kind.UNAVAILABLE;
      }
      credentials |=
          cause.getClass().getSimpleName().contains("Credential")
              || cause.getClass().getSimpleName().equals("NoAuthWithAWSException");
    }
    return credentials ? Kind.ACCESS_DENIED : Kind.OTHER;
  }
}
