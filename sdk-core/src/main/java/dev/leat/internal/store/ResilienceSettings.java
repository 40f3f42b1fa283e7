package dev.leat.internal.store;

import java.time.Duration;
import java.util.Optional;
import org.immutables.value.Value;

/**
 * How a {@link ResilientStore} treats failures. Build one with {@code
 * ImmutableResilienceSettings.builder()}.
 */
@Value.Immutable
public interface ResilienceSettings {

  /** The defaults. */
  static ResilienceSettings defaults() {
    return ImmutableResilienceSettings.builder().build();
  }

  /** How often a call is made at most, the first time included. */
  @Value.Default
  default int attempts() {
    return 5;
  }

  /**
   * The greatest wait before the second attempt; it doubles with each further one. The wait itself
   * is drawn evenly from zero to it (full jitter), so that callers who failed together do not
   * return together.
   */
  @Value.Default
  default Duration firstBackoff() {
    return Duration.ofMillis(100);
  }

  /** The same for a store that asked to slow down: longer, since every request makes it worse. */
  @Value.Default
  default Duration throttledBackoff() {
    return Duration.ofMillis(500);
  }

  /** The greatest wait ever. */
  @Value.Default
  default Duration longestBackoff() {
    return Duration.ofSeconds(20);
  }

  /** No attempt is begun when this time has passed since the first one began. */
  @Value.Default
  default Duration retryFor() {
    return Duration.ofMinutes(2);
  }

  /** How long one find, open, positioned read or read of a stream may take. */
  @Value.Default
  default Duration callTimeout() {
    return Duration.ofSeconds(30);
  }

  /** How long one list, publish or delete may take, which are many requests. */
  @Value.Default
  default Duration bulkTimeout() {
    return Duration.ofMinutes(10);
  }

  /**
   * How many calls run at the same time; a further one waits, within its deadline. An abandoned
   * call counts until it ends.
   */
  @Value.Default
  default int concurrentCalls() {
    return 32;
  }

  /** The least time between two requests; none where they are sent as they come. */
  Optional<Duration> requestSpacing();

  /** How many bytes of a stream one call fetches. */
  @Value.Default
  default int streamChunkBytes() {
    return 1 << 18;
  }

  /** Over how many latest calls, at most 64, the circuit breaker looks. */
  @Value.Default
  default int breakerWindow() {
    return 20;
  }

  /** How many of them must have failed for the circuit breaker to open. */
  @Value.Default
  default int breakerFailures() {
    return 10;
  }

  /**
   * How long the circuit breaker stays open before one call is let through to try; doubled each
   * time that it fails.
   */
  @Value.Default
  default Duration breakerOpenFor() {
    return Duration.ofSeconds(5);
  }

  /** The longest that the circuit breaker stays open between two tries. */
  @Value.Default
  default Duration breakerOpenAtMost() {
    return Duration.ofMinutes(1);
  }

  /**
   * How many calls in a row must succeed, one at a time, for a half-open circuit breaker to close.
   */
  @Value.Default
  default int breakerProbes() {
    return 2;
  }

  /** Checks the bounds. */
  @Value.Check
  default void check() {
    atLeastOne(attempts(), "attempts");
    atLeastOne(concurrentCalls(), "concurrentCalls");
    atLeastOne(streamChunkBytes(), "streamChunkBytes");
    atLeastOne(breakerProbes(), "breakerProbes");
    atLeastOne(breakerFailures(), "breakerFailures");
    if (breakerWindow() < breakerFailures() || breakerWindow() > Long.SIZE) {
      throw new IllegalArgumentException(
          "a breakerWindow of "
              + breakerWindow()
              + " cannot hold "
              + breakerFailures()
              + " failures; use "
              + breakerFailures()
              + " to "
              + Long.SIZE);
    }
    requestSpacing().ifPresent(spacing -> positive(spacing, "requestSpacing"));
    positive(callTimeout(), "callTimeout");
    positive(bulkTimeout(), "bulkTimeout");
    positive(firstBackoff(), "firstBackoff");
    positive(throttledBackoff(), "throttledBackoff");
    positive(longestBackoff(), "longestBackoff");
    positive(retryFor(), "retryFor");
    positive(breakerOpenFor(), "breakerOpenFor");
    positive(breakerOpenAtMost(), "breakerOpenAtMost");
  }

  private static void atLeastOne(int value, String name) {
    if (value < 1) {
      throw new IllegalArgumentException(name + " is " + value + "; use at least 1");
    }
  }

  private static void positive(Duration value, String name) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + " is " + value + "; use a positive duration");
    }
  }
}
