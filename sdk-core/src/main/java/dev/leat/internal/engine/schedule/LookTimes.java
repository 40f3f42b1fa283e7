package dev.leat.internal.engine.schedule;

import dev.leat.BlackOut;
import dev.leat.Refresh;
import dev.leat.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says when a source is looked at next. A pure function of the refresh, the moment at which the
 * last look ended, and a random number. Immutable.
 */
public final class LookTimes {
  /** Where questions about all times begin; any moment would do. */
  private static final Instant SOME_DAY = Instant.parse("2027-01-01T00:00:00Z");

  /** A year, in which all that recurs comes but for 29 February. */
  private static final Duration A_YEAR = Duration.ofDays(366);

  /** Later than anybody waits for, and early enough to be calculated with. */
  private static final Instant FAR_AWAY = Instant.parse("9999-01-01T00:00:00Z");

  /** Windows that follow each other without a pause, or looks of a year, that are gone through. */
  private static final int MANY = 20_000;

  private final Refresh refresh;
  private final @Nullable Duration interval;
  private final @Nullable Schedule schedule;
  private final List<BlackOut> blackOuts;

  private LookTimes(Refresh refresh) {
    this.refresh = refresh;
    this.interval = refresh.interval().orElse(null);
    this.schedule = refresh.schedule().orElse(null);
    this.blackOuts = refresh.blackOuts();
  }

  /** The looks of a refresh. */
  public static LookTimes of(Refresh refresh) {
    return new LookTimes(refresh);
  }

  /**
   * When to look next, or empty for never.
   *
   * @param ended when the last look ended
   * @param random a number from 0 to 1, exclusive, that no other job has
   */
  public Optional<Instant> next(Instant ended, double random) {
    Instant due;
    if (interval != null) {
      double factor = 1 + refresh.jitter() * (2 * random - 1);
      due = later(ended, Duration.ofMillis((long) (saturatedMillis(interval) * factor)));
    } else if (schedule != null) {
      Optional<Instant> scheduled = schedule.next(ended);
      if (scheduled.isEmpty()) {
        return Optional.empty();
      }
      due = scheduled.get();
    } else {
      return Optional.empty();
    }
    Duration delay = Duration.ofMillis((long) (saturatedMillis(refresh.spread()) * random));
    return Optional.ofNullable(allowed(due)).map(moment -> allowed(later(moment, delay)));
  }

  /**
   * Whether the next look is at a moment that clocks show, so that it moves with a clock that is
   * set; else it is a time after the last one.
   */
  public boolean boundToClock() {
    return schedule != null || !blackOuts.isEmpty();
  }

  /**
   * The longest time between two looks that nothing delays but the spread and the black-outs, the
   * jitter left out; empty for never.
   *
   * <p>Found out by going through a year; where that has too many looks, through the first of them.
   */
  public Optional<Duration> longestPause() {
    if (interval != null) {
      Instant end = SOME_DAY.plus(A_YEAR);
      Instant moment = SOME_DAY;
      Duration window = Duration.ZERO;
      for (int i = 0; i < MANY && moment.isBefore(end) && !blackOuts.isEmpty(); i++) {
        Instant free = allowed(moment);
        if (free == null) {
          break;
        }
        Duration closed = Duration.between(moment, free);
        window = closed.compareTo(window) > 0 ? closed : window;
        moment = nextWindow(free);
      }
      return Optional.of(interval.plus(window).plus(refresh.spread()));
    }
    Optional<Instant> look = next(SOME_DAY, 0);
    Duration longest = Duration.ZERO;
    for (int i = 0; i < MANY && look.isPresent(); i++) {
      Instant before = look.get();
      look = next(before, 0);
      if (look.isPresent()) {
        Duration pause = Duration.between(before, look.get());
        longest = pause.compareTo(longest) > 0 ? pause : longest;
        if (look.get().isAfter(SOME_DAY.plus(A_YEAR))) {
          break;
        }
      }
    }
    return schedule == null ? Optional.empty() : Optional.of(longest.plus(refresh.spread()));
  }

  /** When the next window begins after a moment in none. */
  private Instant nextWindow(Instant free) {
    Instant next = FAR_AWAY;
    for (BlackOut each : blackOuts) {
      Optional<Instant> begin = each.begins().next(free);
      if (begin.isPresent() && begin.get().isBefore(next)) {
        next = begin.get();
      }
    }
    return next;
  }

  /** Whether there is a moment at which the source may be looked at. */
  public boolean everLooks() {
    Instant free = allowed(SOME_DAY);
    return free != null && free.isBefore(SOME_DAY.plus(A_YEAR));
  }

  /** The first moment from {@code moment} on that is in no window; null if none is found. */
  private @Nullable Instant allowed(Instant moment) {
    Instant free = moment;
    for (int i = 0; i < MANY; i++) {
      Instant closed = null;
      for (BlackOut each : blackOuts) {
        closed = each.endAt(free).orElse(closed);
      }
      if (closed == null) {
        return free;
      }
      free = closed;
    }
    return null;
  }

  private static Instant later(Instant moment, Duration by) {
    return Duration.between(moment, FAR_AWAY).compareTo(by) <= 0 ? FAR_AWAY : moment.plus(by);
  }

  private static long saturatedMillis(Duration duration) {
    return duration.compareTo(Duration.ofMillis(Long.MAX_VALUE)) > 0
        ? Long.MAX_VALUE
        : duration.toMillis();
  }
}
