package dev.leat.format;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;

/**
 * The type of a column, in Hive's terms.
 *
 * <p>Immutable. Equality is by kind and parameters.
 *
 * @param kind what the values are
 * @param precision total digits of a {@link Kind#DECIMAL}, or the length of a {@link Kind#CHAR} or
 *     {@link Kind#VARCHAR} in characters; 0 for all others
 * @param scale digits after the point of a {@link Kind#DECIMAL}; 0 for all others
 */
public record ColumnType(Kind kind, int precision, int scale) implements Serializable {

  /** What the values of a column are. */
  public enum Kind {
    /** true or false. */
    BOOLEAN,
    /** 8-bit signed integer. */
    TINYINT,
    /** 16-bit signed integer. */
    SMALLINT,
    /** 32-bit signed integer. */
    INT,
    /** 64-bit signed integer. */
    BIGINT,
    /** 32-bit IEEE 754 number. */
    FLOAT,
    /** 64-bit IEEE 754 number. */
    DOUBLE,
    /** Exact number with a precision of at most 38 and a scale. */
    DECIMAL,
    /** Unicode text. */
    STRING,
    /** Unicode text of a fixed length; trailing spaces carry no meaning. */
    CHAR,
    /** Unicode text of a bounded length. */
    VARCHAR,
    /** A day without a time zone. */
    DATE,
    /** A date and time of day without a time zone, to the nanosecond. */
    TIMESTAMP,
    /** Bytes. */
    BINARY
  }

  public static final ColumnType BOOLEAN = of(Kind.BOOLEAN);
  public static final ColumnType TINYINT = of(Kind.TINYINT);
  public static final ColumnType SMALLINT = of(Kind.SMALLINT);
  public static final ColumnType INT = of(Kind.INT);
  public static final ColumnType BIGINT = of(Kind.BIGINT);
  public static final ColumnType FLOAT = of(Kind.FLOAT);
  public static final ColumnType DOUBLE = of(Kind.DOUBLE);
  public static final ColumnType STRING = of(Kind.STRING);
  public static final ColumnType DATE = of(Kind.DATE);
  public static final ColumnType TIMESTAMP = of(Kind.TIMESTAMP);
  public static final ColumnType BINARY = of(Kind.BINARY);

  /** Checks the parameters against the kind. */
  public ColumnType {
    requireNonNull(kind, "kind");
    switch (kind) {
      case DECIMAL -> {
        if (precision < 1 || precision > 38 || scale < 0 || scale > precision) {
          throw new IllegalArgumentException(
              "decimal("
                  + precision
                  + ","
                  + scale
                  + ") is not a type; the precision is 1 to 38 and the scale 0 to the precision");
        }
      }
      case CHAR, VARCHAR -> {
        if (precision < 1 || precision > 65_535 || scale != 0) {
          throw new IllegalArgumentException(
              kind + "(" + precision + ") is not a type; the length is 1 to 65535");
        }
      }
      default -> {
        if (precision != 0 || scale != 0) {
          throw new IllegalArgumentException(
              kind + " takes no parameters, got (" + precision + "," + scale + ")");
        }
      }
    }
  }

  /** An exact number of {@code precision} digits, {@code scale} of them after the point. */
  public static ColumnType decimal(int precision, int scale) {
    return new ColumnType(Kind.DECIMAL, precision, scale);
  }

  /** Text of exactly {@code length} characters, padded with spaces. */
  public static ColumnType character(int length) {
    return new ColumnType(Kind.CHAR, length, 0);
  }

  /** Text of at most {@code length} characters. */
  public static ColumnType varchar(int length) {
    return new ColumnType(Kind.VARCHAR, length, 0);
  }

  private static ColumnType of(Kind kind) {
    return new ColumnType(kind, 0, 0);
  }

  /** The type as Hive writes it, e.g. {@code decimal(10,2)}. */
  @Override
  public String toString() {
    return switch (kind) {
      case DECIMAL -> "decimal(" + precision + "," + scale + ")";
      case CHAR -> "char(" + precision + ")";
      case VARCHAR -> "varchar(" + precision + ")";
      default -> kind.name().toLowerCase(java.util.Locale.ROOT);
    };
  }
}
