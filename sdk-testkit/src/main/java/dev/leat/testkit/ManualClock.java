package dev.leat.testkit;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.concurrent.ScheduledExecutorService;

/**
 * A clock that stands still until the test moves it, and a scheduler that runs what has become due
 * while it is moved. Thread-safe.
 *
 * <pre>{@code
 * ManualClock clock = ManualClock.at(Instant.parse("2026-01-01T00:00:00Z"));
 * clock.scheduler().schedule(refresh, 5, TimeUnit.MINUTES);
 * clock.advance(Duration.ofMinutes(5));   // runs refresh, on this thread
 * }</pre>
 */
public final class ManualClock extends Clock {
  private final ManualScheduler scheduler;
  private final ZoneId zone;

  private ManualClock(ManualScheduler scheduler, ZoneId zone) {
    this.scheduler = scheduler;
    this.zone = zone;
  }

  /** A clock that stands at {@code start}, in UTC. */
  public static ManualClock at(Instant start) {
    return new ManualClock(new ManualScheduler(requireNonNull(start, "start")), ZoneOffset.UTC);
  }

  /** A clock that stands at 1970-01-01T00:00:00Z. */
  public static ManualClock atEpoch() {
    return at(Instant.EPOCH);
  }

  /**
   * Moves the clock forward. What the scheduler has for the time in between runs on this thread, in
   * the order in which it becomes due, and sees the clock at that moment.
   *
   * @param by not negative; {@link Duration#ZERO} runs what is due now
   */
  public void advance(Duration by) {
    requireNonNull(by, "by");
    if (by.isNegative()) {
      throw new IllegalArgumentException(
          "a clock cannot be advanced by " + by + "; use setBack to test a clock that jumps back");
    }
    scheduler.advance(by);
  }

  /**
   * Sets the clock back, as a correction of the host's clock may do. The scheduler does not notice:
   * like that of the JDK it counts time and does not read clocks.
   */
  public void setBack(Duration by) {
    requireNonNull(by, "by");
    if (by.isNegative()) {
      throw new IllegalArgumentException("a clock cannot be set back by " + by + "; use advance");
    }
    scheduler.setBack(by);
  }

  /**
   * The scheduler that belongs to this clock. It runs nothing by itself, not even what is submitted
   * for at once: only {@link #advance} does.
   */
  public ScheduledExecutorService scheduler() {
    return scheduler;
  }

  /** How many tasks wait for their time. */
  public int waitingTasks() {
    return scheduler.waitingTasks();
  }

  @Override
  public Instant instant() {
    return scheduler.now();
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  /** The same clock, shown in another zone. */
  @Override
  public ManualClock withZone(ZoneId newZone) {
    return new ManualClock(scheduler, requireNonNull(newZone, "newZone"));
  }

  @Override
  public String toString() {
    return "ManualClock[" + instant() + "]";
  }
}
