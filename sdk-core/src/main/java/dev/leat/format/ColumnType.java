package dev.leat.format;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

/**
 * The type of a column, in Hive's terms.
 *
 * <p>Immutable. Equality is by kind, parameters and fields.
 *
 * @param kind what the values are
 * @param precision total digits of a {@link Kind#DECIMAL}, or the length of a {@link Kind#CHAR} or
 *     {@link Kind#VARCHAR} in characters; 0 for all others
 * @param scale digits after the point of a {@link Kind#DECIMAL}; 0 for all others
 * @param fields of a {@link Kind#STRUCT} its fields, of an {@link Kind#ARRAY} one that is called
 *     {@code element}, of a {@link Kind#MAP} {@code key} and {@code value}; empty for all others
 */
public record ColumnType(Kind kind, int precision, int scale, List<Column> fields)
    implements Serializable {

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
    BINARY,
    /** Values of one type, in order; each may be NULL. */
    ARRAY,
    /** Values of one type by keys of another; a key is no nested type and not NULL. */
    MAP,
    /** Named fields of a type each; each may be NULL. */
    STRUCT
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

  /** Checks the parameters and fields against the kind. */
  public ColumnType {
    requireNonNull(kind, "kind");
    fields = List.copyOf(fields);
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
    checkFields(kind, fields);
  }

  private static void checkFields(Kind kind, List<Column> fields) {
    List<String> names = fields.stream().map(Column::name).toList();
    switch (kind) {
      case ARRAY -> {
        if (!names.equals(List.of("element"))) {
          throw new IllegalArgumentException(
              "an array has one field, 'element', got " + names + "; use ColumnType.array(…)");
        }
      }
      case MAP -> {
        if (!names.equals(List.of("key", "value"))) {
          throw new IllegalArgumentException(
              "a map has the fields 'key' and 'value', got " + names + "; use ColumnType.map(…)");
        }
        if (fields.get(0).type().isNested()) {
          throw new IllegalArgumentException(
              "the key of a map cannot be " + fields.get(0).type() + "; use a type without parts");
        }
      }
      case STRUCT -> {
        if (fields.isEmpty()) {
          throw new IllegalArgumentException("a struct has no field; give it at least one");
        }
        TreeSet<String> distinct = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
        for (String name : names) {
          if (!distinct.add(name)) {
            throw new IllegalArgumentException(
                "the field '" + name + "' is there twice in a struct with the fields " + names);
          }
        }
      }
      default -> {
        if (!fields.isEmpty()) {
          throw new IllegalArgumentException(kind + " takes no fields, got " + names);
        }
      }
    }
  }

  /** A type without fields. */
  public ColumnType(Kind kind, int precision, int scale) {
    this(kind, precision, scale, List.of());
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

  /** Values of one type, in order. */
  public static ColumnType array(ColumnType element) {
    return new ColumnType(Kind.ARRAY, 0, 0, List.of(new Column("element", element)));
  }

  /**
   * Values by keys.
   *
   * @param key no nested type
   * @param value the type of the values
   */
  public static ColumnType map(ColumnType key, ColumnType value) {
    return new ColumnType(
        Kind.MAP, 0, 0, List.of(new Column("key", key), new Column("value", value)));
  }

  /** Named fields; names are distinct, also without regard to case, as in Hive. */
  public static ColumnType struct(Column... fields) {
    return struct(List.of(fields));
  }

  /** Named fields; names are distinct, also without regard to case, as in Hive. */
  public static ColumnType struct(List<Column> fields) {
    return new ColumnType(Kind.STRUCT, 0, 0, fields);
  }

  /**
   * The type that Hive means with a text, e.g. {@code map<string,array<struct<a:int,b:date>>>};
   * upper or lower case, with or without blanks. The aliases that Hive knows are read too ({@code
   * integer}, {@code numeric(10,2)}, {@code decimal} for {@code decimal(10,0)}). The name of a
   * field may stand in backticks.
   *
   * @throws IllegalArgumentException if it is none, or one that no column can have: {@code
   *     uniontype}, {@code timestamp with local time zone}, intervals and {@code void}
   */
  public static ColumnType parse(String text) {
    return new TypeParser(requireNonNull(text, "text")).parse();
  }

  /** Whether values have parts: an array, a map or a struct. */
  public boolean isNested() {
    return !fields.isEmpty();
  }

  /**
   * The type of an array's elements.
   *
   * @throws IllegalStateException if this is no array
   */
  public ColumnType element() {
    return field(Kind.ARRAY, 0);
  }

  /**
   * The type of a map's keys.
   *
   * @throws IllegalStateException if this is no map
   */
  public ColumnType key() {
    return field(Kind.MAP, 0);
  }

  /**
   * The type of a map's values.
   *
   * @throws IllegalStateException if this is no map
   */
  public ColumnType value() {
    return field(Kind.MAP, 1);
  }

  private ColumnType field(Kind expected, int position) {
    if (kind != expected) {
      throw new IllegalStateException(this + " is no " + expected);
    }
    return fields.get(position).type();
  }

  private static ColumnType of(Kind kind) {
    return new ColumnType(kind, 0, 0);
  }

  /** The type as Hive writes it, e.g. {@code decimal(10,2)}; {@link #parse} reads it. */
  @Override
  public String toString() {
    return switch (kind) {
      case DECIMAL -> "decimal(" + precision + "," + scale + ")";
      case CHAR -> "char(" + precision + ")";
      case VARCHAR -> "varchar(" + precision + ")";
      case ARRAY -> "array<" + element() + ">";
      case MAP -> "map<" + key() + "," + value() + ">";
      case STRUCT -> {
        StringBuilder text = new StringBuilder("struct<");
        for (Column field : fields) {
          text.append(text.length() == "struct<".length() ? "" : ",")
              .append(TypeParser.quotedWhereNeeded(field.name()))
              .append(':')
              .append(field.type());
        }
        yield text.append('>').toString();
      }
      default -> kind.name().toLowerCase(Locale.ROOT);
    };
  }
}
