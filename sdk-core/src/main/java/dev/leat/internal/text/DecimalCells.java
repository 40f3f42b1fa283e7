package dev.leat.internal.text;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import org.jspecify.annotations.Nullable;

/**
 * Decimals as Hive's {@code HiveDecimal} reads them: at most 38 digits, rounded half up to the
 * scale of the column; too many digits before the point are no number. One per thread: the answer
 * is left in a scratch array.
 */
final class DecimalCells {
  private static final int MAX_PRECISION = 38;
  private static final int MAX_LONG_DIGITS = 18;
  private static final long[] POWERS = new long[MAX_LONG_DIGITS + 1];

  static {
    POWERS[0] = 1;
    for (int i = 1; i < POWERS.length; i++) {
      POWERS[i] = POWERS[i - 1] * 10;
    }
  }

  private byte[] unscaled = new byte[Long.BYTES];
  private int unscaledStart;

  /** The array that holds the unscaled value of the last decimal. */
  byte[] unscaled() {
    return unscaled;
  }

  /** Where it begins in {@link #unscaled()}; it ends with the array. */
  int unscaledStart() {
    return unscaledStart;
  }

  boolean parse(byte[] bytes, int start, int end, int precision, int scale) {
    int i = start;
    boolean negative = bytes[i] == '-';
    if (negative || bytes[i] == '+') {
      i++;
    }
    int firstDigit = i;
    long value = 0;
    int fraction = -1;
    for (; i < end; i++) {
      int digit = bytes[i] - '0';
      if (digit >= 0 && digit <= 9) {
        value = value * 10 + digit;
        if (fraction >= 0) {
          fraction++;
        }
      } else if (bytes[i] == '.' && fraction < 0) {
        fraction = 0;
      } else {
        return parseLong(bytes, start, end, precision, scale);
      }
    }
    int fractionDigits = Math.max(0, fraction);
    int digits = i - firstDigit - (fraction >= 0 ? 1 : 0);
    int raise = scale - fractionDigits;
    if (digits == 0
        || digits > MAX_LONG_DIGITS
        || digits + raise > MAX_LONG_DIGITS
        || -raise > MAX_LONG_DIGITS) {
      return parseLong(bytes, start, end, precision, scale);
    }
    if (raise >= 0) {
      value *= POWERS[raise];
    } else {
      long unit = POWERS[-raise];
      long rest = value % unit;
      value = value / unit + (rest >= unit - rest ? 1 : 0);
    }
    if (precision <= MAX_LONG_DIGITS && value >= POWERS[precision]) {
      return false;
    }
    put(negative ? -value : value);
    return true;
  }

  private void put(long value) {
    byte[] target = unscaled.length == Long.BYTES ? unscaled : new byte[Long.BYTES];
    for (int i = Long.BYTES - 1, shift = 0; i >= 0; i--, shift += Byte.SIZE) {
      target[i] = (byte) (value >> shift);
    }
    int start = 0;
    // BigInteger's form has no byte that only repeats the sign.
    while (start < Long.BYTES - 1 && target[start] == (target[start + 1] >> 7)) {
      start++;
    }
    unscaled = target;
    unscaledStart = start;
  }

  /** The general form: blanks around, an exponent, any number of digits. */
  private boolean parseLong(byte[] bytes, int start, int end, int precision, int scale) {
    BigDecimal value = parseAny(bytes, start, end);
    if (value == null) {
      return false;
    }
    // Hive looks at the digits before the point first, then rounds, then looks again.
    if (integerDigits(value) > precision - scale) {
      return false;
    }
    BigDecimal rounded = value.setScale(scale, RoundingMode.HALF_UP);
    if (rounded.precision() > precision && rounded.signum() != 0) {
      return false;
    }
    BigInteger big = rounded.unscaledValue();
    unscaled = big.toByteArray();
    unscaledStart = 0;
    return true;
  }

  private static int integerDigits(BigDecimal value) {
    return value.signum() == 0 ? 0 : Math.max(0, value.precision() - value.scale());
  }

  /**
   * The number before it meets its column: blanks around it, digits, a point, an exponent of at
   * most two digits; kept to 38 digits. Null where it is none.
   */
  private static @Nullable BigDecimal parseAny(byte[] bytes, int start, int end) {
    int i = skipBlanks(bytes, start, end);
    boolean negative = i < end && bytes[i] == '-';
    if (negative || (i < end && bytes[i] == '+')) {
      i++;
    }
    StringBuilder digits = new StringBuilder(MAX_PRECISION);
    boolean anyDigit = false;
    for (; i < end && NumberCells.isDigit(bytes[i]); i++) {
      anyDigit = true;
      if (digits.length() > 0 || bytes[i] != '0') {
        if (digits.length() == MAX_PRECISION) {
          return null;
        }
        digits.append((char) bytes[i]);
      }
    }
    int integerDigits = digits.length();
    boolean roundUp = false;
    if (i < end && bytes[i] == '.') {
      int firstOfFraction = ++i;
      for (; i < end && NumberCells.isDigit(bytes[i]); i++) {
        if (digits.length() < MAX_PRECISION) {
          digits.append((char) bytes[i]);
        } else if (i - firstOfFraction == MAX_PRECISION - integerDigits) {
          roundUp = bytes[i] >= '5';
        }
      }
      anyDigit |= i > firstOfFraction;
    }
    if (!anyDigit) {
      return null;
    }
    int exponent = 0;
    if (i < end && (bytes[i] == 'e' || bytes[i] == 'E')) {
      i++;
      boolean down = i < end && bytes[i] == '-';
      if (down || (i < end && bytes[i] == '+')) {
        i++;
      }
      // Hive takes blanks for an exponent of zero, but not the end.
      if (i == end) {
        return null;
      }
      for (; i < end && NumberCells.isDigit(bytes[i]); i++) {
        if (exponent >= 10) {
          return null;
        }
        exponent = exponent * 10 + bytes[i] - '0';
      }
      exponent = down ? -exponent : exponent;
    }
    if (skipBlanks(bytes, i, end) < end) {
      return null;
    }
    BigInteger unscaled =
        digits.length() == 0 ? BigInteger.ZERO : new BigInteger(digits.toString());
    BigDecimal magnitude =
        new BigDecimal(
            roundUp ? unscaled.add(BigInteger.ONE) : unscaled, digits.length() - integerDigits);
    // Hive does not scale what has no digit but zeros, even where rounding has given it one.
    BigDecimal scaled = scaled(stripped(magnitude), unscaled.signum() == 0 ? 0 : exponent);
    return integerDigits(scaled) > MAX_PRECISION ? null : negative ? scaled.negate() : scaled;
  }

  private static BigDecimal scaled(BigDecimal magnitude, int exponent) {
    int lost = magnitude.scale() - exponent - MAX_PRECISION;
    if (lost <= 0) {
      return stripped(magnitude.scaleByPowerOfTen(exponent));
    }
    return lost < MAX_PRECISION
        ? magnitude.scaleByPowerOfTen(exponent).setScale(MAX_PRECISION, RoundingMode.HALF_UP)
        : BigDecimal.ZERO;
  }

  /** Without zeros at the end of the fraction. */
  private static BigDecimal stripped(BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    return stripped.scale() < 0 ? stripped.setScale(0) : stripped;
  }

  /** What Hive takes for a blank around a decimal: not every character that Java's trim takes. */
  private static int skipBlanks(byte[] bytes, int start, int end) {
    int i = start;
    while (i < end
        && (bytes[i] == ' ' || bytes[i] == '\t' || bytes[i] == 0x0B || bytes[i] == '\f')) {
      i++;
    }
    return i;
  }
}
