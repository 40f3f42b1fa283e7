package dev.leat.internal.store;

import dev.leat.spi.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Refuses calls to a store that has failed too often, so that callers turn to another one at once
 * instead of waiting for each failure. Thread-safe.
 *
 * <p>Closed, it looks at the outcome of the latest calls and opens when enough of them have failed.
 * Open, it refuses all until its time is over; it has no timer: the next call finds out. Half-open,
 * it lets one call through at a time, closes after enough successes in a row, and opens again, for
 * twice as long, at the first failure.
 */
final class CircuitBreaker {

  /** What a call says about the health of the store. */
  enum Outcome {
    /** The store answered, be it with "not found". */
    ANSWERED,
    /** The store did not do what it should. */
    FAILED,
    /** Neither: it asked to slow down, or the caller gave up. */
    UNKNOWN
  }

  /** The right to make one call, to be given back with its outcome. */
  record Permit(long generation) {}

  private final ResilienceSettings settings;
  private final StoreTime time;
  private final ResilienceListener listener;

  private BreakerState state = BreakerState.CLOSED;

  /** Rises with every change of state, so that a call that began before it no longer counts. */
  private long generation;

  /** The latest outcomes while closed, the newest in the lowest bit, 1 for a failure. */
  private long window;

  private int windowSize;
  private Duration openFor;
  private long openedAt;
  private boolean probing;
  private int probesAnswered;
  private long refused;

  CircuitBreaker(ResilienceSettings settings, StoreTime time, ResilienceListener listener) {
    this.settings = settings;
    this.time = time;
    this.listener = listener;
    this.openFor = settings.breakerOpenFor();
  }

  synchronized BreakerState state() {
    return state;
  }

  synchronized long refused() {
    return refused;
  }

  /** The right to make a call, or null if it is refused. */
  @Nullable Permit tryAcquire() {
    Permit probe;
    synchronized (this) {
      if (state == BreakerState.CLOSED) {
        return new Permit(generation);
      }
      if (state == BreakerState.HALF_OPEN
          ? probing
          : time.nanoTime() - openedAt < openFor.toNanos()) {
        refused++;
        return null;
      }
      probing = true;
      if (state == BreakerState.HALF_OPEN) {
        return new Permit(generation);
      }
      probesAnswered = 0;
      change(BreakerState.HALF_OPEN);
      probe = new Permit(generation);
    }
    listener.breakerChanged(
        BreakerState.OPEN, BreakerState.HALF_OPEN, "trying again after " + openFor);
    return probe;
  }

  /** Gives a permit back. */
  void release(Permit permit, Outcome outcome, @Nullable Throwable failure) {
    BreakerState from;
    BreakerState to;
    String reason;
    synchronized (this) {
      if (permit.generation() != generation) {
        return;
      }
      from = state;
      reason =
          from == BreakerState.CLOSED
              ? outcomeWhileClosed(outcome, failure)
              : outcomeOfProbe(outcome, failure);
      to = state;
    }
    if (from != to) {
      listener.breakerChanged(from, to, reason);
    }
  }

  private String outcomeWhileClosed(Outcome outcome, @Nullable Throwable failure) {
    if (outcome != Outcome.UNKNOWN) {
      long mask =
          settings.breakerWindow() == Long.SIZE ? -1L : (1L << settings.breakerWindow()) - 1;
      window = ((window << 1) | (outcome == Outcome.FAILED ? 1 : 0)) & mask;
      windowSize = Math.min(settings.breakerWindow(), windowSize + 1);
      int failures = Long.bitCount(window);
      if (outcome == Outcome.FAILED && failures >= settings.breakerFailures()) {
        String reason =
            failures
                + " of the latest "
                + windowSize
                + " calls failed, the last one with: "
                + messageOf(failure);
        openFor = settings.breakerOpenFor();
        openedAt = time.nanoTime();
        change(BreakerState.OPEN);
        return reason;
      }
    }
    return "";
  }

  private String outcomeOfProbe(Outcome outcome, @Nullable Throwable failure) {
    probing = false;
    switch (outcome) {
      case ANSWERED -> {
        probesAnswered++;
        if (probesAnswered >= settings.breakerProbes()) {
          change(BreakerState.CLOSED);
          return probesAnswered + " calls in a row were answered";
        }
      }
      case FAILED -> {
        Duration doubled = openFor.multipliedBy(2);
        openFor =
            doubled.compareTo(settings.breakerOpenAtMost()) < 0
                ? doubled
                : settings.breakerOpenAtMost();
        openedAt = time.nanoTime();
        change(BreakerState.OPEN);
        return "the call that tried failed: " + messageOf(failure);
      }
      case UNKNOWN -> {}
    }
    return "";
  }

  private static String messageOf(@Nullable Throwable failure) {
    return failure == null ? "an unknown failure" : String.valueOf(failure.getMessage());
  }

  private void change(BreakerState next) {
    state = next;
    generation++;
    window = 0;
    windowSize = 0;
  }

  /** What a failure says about the store. */
  static Outcome outcomeOf(Throwable failure) {
    if (failure instanceof StoreException store) {
      return switch (store.kind()) {
        case UNAVAILABLE, TIMEOUT, TRUNCATED, OTHER -> Outcome.FAILED;
        case NOT_FOUND, ACCESS_DENIED, CHANGED, ALREADY_EXISTS, FULL -> Outcome.ANSWERED;
        case THROTTLED -> Outcome.UNKNOWN;
      };
    }
    return failure instanceof IOException && !(failure instanceof InterruptedIOException)
        ? Outcome.FAILED
        : Outcome.UNKNOWN;
  }
}
