package dev.leat;

import static java.util.Objects.requireNonNull;

import dev.leat.internal.engine.schedule.LookTimes;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a dimension's source is looked at for a new version. Immutable.
 *
 * <p>Looking costs one listing; a version is built only where the listing differs from the served
 * one's. It happens on a clock, whether or not events come, and never on the record path; the time
 * of the next look is counted from the end of the one before, so that looks which take long do not
 * pile up.
 *
 * <pre>{@code
 * Refresh.every(Duration.ofMinutes(5))
 *     .exceptDuring(BlackOut.beginning("0 22 * * *", berlin).lasting(Duration.ofHours(3)))
 * Refresh.on(Schedule.cron("30 3 * * MON-FRI", berlin)).spreadOver(Duration.ofMinutes(2))
 * }</pre>
 *
 * <p>At start the source is always looked at, since nothing can be joined without a version.
 */
public final class Refresh implements Serializable {
  private static final long serialVersionUID = 2L;
  private static final Duration SHORTEST = Duration.ofMillis(100);

  private final @Nullable Duration interval;
  private final double jitter;
  private final @Nullable Schedule schedule;
  private final Duration spread;
  private final ArrayList<BlackOut> blackOuts;

  private Refresh(
      @Nullable Duration interval,
      double jitter,
      @Nullable Schedule schedule,
      Duration spread,
      List<BlackOut> blackOuts) {
    this.interval = interval;
    this.jitter = jitter;
    this.schedule = schedule;
    this.spread = spread;
    this.blackOuts = new ArrayList<>(blackOuts);
  }

  /** Looks once, at start. */
  public static Refresh never() {
    return new Refresh(null, 0, null, Duration.ZERO, List.of());
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
    return new Refresh(interval, 0.1, null, Duration.ZERO, List.of());
  }

  /**
   * Looks at the moments of a schedule. Those that pass while a look still goes on are left out.
   */
  public static Refresh on(Schedule schedule) {
    return new Refresh(null, 0, requireNonNull(schedule, "schedule"), Duration.ZERO, List.of());
  }

  /** The time from the end of one look to the start of the next, where there is one. */
  public Optional<Duration> interval() {
    return Optional.ofNullable(interval);
  }

  /** The schedule, where there is one. */
  public Optional<Schedule> schedule() {
    return Optional.ofNullable(schedule);
  }

  /** Whether the source is looked at once, at start. */
  public boolean isNever() {
    return interval == null && schedule == null;
  }

  /** By which share of itself the interval is varied at random, from 0 to 1. */
  public double jitter() {
    return jitter;
  }

  /** The longest time at random by which a look is made later. */
  public Duration spread() {
    return spread;
  }

  /** The windows in which the source is left alone. */
  public List<BlackOut> blackOuts() {
    return List.copyOf(blackOuts);
  }

  /**
   * Varies the interval by up to {@code share} of itself; 0 for a strict clock. For a schedule
   * there is {@link #spreadOver}.
   */
  public Refresh withJitter(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("a jitter of " + share + " is not a share; use 0 to 1");
    }
    if (schedule != null && share > 0) {
      throw new IllegalArgumentException(
          "a jitter of "
              + share
              + " is a share of an interval, and the schedule "
              + schedule
              + " has none; use spreadOver(Duration)");
    }
    return new Refresh(interval, share, schedule, spread, blackOuts);
  }

  /**
   * Makes each look later by a time at random, so that jobs with the same schedule, or that wait
   * for the end of the same black-out, do not look all at once.
   *
   * @param atMost the longest such time; zero for none
   */
  public Refresh spreadOver(Duration atMost) {
    requireNonNull(atMost, "atMost");
    if (atMost.isNegative()) {
      throw new IllegalArgumentException(
          "a spread of " + atMost + " is negative; give the longest time to look later");
    }
    return new Refresh(interval, jitter, schedule, atMost, blackOuts);
  }

  /**
   * Leaves the source alone in recurring windows. A look that falls into one is made when it ends;
   * a look that has begun is not ended by it. May be called for several.
   */
  public Refresh exceptDuring(BlackOut blackOut) {
    List<BlackOut> all = new ArrayList<>(blackOuts);
    all.add(requireNonNull(blackOut, "blackOut"));
    Refresh changed = new Refresh(interval, jitter, schedule, spread, all);
    if (!LookTimes.of(changed).everLooks()) {
      throw new IllegalArgumentException(
          "the black-outs " + all + " leave no moment of a year to look; make them shorter");
    }
    return changed;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Refresh that
        && Objects.equals(interval, that.interval)
        && jitter == that.jitter
        && Objects.equals(schedule, that.schedule)
        && spread.equals(that.spread)
        && blackOuts.equals(that.blackOuts);
  }

  @Override
  public int hashCode() {
    return Objects.hash(interval, jitter, schedule, spread, blackOuts);
  }

  @Override
  public String toString() {
    String looks =
        schedule != null ? "on " + schedule : interval == null ? "never" : "every " + interval;
    return looks + (blackOuts.isEmpty() ? "" : " except during " + blackOuts);
  }
}
