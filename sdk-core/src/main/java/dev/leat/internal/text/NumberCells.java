package dev.leat.internal.text;

import java.nio.charset.StandardCharsets;

/**
 * Numbers and booleans as Hive's {@code LazyLong}, {@code LazyDouble}, {@code LazyBoolean} … read
 * them. One per thread: an answer that does not fit a return value is left in a field.
 */
final class NumberCells {
  /**
   * A double holds whole numbers up to here exactly, so that one multiplication or division by an
   * exact power of ten rounds once: correctly (W. D. Clinger, 1990).
   */
  private static final long EXACT_DOUBLE = 1L << 53;

  private static final long EXACT_FLOAT = 1L << 24;

  private static final double[] DOUBLE_POWERS = {
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22
  };
  private static final float[] FLOAT_POWERS = {
    1e0f, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f, 1e8f, 1e9f, 1e10f
  };

  /** More digits do not fit a long. */
  private static final int MAX_PLAIN_DIGITS = 18;

  private long wholeValue;
  private double realValue;

  private boolean negative;
  private long digits;
  private int pointShift;

  /** The number that was parsed last by {@link #parseWhole}. */
  long wholeValue() {
    return wholeValue;
  }

  /** The number that was parsed last by {@link #parseFloat} or {@link #parseDouble}. */
  double realValue() {
    return realValue;
  }

  /**
   * Parses an integer: a sign or none, digits, and perhaps a point and more digits, which are cut
   * off. No blanks, no exponent.
   */
  boolean parseWhole(byte[] bytes, int start, int end, long lowest, long highest) {
    int i = start;
    byte first = bytes[i];
    boolean minus = first == '-';
    if (minus || first == '+') {
      i++;
    }
    int afterSign = i;
    // Built downwards, since there is one more negative number than there are positive ones.
    long value = 0;
    while (i < end) {
      int digit = bytes[i] - '0';
      if (digit < 0 || digit > 9) {
        break;
      }
      if (value < Long.MIN_VALUE / 10 || value * 10 < Long.MIN_VALUE + digit) {
        return false;
      }
      value = value * 10 - digit;
      i++;
    }
    int digitCount = i - afterSign;
    if (i < end) {
      if (bytes[i++] != '.') {
        return false;
      }
      for (; i < end; i++, digitCount++) {
        if (!isDigit(bytes[i])) {
          return false;
        }
      }
    }
    if (digitCount == 0 || (!minus && value == Long.MIN_VALUE)) {
      return false;
    }
    wholeValue = minus ? value : -value;
    return wholeValue >= lowest && wholeValue <= highest;
  }

  /**
   * Parses what {@link Double#parseDouble} parses, apart from what Hive takes for no number at
   * first sight.
   */
  boolean parseDouble(byte[] bytes, int start, int end) {
    if (!looksLikeNumber(bytes, start, end)) {
      return false;
    }
    if (parsePlain(bytes, start, end) && digits <= EXACT_DOUBLE) {
      double value = digits;
      if (pointShift <= 22 && pointShift >= -22) {
        value =
            pointShift < 0 ? value / DOUBLE_POWERS[-pointShift] : value * DOUBLE_POWERS[pointShift];
        realValue = negative ? -value : value;
        return true;
      }
    }
    try {
      realValue = Double.parseDouble(ascii(bytes, start, end));
      return true;
    } catch (NumberFormatException e) {
      return false; // the caller counts the cell
    }
  }

  /**
   * Parses what {@link Float#parseFloat} parses, apart from what Hive takes for no number at first
   * sight.
   */
  boolean parseFloat(byte[] bytes, int start, int end) {
    if (!looksLikeNumber(bytes, start, end)) {
      return false;
    }
    if (parsePlain(bytes, start, end) && digits <= EXACT_FLOAT) {
      float value = digits;
      if (pointShift <= 10 && pointShift >= -10) {
        value =
            pointShift < 0 ? value / FLOAT_POWERS[-pointShift] : value * FLOAT_POWERS[pointShift];
        realValue = negative ? -value : value;
        return true;
      }
    }
    try {
      realValue = Float.parseFloat(ascii(bytes, start, end));
      return true;
    } catch (NumberFormatException e) {
      return false; // the caller counts the cell
    }
  }

  /**
   * Hive's first look at a real number, with a second one that spares the JDK's parser an exception
   * for plain words.
   */
  private static boolean looksLikeNumber(byte[] bytes, int start, int end) {
    switch (end - start) {
      case 1 -> {
        return isDigit(bytes[start]);
      }
      case 2 -> {
        return isDigit(bytes[start]) || isDigit(bytes[start + 1]);
      }
      case 4 -> {
        if (bytes[start] == 'N' || bytes[start] == 'n') {
          return false;
        }
      }
      default -> {}
    }
    int i = start;
    while (i < end && bytes[i] >= 0 && bytes[i] <= ' ') {
      i++;
    }
    if (i == end) {
      return false;
    }
    byte first = bytes[i];
    return isDigit(first)
        || first == '-'
        || first == '+'
        || first == '.'
        || first == 'N'
        || first == 'I';
  }

  /**
   * Parses {@code digits × 10^pointShift} where that is all there is: at most 18 digits, a point,
   * an exponent. False says only that it is not of this form.
   */
  private boolean parsePlain(byte[] bytes, int start, int end) {
    int i = start;
    negative = bytes[i] == '-';
    if (negative || bytes[i] == '+') {
      i++;
    }
    long value = 0;
    int count = 0;
    int fraction = -1;
    for (; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        count++;
        if (fraction >= 0) {
          fraction++;
        }
      } else if (bytes[i] == '.' && fraction < 0) {
        fraction = 0;
      } else {
        break;
      }
      if (count > MAX_PLAIN_DIGITS) {
        return false;
      }
    }
    if (count == 0) {
      return false;
    }
    int shift = fraction > 0 ? -fraction : 0;
    if (i < end) {
      if (bytes[i] != 'e' && bytes[i] != 'E') {
        return false;
      }
      i++;
      boolean down = i < end && bytes[i] == '-';
      if (down || (i < end && bytes[i] == '+')) {
        i++;
      }
      // Beyond three digits the JDK decides whether it is infinity or zero.
      if (i == end || end - i > 3) {
        return false;
      }
      int exponent = 0;
      for (; i < end; i++) {
        if (!isDigit(bytes[i])) {
          return false;
        }
        exponent = exponent * 10 + bytes[i] - '0';
      }
      shift += down ? -exponent : exponent;
    }
    digits = value;
    pointShift = shift;
    return true;
  }

  /** A boolean: 1 for true, 0 for false, in any case; -1 for anything else. */
  static int parseBoolean(byte[] bytes, int start, int end) {
    if (end - start == 4) {
      return isWord(bytes, start, "true") ? 1 : -1;
    }
    return end - start == 5 && isWord(bytes, start, "false") ? 0 : -1;
  }

  private static boolean isWord(byte[] bytes, int start, String lowerCase) {
    for (int i = 0; i < lowerCase.length(); i++) {
      if ((bytes[start + i] | 0x20) != lowerCase.charAt(i)) {
        return false;
      }
    }
    return true;
  }

  static boolean isDigit(byte b) {
    return b >= '0' && b <= '9';
  }

  private static String ascii(byte[] bytes, int start, int end) {
    return new String(bytes, start, end - start, StandardCharsets.ISO_8859_1);
  }
}
