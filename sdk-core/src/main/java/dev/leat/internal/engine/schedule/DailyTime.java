package dev.leat.internal.engine.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;

/**
 * One time of the day, on every day or on every n-th day since 1970-01-01, which is the same days
 * for all hosts and after a restart.
 */
public record DailyTime(LocalTime time, int days) implements LocalTimes {

  @Override
  public LocalDateTime atOrAfter(LocalDateTime from) {
    LocalDate first = from.toLocalDate();
    if (from.toLocalTime().isAfter(time)) {
      first = first.plusDays(1);
    }
    long past = Math.floorMod(first.toEpochDay(), (long) days);
    return first.plusDays(past == 0 ? 0 : days - past).atTime(time);
  }

  @Override
  public boolean runOn() {
    return false;
  }

  @Override
  public String toString() {
    return days == 1 ? "every day at " + time : "every " + days + " days at " + time;
  }
}
