package dev.leat.internal.store;

import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.time.Duration;
import java.util.function.LongUnaryOperator;

/**
 * How long to wait before the next attempt: exponential backoff with full jitter, an even draw
 * between zero and a bound that doubles with each attempt (M. Brooker, "Exponential Backoff And
 * Jitter", AWS Architecture Blog, 2015, where it needs the fewest calls and the least time of those
 * compared).
 */
final class Backoff {
  private final ResilienceSettings settings;
  private final LongUnaryOperator random;

  /**
   * Creates a backoff.
   *
   * @param random gives an even draw from zero to its argument, exclusive. Thread-safe.
   */
  Backoff(ResilienceSettings settings, LongUnaryOperator random) {
    this.settings = settings;
    this.random = random;
  }

  /**
   * The wait after a failure.
   *
   * @param attempt the number of the attempt that failed, from 1
   */
  Duration after(StoreException failure, int attempt) {
    Duration first =
        failure.kind() == Kind.THROTTLED ? settings.throttledBackoff() : settings.firstBackoff();
    long longest = settings.longestBackoff().toNanos();
    long bound = first.toNanos();
    for (int i = 1; i < attempt && bound < longest; i++) {
      bound = bound > longest / 2 ? longest : bound * 2;
    }
    return Duration.ofNanos(random.applyAsLong(Math.min(bound, longest) + 1));
  }
}
