package dev.leat.internal.schema;

import static java.util.Map.entry;

import dev.leat.DimensionRow;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collection;
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
      "String, boolean, byte, short, int, long, float, double, their boxes, BigDecimal, LocalDate, LocalDateTime, Instant, UUID, byte[], and List, Map and records of these";

  private JavaTypes() {}

  /** A record that holds itself has no end. */
  private static final int MAX_DEPTH = 32;

  /**
   * The type of a column for which only this Java type is known, or empty where no column becomes
   * such a type.
   */
  static Optional<ColumnType> naturalColumnType(Type javaType) {
    return naturalColumnType(javaType, 0);
  }

  private static Optional<ColumnType> naturalColumnType(Type javaType, int depth) {
    Class<?> type = GenericTypes.rawClass(javaType);
    if (depth > MAX_DEPTH) {
      return Optional.empty();
    }
    if (isList(type)) {
      return naturalColumnType(GenericTypes.argument(javaType, 0), depth + 1)
          .map(ColumnType::array);
    }
    if (type == Map.class) {
      return naturalColumnType(GenericTypes.argument(javaType, 0), depth + 1)
          .filter(key -> !key.isNested())
          .flatMap(
              key ->
                  naturalColumnType(GenericTypes.argument(javaType, 1), depth + 1)
                      .map(value -> ColumnType.map(key, value)));
    }
    if (type.isRecord()) {
      List<Column> fields = new ArrayList<>();
      for (RecordComponent component : type.getRecordComponents()) {
        Optional<ColumnType> field = naturalColumnType(component.getGenericType(), depth + 1);
        if (field.isEmpty() || component.getType().isPrimitive()) {
          return Optional.empty();
        }
        fields.add(new Column(component.getName(), field.get()));
      }
      return fields.isEmpty() ? Optional.empty() : Optional.of(ColumnType.struct(fields));
    }
    return Optional.ofNullable(NATURAL.get(boxed(type)));
  }

  private static boolean isList(Class<?> type) {
    return type == List.class || type == Collection.class;
  }

  /** Whether every value of the column type fits the Java type. */
  static boolean holds(Type javaType, ColumnType columnType) {
    Class<?> boxed = boxed(GenericTypes.rawClass(javaType));
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
      case ARRAY ->
          isList(boxed) && holdsPart(GenericTypes.argument(javaType, 0), columnType.element());
      case MAP ->
          boxed == Map.class
              && holdsPart(GenericTypes.argument(javaType, 0), columnType.key())
              && holdsPart(GenericTypes.argument(javaType, 1), columnType.value());
      case STRUCT -> boxed == DimensionRow.class || recordHolds(boxed, columnType);
    };
  }

  /** Object holds every part, as the type of which a {@link DimensionRow} has it. */
  private static boolean holdsPart(Type javaType, ColumnType columnType) {
    return GenericTypes.rawClass(javaType) == Object.class || holds(javaType, columnType);
  }

  /** No component is primitive, since a part may be NULL and its row is not malformed then. */
  private static boolean recordHolds(Class<?> type, ColumnType columnType) {
    if (!type.isRecord()) {
      return false;
    }
    ColumnNames names = new ColumnNames(columnType.fields().stream().map(Column::name).toList());
    for (RecordComponent component : type.getRecordComponents()) {
      List<Integer> positions = names.positionsOf(component.getName());
      if (positions.size() != 1
          || component.getType().isPrimitive()
          || !holdsPart(
              component.getGenericType(), columnType.fields().get(positions.get(0)).type())) {
        return false;
      }
    }
    return true;
  }

  private static Class<?> boxed(Class<?> type) {
    return BOXED.getOrDefault(type, type);
  }
}
