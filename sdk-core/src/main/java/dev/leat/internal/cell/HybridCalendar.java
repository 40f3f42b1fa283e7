package dev.leat.internal.cell;

import java.time.LocalDate;

/**
 * The calendar of {@code java.util.GregorianCalendar}, in which days before 1582-10-15 are those of
 * the Julian calendar. Hive before 4.0 and Spark before 3.0 count days in it.
 */
public final class HybridCalendar {
  /** The first day of the Gregorian calendar, 1582-10-15. */
  private static final long FIRST_GREGORIAN_DAY = -141_427;

  /** The Julian day of 1970-01-01. */
  private static final int EPOCH_JULIAN_DAY = 2_440_588;

  private HybridCalendar() {}

  /**
   * The date that a day is called by in this calendar, as one of ISO's calendar of the same year,
   * month and day; where that has no such day (a 29 February), the day after the 28th. By E. G.
   * Richards, "Mapping Time", 1998.
   *
   * @param epochDay the days since 1970-01-01
   */
  public static LocalDate date(long epochDay) {
    if (epochDay >= FIRST_GREGORIAN_DAY) {
      return LocalDate.ofEpochDay(epochDay);
    }
    long shifted = epochDay + EPOCH_JULIAN_DAY + 1401;
    long inCycle = 4 * shifted + 3;
    long dayOfYear = 5 * (Math.floorMod(inCycle, 1461L) / 4) + 2;
    int day = (int) (dayOfYear % 153 / 5 + 1);
    int month = (int) ((dayOfYear / 153 + 2) % 12 + 1);
    int year = (int) (Math.floorDiv(inCycle, 1461L) - 4716 + (14 - month) / 12);
    return LocalDate.of(year, month, 1).plusDays(day - 1L);
  }
}
