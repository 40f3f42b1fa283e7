package dev.leat.internal.schema;

import static java.util.Map.entry;

import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** Which Java types hold the values of which column types. */
final class JavaTypes {
  /**
   * What a value of exact type BigDecimal is kept as where the source does not say: Hive's largest
   * precision, with as many digits before the point as after it.
   */
  private static final ColumnType UNDECLARED_DECIMAL = ColumnType.decimal(38, 18);

  private static final Map<Class<?>, ColumnType> NATURAL =
      Map.ofEntries(
          entry(Boolean.class, ColumnType.BOOLEAN),
          entry(Byte.class, ColumnType.TINYINT),
          entry(Short.class, ColumnType.SMALLINT),
          entry(Integer.class, ColumnType.INT),
          entry(Long.class, ColumnType.BIGINT),
          entry(Float.class, ColumnType.FLOAT),
          entry(Double.class, ColumnType.DOUBLE),
          entry(BigDecimal.class, UNDECLARED_DECIMAL),
          entry(String.class, ColumnType.STRING),
          entry(UUID.class, ColumnType.STRING),
          entry(LocalDate.class, ColumnType.DATE),
          entry(LocalDateTime.class, ColumnType.TIMESTAMP),
          entry(Instant.class, ColumnType.TIMESTAMP),
          entry(byte[].class, ColumnType.BINARY));

  private static final Map<Class<?>, Class<?>> BOXED =
      Map.of(
          boolean.class,
          Boolean.class,
          byte.class,
          Byte.class,
          short.class,
          Short.class,
          int.class,
          Integer.class,
          long.class,
          Long.class,
          float.class,
          Float.class,
          double.class,
          Double.class);

  private static final List<Class<?>> INTEGERS =
      List.of(Byte.class, Short.class, Integer.class, Long.class);

  /** The types for messages, in an order that a person likes. */
  static final String SUPPORTED =
      "String, boolean, byte, short, int, long, float, double, their boxes, BigDecimal, LocalDate, LocalDateTime, Instant, UUID and byte[]";

  private JavaTypes() {}

  /**
   * The type of a column for which only this Java type is known, or empty where no column becomes
   * such a type.
   */
  static Optional<ColumnType> naturalColumnType(Class<?> javaType) {
    return Optional.ofNullable(NATURAL.get(boxed(javaType)));
  }

  /** Whether every value of the column type fits the Java type. */
  static boolean holds(Class<?> javaType, ColumnType columnType) {
    Class<?> boxed = boxed(javaType);
    return switch (columnType.kind()) {
      case BOOLEAN -> boxed == Boolean.class;
      case TINYINT, SMALLINT, INT, BIGINT ->
          INTEGERS.indexOf(boxed) >= columnType.kind().ordinal() - Kind.TINYINT.ordinal();
      case FLOAT -> boxed == Float.class || boxed == Double.class;
      case DOUBLE -> boxed == Double.class;
      case DECIMAL -> boxed == BigDecimal.class;
      case STRING, CHAR, VARCHAR -> boxed == String.class || boxed == UUID.class;
      case DATE -> boxed == LocalDate.class;
      case TIMESTAMP -> boxed == LocalDateTime.class || boxed == Instant.class;
      case BINARY -> boxed == byte[].class;
    };
  }

  private static Class<?> boxed(Class<?> type) {
    return BOXED.getOrDefault(type, type);
  }
}
