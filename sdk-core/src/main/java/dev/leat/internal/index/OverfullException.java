package dev.leat.internal.index;

/**
 * Says that rows crowd in one place, as keys do that were chosen to collide, so that another
 * permutation or hash function must be taken. Never leaves this package.
 */
final class OverfullException extends Exception {
  private static final long serialVersionUID = 1L;

  OverfullException(String message) {
    super(message);
  }
}
