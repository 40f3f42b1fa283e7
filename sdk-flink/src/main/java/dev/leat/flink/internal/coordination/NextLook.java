package dev.leat.flink.internal.coordination;

import dev.leat.internal.engine.schedule.LookTimes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the source is looked at next. Times are told in milliseconds that go on evenly, whatever
 * clocks are set to; only a look at a moment of the day goes by the clock.
 */
final class NextLook {
  private final LookTimes times;
  private final DoubleSupplier random;
  private final Clock clock;
  private long due;

  /** What clocks must show; null where it is a time after the last look. */
  private @Nullable Instant moment;

  /**
   * Begins with a look at once.
   *
   * @param random gives numbers from 0 to 1, exclusive, for the jitter
   * @param clock shows the time of the day
   */
  NextLook(LookTimes times, DoubleSupplier random, Clock clock) {
    this.times = times;
    this.random = random;
    this.clock = clock;
  }

  /** The next look is due now. */
  void atOnce(long now) {
    due = now;
    moment = null;
  }

  /** The next look is due at its time after one that ended now. */
  void after(long now) {
    Instant ended = clock.instant();
    Optional<Instant> next = times.next(ended, random.getAsDouble());
    due = next.map(look -> now + Duration.between(ended, look).toMillis()).orElse(Long.MAX_VALUE);
    moment = times.boundToClock() ? next.orElse(null) : null;
  }

  /** Whether it is due; where the clock was set back meanwhile it is put off. */
  boolean isDue(long now) {
    if (now < due) {
      return false;
    }
    if (moment != null) {
      Duration left = Duration.between(clock.instant(), moment);
      if (left.toMillis() > 0) {
        due = now + left.toMillis();
        return false;
      }
    }
    return true;
  }

  /** When to ask {@link #isDue}. */
  long due() {
    return due;
  }
}
