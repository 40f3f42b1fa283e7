package dev.leat.internal.engine.schedule;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The five fields of a crontab: minute, hour, day of the month, month, day of the week. Each is a
 * list of numbers, names, ranges and steps, or {@code *}. As in every cron, where both days are
 * restricted one of them is enough.
 *
 * @param text the fields, one space between them
 * @param minutes bit n stands for minute n; the other sets likewise
 * @param eitherDay whether one of both kinds of day is enough
 * @param runOn whether the hour begins with {@code *}
 */
public record CronExpression(
    String text,
    long minutes,
    long hours,
    long daysOfMonth,
    long months,
    long daysOfWeek,
    boolean eitherDay,
    boolean runOn)
    implements LocalTimes {
  /** A 29 February on a certain day of the week may be 40 years away (2096, 2104, …). */
  private static final int YEARS_AHEAD = 41;

  private static final Pattern PART = Pattern.compile("(\\*|(\\w+)(?:-(\\w+))?)(?:/(\\d+))?");
  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  /**
   * What stands in one field.
   *
   * @param lastOfAll the last value that {@code *} stands for
   */
  private record Field(String name, int first, int last, int lastOfAll, List<String> names) {}

  private static final Field MINUTE = new Field("minute", 0, 59, 59, List.of());
  private static final Field HOUR = new Field("hour", 0, 23, 23, List.of());
  private static final Field DAY_OF_MONTH = new Field("day of the month", 1, 31, 31, List.of());
  private static final Field MONTH = new Field("month", 1, 12, 12, MONTHS);

  /** Sunday is 0 and 7. */
  private static final Field DAY_OF_WEEK = new Field("day of the week", 0, 7, 6, DAYS);

  /**
   * Reads an expression.
   *
   * @throws IllegalArgumentException that says what is wrong, and in which field
   */
  public static CronExpression parse(String expression) {
    String[] fields = expression.strip().split("\\s+");
    if (fields.length != 5) {
      throw new IllegalArgumentException(
          "the cron expression '"
              + expression
              + "' has "
              + (expression.isBlank() ? 0 : fields.length)
              + " fields; write five: minute, hour, day of the month, month, day of the week, e.g."
              + " '30 3 * * MON-FRI'");
    }
    long days = set(expression, fields[4], DAY_OF_WEEK);
    // Sunday under its other number.
    days = (days | days >>> 7) & 0x7f;
    CronExpression cron =
        new CronExpression(
            String.join(" ", fields),
            set(expression, fields[0], MINUTE),
            set(expression, fields[1], HOUR),
            set(expression, fields[2], DAY_OF_MONTH),
            set(expression, fields[3], MONTH),
            days,
            !fields[2].startsWith("*") && !fields[4].startsWith("*"),
            fields[1].startsWith("*"));
    if (cron.atOrAfter(LocalDate.EPOCH.atStartOfDay()) == null) {
      throw new IllegalArgumentException(
          "the cron expression '" + expression + "' never comes; correct its day and month");
    }
    return cron;
  }

  private static long set(String expression, String text, Field field) {
    long set = 0;
    for (String part : text.split(",", -1)) {
      Matcher matcher = PART.matcher(part);
      if (!matcher.matches()) {
        throw wrong(expression, field, part, "it is no number, name, range, step or *");
      }
      int first = field.first();
      int last = field.lastOfAll();
      if (matcher.group(2) != null) {
        first = number(expression, part, matcher.group(2), field);
        last = first;
        if (matcher.group(3) != null) {
          last = number(expression, part, matcher.group(3), field);
        }
      }
      int step = 1;
      if (matcher.group(4) != null) {
        if (matcher.group(2) != null && matcher.group(3) == null) {
          throw wrong(
              expression,
              field,
              part,
              "a step needs a range or *, e.g. " + first + "-" + field.last);
        }
        step = matcher.group(4).length() > 2 ? 100 : Integer.parseInt(matcher.group(4));
        if (step == 0) {
          throw wrong(expression, field, part, "a step is at least 1");
        }
      }
      if (last < first) {
        throw wrong(expression, field, part, "the range ends before it begins");
      }
      for (int value = first; value <= last; value += step) {
        set |= 1L << value;
      }
    }
    return set;
  }

  private static int number(String expression, String part, String text, Field field) {
    int named = field.names().indexOf(text.toUpperCase(Locale.ROOT));
    int value;
    if (named >= 0) {
      // Months count from 1, days of the week from 0.
      value = named + field.first();
    } else if (text.matches("\\d{1,2}")) {
      value = Integer.parseInt(text);
    } else {
      throw wrong(
          expression,
          field,
          part,
          "'"
              + text
              + "' is neither a number of "
              + field.first()
              + " to "
              + field.last()
              + (field.names().isEmpty() ? "" : " nor one of " + field.names()));
    }
    if (value < field.first() || value > field.last()) {
      throw wrong(
          expression,
          field,
          part,
          value + " is not one of " + field.first() + " to " + field.last());
    }
    return value;
  }

  private static IllegalArgumentException wrong(
      String expression, Field field, String part, String reason) {
    return new IllegalArgumentException(
        "the cron expression '"
            + expression
            + "' has '"
            + part
            + "' as "
            + field.name()
            + ": "
            + reason);
  }

  @Override
  public @Nullable LocalDateTime atOrAfter(LocalDateTime from) {
    LocalDate date = from.toLocalDate();
    int minute = from.getHour() * 60 + from.getMinute();
    if (from.getSecond() > 0 || from.getNano() > 0) {
      minute++;
    }
    LocalDate end = date.plusYears(YEARS_AHEAD);
    while (date.isBefore(end)) {
      if (!has(months, date.getMonthValue())) {
        date = date.withDayOfMonth(1).plusMonths(1);
        minute = 0;
        continue;
      }
      if (isDay(date)) {
        for (int hour = minute / 60; hour < 24; hour++) {
          if (has(hours, hour)) {
            long left = minutes >>> (hour == minute / 60 ? minute % 60 : 0);
            if (left != 0) {
              int first = hour == minute / 60 ? minute % 60 : 0;
              return date.atTime(hour, first + Long.numberOfTrailingZeros(left));
            }
          }
        }
      }
      date = date.plusDays(1);
      minute = 0;
    }
    return null;
  }

  private boolean isDay(LocalDate date) {
    boolean ofMonth = has(daysOfMonth, date.getDayOfMonth());
    boolean ofWeek = has(daysOfWeek, date.getDayOfWeek().getValue() % 7);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  private static boolean has(long set, int value) {
    return (set >>> value & 1) != 0;
  }

  @Override
  public String toString() {
    return text;
  }
}
