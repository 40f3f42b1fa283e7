package dev.leat.internal.engine;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Waits for time to pass on a clock, or for something to happen. Thread-safe.
 *
 * <p>Time on the system's clock is measured by {@link System#nanoTime}, so that a clock that is set
 * does not stall a wait; but for a moment that is bound to the clock. Any other clock may jump at
 * any moment without telling, and is looked at every few milliseconds, and when it is set back what
 * remains of a wait stays what it was; a {@link PacedClock} waits by itself.
 */
final class Waiting {
  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

  /** How long it takes at most to see that the system's clock was set. */
  private static final long SYSTEM_LOOK_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final Clock clock;
  private final boolean systemClock;
  private final @Nullable PacedClock paced;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  Waiting(Clock clock) {
    this.clock = clock;
    this.systemClock = clock.equals(Clock.system(clock.getZone()));
    this.paced = clock instanceof PacedClock pacedClock ? pacedClock : null;
  }

  /** Lets all waits look again at what they wait for. */
  void wake() {
    if (paced != null) {
      paced.wake();
      return;
    }
    lock.lock();
    try {
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * A moment to wait for.
   *
   * @param made when it was made, by the clock
   * @param byClock whether it comes when the clock shows it, however the clock is set meanwhile
   */
  record Moment(Instant made, Instant instant, long nanoTime, boolean byClock) {

    /** The same moment when the clock was set back. */
    Moment setBack(Duration by) {
      return byClock ? this : new Moment(made, instant.minus(by), nanoTime, false);
    }
  }

  /** The moment after a duration from now. */
  Moment in(Duration duration) {
    Instant now = clock.instant();
    return new Moment(now, now.plus(duration), System.nanoTime() + saturatedNanos(duration), false);
  }

  /** The moment at which the clock shows an instant. */
  Moment at(Instant instant) {
    return new Moment(clock.instant(), instant, 0, true);
  }

  /**
   * Waits until {@code happened} is true or a moment has come.
   *
   * @return whether it happened
   */
  boolean awaitUntil(Moment moment, BooleanSupplier happened) throws InterruptedException {
    if (paced != null) {
      return paced.awaitUntil(moment.instant(), happened);
    }
    lock.lockInterruptibly();
    try {
      Moment due = moment;
      Instant before = moment.made();
      while (!happened.getAsBoolean()) {
        Instant now = clock.instant();
        if (now.isBefore(before)) {
          due = due.setBack(Duration.between(now, before));
        }
        before = now;
        long remaining = remainingNanos(due, now);
        if (remaining <= 0) {
          return false;
        }
        changed.awaitNanos(remaining);
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private long remainingNanos(Moment moment, Instant now) {
    if (moment.byClock()) {
      Duration left = Duration.between(now, moment.instant());
      long look = systemClock ? SYSTEM_LOOK_NANOS : LOOK_NANOS;
      return left.compareTo(Duration.ofNanos(look)) < 0 ? left.toNanos() : look;
    }
    if (systemClock) {
      return moment.nanoTime() - System.nanoTime();
    }
    return now.isBefore(moment.instant()) ? LOOK_NANOS : 0;
  }

  /** Waits until {@code happened} is true. */
  void await(BooleanSupplier happened) throws InterruptedException {
    if (paced != null) {
      paced.awaitUntil(Instant.MAX, happened);
      return;
    }
    lock.lockInterruptibly();
    try {
      while (!happened.getAsBoolean()) {
        changed.await();
      }
    } finally {
      lock.unlock();
    }
  }

  private static long saturatedNanos(Duration duration) {
    return duration.compareTo(Duration.ofDays(36_500)) > 0
        ? Long.MAX_VALUE / 4
        : duration.toNanos();
  }
}
