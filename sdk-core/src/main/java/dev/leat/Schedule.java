package dev.leat;

import static java.util.Objects.requireNonNull;

import dev.leat.internal.engine.schedule.CronExpression;
import dev.leat.internal.engine.schedule.DailyTime;
import dev.leat.internal.engine.schedule.LocalTimes;
import dev.leat.internal.engine.schedule.ZonedTimes;
import java.io.Serializable;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Recurring moments in a time zone. Immutable.
 *
 * <p>Where the clocks of the zone are put forward, a time that they skip comes at the moment of the
 * change; where they are put back, a time that they show twice comes the first time only. A cron
 * expression whose hour begins with {@code *} follows the real time instead, so that <code>
 * *&#47;15 * * * *</code> comes every 15 minutes on such a day as well.
 */
public final class Schedule implements Serializable {
  private static final long serialVersionUID = 1L;

  /** A value class of the project. */
  @SuppressWarnings("serial")
  private final LocalTimes times;

  private final ZoneId zone;

  private Schedule(LocalTimes times, ZoneId zone) {
    this.times = times;
    this.zone = zone;
  }

  /**
   * The moments of a cron expression.
   *
   * @param expression five fields: minute (0–59), hour (0–23), day of the month (1–31), month (1–12
   *     or JAN–DEC), day of the week (0–7 or SUN–SAT, Sunday is 0 and 7). Each is {@code *}, or a
   *     list of values and ranges such as {@code MON-FRI} or {@code 1,15}; ranges and {@code *} may
   *     have a step, such as <code>*&#47;10</code>. Where both days are restricted, one is enough
   * @param zone the time zone of the hours
   */
  public static Schedule cron(String expression, ZoneId zone) {
    requireNonNull(expression, "expression");
    requireNonNull(zone, "zone");
    return new Schedule(CronExpression.parse(expression), zone);
  }

  /** Once a day. */
  public static Schedule daily(LocalTime time, ZoneId zone) {
    return everyDays(1, time, zone);
  }

  /**
   * Once every few days, counted from 1970-01-01, so that it is the same days everywhere and after
   * each restart.
   *
   * @param days at least 1
   */
  public static Schedule everyDays(int days, LocalTime time, ZoneId zone) {
    requireNonNull(time, "time");
    requireNonNull(zone, "zone");
    if (days < 1) {
      throw new IllegalArgumentException("a schedule of every " + days + " days; use 1 or more");
    }
    return new Schedule(new DailyTime(time, days), zone);
  }

  /** The first moment after another, or empty if none comes any more. */
  public Optional<Instant> next(Instant after) {
    return ZonedTimes.after(times, zone, requireNonNull(after, "after"));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Schedule that && times.equals(that.times) && zone.equals(that.zone);
  }

  @Override
  public int hashCode() {
    return times.hashCode() * 31 + zone.hashCode();
  }

  @Override
  public String toString() {
    return times + " (" + zone + ")";
  }
}
