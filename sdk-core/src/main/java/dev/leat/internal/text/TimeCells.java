package dev.leat.internal.text;

/**
 * Dates and timestamps as Hive's {@code Date.valueOf} and {@code Timestamp.valueOf} read them. One
 * per thread: the answer is left in fields.
 */
final class TimeCells {
  /** Hive takes anything shorter for no date at first sight. */
  private static final int SHORTEST = 8;

  private static final long SECONDS_PER_DAY = 86_400;
  private static final int MAX_YEAR = 999_999_999;

  private byte[] bytes = new byte[0];
  private int position;
  private int end;
  private int number;

  private long epochDay;
  private long epochSecond;
  private int nano;

  /** The date that was parsed last, as days since 1970-01-01. */
  long epochDay() {
    return epochDay;
  }

  /** The seconds since 1970-01-01T00:00:00 of the timestamp that was parsed last. */
  long epochSecond() {
    return epochSecond;
  }

  /** The nanoseconds of the timestamp that was parsed last. */
  int nano() {
    return nano;
  }

  /**
   * Parses {@code y-M-d} with one to four digits for the year and one or two for the others; what
   * follows, if it is no digit, does not matter.
   */
  boolean parseDate(byte[] cell, int start, int cellEnd) {
    if (cellEnd - start < SHORTEST) {
      return false;
    }
    trim(cell, start, cellEnd);
    return date(1, 4) && (position == end || !NumberCells.isDigit(bytes[position]));
  }

  /** Parses {@code y-M-d H:m:s[.fraction]}, or the form of ISO 8601 with a T. */
  boolean parseTimestamp(byte[] cell, int start, int cellEnd) {
    if (cellEnd - start < SHORTEST) {
      return false;
    }
    trim(cell, start, cellEnd);
    int first = position;
    if (date(1, 10) && literal(' ') && time(1)) {
      return true;
    }
    position = first;
    return isoYearFollows() && date(1, 10) && isoTimeFollows() && time(2);
  }

  /**
   * ISO 8601 wants four digits for a year, two for a month and a day, and a plus sign for a year of
   * more.
   */
  private boolean isoYearFollows() {
    int i = position;
    boolean plus = i < end && bytes[i] == '+';
    boolean minus = i < end && bytes[i] == '-';
    if (plus || minus) {
      i++;
    }
    int firstDigit = i;
    while (i < end && NumberCells.isDigit(bytes[i])) {
      i++;
    }
    int digits = i - firstDigit;
    if (digits < 4 || (plus && digits == 4) || (!plus && !minus && digits > 4)) {
      return false;
    }
    if (plus) {
      position = firstDigit;
    }
    return end - i >= 6
        && bytes[i + 3] == '-'
        && NumberCells.isDigit(bytes[i + 2])
        && NumberCells.isDigit(bytes[i + 5]);
  }

  private boolean isoTimeFollows() {
    if (position == end || (bytes[position] | 0x20) != 't') {
      return false;
    }
    position++;
    return true;
  }

  private void trim(byte[] cell, int start, int cellEnd) {
    int from = start;
    int to = cellEnd;
    while (from < to && cell[from] >= 0 && cell[from] <= ' ') {
      from++;
    }
    while (to > from && cell[to - 1] >= 0 && cell[to - 1] <= ' ') {
      to--;
    }
    bytes = cell;
    position = from;
    end = to;
  }

  private boolean date(int minYearDigits, int maxYearDigits) {
    boolean negative = position < end && bytes[position] == '-';
    if (negative) {
      position++;
    }
    if (!number(minYearDigits, maxYearDigits) || (negative && number == 0) || number > MAX_YEAR) {
      return false;
    }
    int year = negative ? -number : number;
    if (!literal('-') || !number(1, 2)) {
      return false;
    }
    int month = number;
    if (!literal('-') || !number(1, 2)) {
      return false;
    }
    int day = number;
    if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month)) {
      return false;
    }
    epochDay = epochDay(year, month, day);
    return true;
  }

  /**
   * The time of day, to the end. The form of ISO 8601 ({@code minDigits} 2) may lack the seconds,
   * and the digits after the point.
   */
  private boolean time(int minDigits) {
    if (!number(minDigits, 2) || number > 23) {
      return false;
    }
    int seconds = number * 3600;
    if (!literal(':') || !number(minDigits, 2) || number > 59) {
      return false;
    }
    seconds += number * 60;
    int fraction = 0;
    boolean iso = minDigits == 2;
    if (position < end || !iso) {
      if (!literal(':') || !number(minDigits, 2) || number > 59) {
        return false;
      }
      seconds += number;
      if (literal('.')) {
        int digits = Math.min(9, end - position);
        if (digits == 0 && !iso) {
          return false;
        }
        if (digits > 0 && !number(digits, digits)) {
          return false;
        }
        fraction = digits == 0 ? 0 : number;
        for (int i = digits; i < 9; i++) {
          fraction *= 10;
        }
      }
    }
    epochSecond = epochDay * SECONDS_PER_DAY + seconds;
    nano = fraction;
    return position == end;
  }

  private boolean literal(char expected) {
    if (position < end && bytes[position] == expected) {
      position++;
      return true;
    }
    return false;
  }

  /** As many digits as there are, up to the highest count. */
  private boolean number(int minDigits, int maxDigits) {
    long value = 0;
    int first = position;
    int last = Math.min(end, position + maxDigits);
    while (position < last && NumberCells.isDigit(bytes[position])) {
      value = value * 10 + bytes[position++] - '0';
    }
    number = (int) Math.min(value, Integer.MAX_VALUE);
    return position - first >= minDigits;
  }

  private static int daysOf(int year, int month) {
    return switch (month) {
      case 2 -> isLeap(year) ? 29 : 28;
      case 4, 6, 9, 11 -> 30;
      default -> 31;
    };
  }

  private static boolean isLeap(int year) {
    return (year & 3) == 0 && (year % 100 != 0 || year % 400 == 0);
  }

  /**
   * Days since 1970-01-01 in the proleptic Gregorian calendar. Years are counted from March, so
   * that the leap day comes last (H. Hinnant, "chrono-Compatible Low-Level Date Algorithms").
   */
  private static long epochDay(int year, int month, int day) {
    long marchYear = month <= 2 ? year - 1L : year;
    long era = Math.floorDiv(marchYear, 400L);
    long yearOfEra = marchYear - era * 400;
    long dayOfYear = (153L * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;
    long dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear;
    return era * 146_097 + dayOfEra - 719_468;
  }
}
