package dev.leat.internal.store;

import dev.leat.spi.StoreException;
import java.net.URI;
import java.time.Duration;

/**
 * Is told what a {@link ResilientStore} does about failures. Called on the thread that made the
 * call; must return soon and not throw.
 */
public interface ResilienceListener {

  /** Takes no notice. */
  static ResilienceListener none() {
    return new ResilienceListener() {};
  }

  /**
   * A call failed and is made again.
   *
   * @param attempt the number of the attempt that failed, from 1
   * @param wait the time until the next one
   */
  default void retrying(
      Operation operation, URI uri, int attempt, Duration wait, StoreException failure) {}

  /** The circuit breaker went from one state to another. */
  default void breakerChanged(BreakerState from, BreakerState to, String reason) {}
}
