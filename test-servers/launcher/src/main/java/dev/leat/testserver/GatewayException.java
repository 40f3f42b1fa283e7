package dev.leat.testserver;

/** What the SQL gateway answered in place of a result. */
public final class GatewayException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  GatewayException(String message) {
    super(message);
  }
}
