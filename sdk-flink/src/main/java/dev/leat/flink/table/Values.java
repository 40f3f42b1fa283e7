package dev.leat.flink.table;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.TimestampType;
import org.jspecify.annotations.Nullable;

/** Makes Flink's values of what stands in files and indexes. */
final class Values {
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int NANO_DIGITS = 9;

  private Values() {}

  /** A BOOLEAN (0 or 1), an integer of the type's width, or a DATE. */
  static Object ofLong(LogicalType type, long value) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> value != 0;
      case TINYINT -> (byte) value;
      case SMALLINT -> (short) value;
      case INTEGER, DATE -> (int) value;
      default -> value;
    };
  }

  /** A FLOAT or DOUBLE. */
  static Object ofDouble(LogicalType type, double value) {
    if (type.is(LogicalTypeRoot.FLOAT)) {
      return (float) value;
    }
    return value;
  }

  /** A text, or a BINARY, which keeps the array. */
  static Object ofBytes(LogicalType type, byte[] value) {
    return switch (type.getTypeRoot()) {
      case CHAR -> padded(value, ((CharType) type).getLength());
      case VARCHAR -> StringData.fromBytes(value);
      default -> value;
    };
  }

  /** A CHAR, which is padded in Flink and has no spaces at its end in an index. */
  static StringData padded(byte[] value, int length) {
    String text = new String(value, StandardCharsets.UTF_8);
    return StringData.fromString(
        text + " ".repeat(Math.max(0, length - text.codePointCount(0, text.length()))));
  }

  /** A DECIMAL; null where it is too large for the type, which its column does not allow. */
  static @Nullable DecimalData ofUnscaled(DecimalType type, byte[] unscaled) {
    return DecimalData.fromBigDecimal(
        new BigDecimal(new BigInteger(unscaled), type.getScale()),
        type.getPrecision(),
        type.getScale());
  }

  /** A TIMESTAMP. What is finer than the type's precision is cut off, as Flink's casts do. */
  static TimestampData ofTimestamp(int unit, long epochSecond, int nano) {
    int cut = nano - nano % unit;
    return TimestampData.fromEpochMillis(
        epochSecond * 1000 + cut / NANOS_PER_MILLI, cut % NANOS_PER_MILLI);
  }

  /** The number of nanoseconds in the last digit of a TIMESTAMP. */
  static int unit(TimestampType type) {
    int unit = 1;
    for (int digit = type.getPrecision(); digit < NANO_DIGITS; digit++) {
      unit *= 10;
    }
    return unit;
  }
}
