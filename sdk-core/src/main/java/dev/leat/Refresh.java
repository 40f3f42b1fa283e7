package dev.leat;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a dimension's source is looked at for a new version. Immutable.
 *
 * <p>Looking costs one listing; a version is built only where the listing differs from the served
 * one's. It never happens on the record path.
 */
public final class Refresh implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private final @Nullable Duration interval;
  private final double jitter;

  private Refresh(@Nullable Duration interval, double jitter) {
    this.interval = interval;
    this.jitter = jitter;
  }

  /** Looks once, at start. */
  public static Refresh never() {
    return new Refresh(null, 0);
  }

  /**
   * Looks again and again.
   *
   * @param interval from the end of one look to the start of the next, at least 100 ms; varied by
   *     up to 10 % so that hosts do not look all at once
   */
  public static Refresh every(Duration interval) {
    requireNonNull(interval, "interval");
    if (interval.compareTo(SHORTEST) < 0) {
      throw new IllegalArgumentException(
          "an interval of "
              + interval
              + " is too short; use "
              + SHORTEST
              + " or more, or Refresh.never()");
    }
    return new Refresh(interval, 0.1);
  }

  /** The time from the end of one look to the start of the next, or empty for never. */
  public Optional<Duration> interval() {
    return Optional.ofNullable(interval);
  }

  /** By which share of itself the interval is varied at random, from 0 to 1. */
  public double jitter() {
    return jitter;
  }

  /** Varies the interval by up to {@code share} of itself; 0 for a strict clock. */
  public Refresh withJitter(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a jitter of " + share + " is not a share; use 0 to 1");
    }
    return new Refresh(interval, share);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Refresh that
        && Objects.equals(interval, that.interval)
        && jitter == that.jitter;
  }

  @Override
  public int hashCode() {
    return Objects.hash(interval, jitter);
  }

  @Override
  public String toString() {
    return interval == null ? "never" : "every " + interval;
  }
}
