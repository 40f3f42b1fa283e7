package dev.leat.internal.store;

/** The state of a circuit breaker. */
public enum BreakerState {
  /** Calls go through. */
  CLOSED,
  /** Calls are refused at once, so that callers turn to another store. */
  OPEN,
  /** One call at a time is let through, to try. */
  HALF_OPEN
}
