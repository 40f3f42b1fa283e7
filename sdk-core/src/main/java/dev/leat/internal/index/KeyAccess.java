package dev.leat.internal.index;

import dev.leat.DimensionKey;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Brings the user's key type together with the key's columns: how its values are read and written
 * into a {@link KeyBuffer}.
 */
final class KeyAccess {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodType WRITE =
      MethodType.methodType(void.class, KeyBuffer.class, Object.class);

  /** {@code (int component, Column, Class natural, Object key) -> value}. */
  private static final MethodHandle DIMENSION_KEY_COMPONENT =
      find(
          DimensionKeyAccess.class,
          "component",
          Object.class,
          int.class,
          Column.class,
          Class.class,
          Object.class);

  private final List<Column> columns;
  private final List<Integer> keyColumns;

  /** For each key column, {@code (Object key) -> value}. */
  private final List<MethodHandle> accessors = new ArrayList<>();

  private final Class<?> keyType;

  KeyAccess(Class<?> keyType, List<Column> columns, List<Integer> keyColumns) {
    this.columns = columns;
    this.keyColumns = keyColumns;
    this.keyType = keyType;
    if (keyType == DimensionKey.class) {
      for (int i = 0; i < keyColumns.size(); i++) {
        Column column = columns.get(keyColumns.get(i));
        Class<?> natural = CellReaders.naturalType(column);
        MethodHandle component =
            MethodHandles.insertArguments(DIMENSION_KEY_COMPONENT, 0, i, column, natural);
        accessors.add(component.asType(MethodType.methodType(natural, Object.class)));
      }
    } else if (keyType.isRecord()) {
      RecordComponent[] components = keyType.getRecordComponents();
      if (components.length != keyColumns.size()) {
        throw new LeatException(
            ErrorCode.TYPE_MISMATCH,
            "the key type "
                + keyType.getName()
                + " has "
                + components.length
                + " components for "
                + keyColumns.size()
                + " key columns; they must be as many");
      }
      try {
        MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(keyType, LOOKUP);
        for (RecordComponent component : components) {
          MethodHandle accessor =
              lookup.findVirtual(
                  keyType, component.getName(), MethodType.methodType(component.getType()));
          accessors.add(accessor.asType(accessor.type().changeParameterType(0, Object.class)));
        }
      } catch (ReflectiveOperationException e) {
        throw new LeatException(
            ErrorCode.INVALID_DEFINITION,
            "the key type " + keyType.getName() + " cannot be read: " + e.getMessage(),
            e);
      }
    } else {
      if (keyColumns.size() != 1) {
        throw new LeatException(
            ErrorCode.TYPE_MISMATCH,
            "the key type "
                + keyType.getName()
                + " is a scalar for "
                + keyColumns.size()
                + " key columns; use a record with one component per column");
      }
      Class<?> boxed = MethodType.methodType(keyType).wrap().returnType();
      accessors.add(
          MethodHandles.identity(Object.class).asType(MethodType.methodType(boxed, Object.class)));
    }
  }

  /** Whether a key is one text by itself, and all of it counts. */
  boolean isText() {
    return keyType == String.class && !isCharacter(0);
  }

  private boolean isCharacter(int component) {
    return columns.get(keyColumns.get(component)).type().kind() == ColumnType.Kind.CHAR;
  }

  /** Which component of the key a column is, or -1. */
  int componentOf(int column) {
    return keyColumns.indexOf(column);
  }

  /** A handle {@code (Object key) -> value} that reads a component as some type. */
  MethodHandle reader(int component, Class<?> type) {
    MethodHandle accessor = accessors.get(component);
    Class<?> from = accessor.type().returnType();
    Column column = columns.get(keyColumns.get(component));
    if (from == BigDecimal.class && type == BigDecimal.class) {
      return MethodHandles.filterReturnValue(
          accessor,
          MethodHandles.insertArguments(
              find("scaled", BigDecimal.class, BigDecimal.class, int.class),
              1,
              column.type().scale()));
    }
    if (from == String.class && type == String.class && isCharacter(component)) {
      return MethodHandles.filterReturnValue(
          accessor, find("withoutTrailingSpaces", String.class, String.class));
    }
    if (from == byte[].class && type == byte[].class) {
      return MethodHandles.filterReturnValue(accessor, find("copy", byte[].class, byte[].class));
    }
    return from == type
        ? accessor
        : MethodHandles.filterReturnValue(accessor, narrowed(from, type, column));
  }

  /**
   * A key that was found fits the column's type, so a component may also be narrower than the
   * key's, if it is as wide as the column.
   */
  private static MethodHandle narrowed(Class<?> from, Class<?> type, Column column) {
    Class<?> natural = CellReaders.naturalType(column);
    Class<?> unboxed = MethodType.methodType(from).unwrap().returnType();
    if (from != natural
        && (unboxed == byte.class
            || unboxed == short.class
            || unboxed == int.class
            || unboxed == long.class)
        && Number.class.isAssignableFrom(natural)) {
      Class<?> naturalUnboxed = MethodType.methodType(natural).unwrap().returnType();
      MethodHandle cast =
          MethodHandles.explicitCastArguments(
              MethodHandles.identity(unboxed), MethodType.methodType(naturalUnboxed, unboxed));
      MethodHandle boxes = cast.asType(MethodType.methodType(naturalUnboxed, from));
      return naturalUnboxed == type
          ? boxes
          : MethodHandles.filterReturnValue(
              boxes, Conversions.between(naturalUnboxed, type, column));
    }
    return Conversions.between(from, type, column);
  }

  /**
   * A writer for all values of a key.
   *
   * @throws LeatException {@code TYPE_MISMATCH} if a value's type does not fit its column
   */
  KeyWriter writer() {
    if (keyType == DimensionKey.class) {
      return new DimensionKeyAccess(keyColumns.stream().map(columns::get).toList());
    }
    MethodHandle all = MethodHandles.empty(WRITE);
    for (int i = keyColumns.size() - 1; i >= 0; i--) {
      all = MethodHandles.foldArguments(all, writer(i));
    }
    return HiddenClasses.keyWriter(all);
  }

  private MethodHandle writer(int component) {
    MethodHandle accessor = accessors.get(component);
    Class<?> from = MethodType.methodType(accessor.type().returnType()).wrap().returnType();
    Column column = columns.get(keyColumns.get(component));
    MethodHandle writer =
        switch (column.type().kind()) {
          case BOOLEAN ->
              from == Boolean.class ? component("writeBoolean", Boolean.class, component) : null;
          case TINYINT -> integer(from, component, Byte.MIN_VALUE, Byte.MAX_VALUE);
          case SMALLINT -> integer(from, component, Short.MIN_VALUE, Short.MAX_VALUE);
          case INT -> integer(from, component, Integer.MIN_VALUE, Integer.MAX_VALUE);
          case BIGINT -> integer(from, component, Long.MIN_VALUE, Long.MAX_VALUE);
          case FLOAT ->
              from == Float.class ? component("writeFloat", Float.class, component) : null;
          case DOUBLE ->
              from == Double.class || from == Float.class
                  ? component("writeDouble", Number.class, component)
                  : null;
          case DATE ->
              from == LocalDate.class ? component("writeDate", LocalDate.class, component) : null;
          case TIMESTAMP ->
              from == LocalDateTime.class
                  ? component("writeDateTime", LocalDateTime.class, component)
                  : from == Instant.class
                      ? component("writeInstant", Instant.class, component)
                      : null;
          case DECIMAL ->
              from == BigDecimal.class
                  ? MethodHandles.insertArguments(
                      find(
                          "writeDecimal",
                          void.class,
                          int.class,
                          ColumnType.class,
                          KeyBuffer.class,
                          BigDecimal.class),
                      0,
                      component,
                      column.type())
                  : null;
          case STRING, CHAR, VARCHAR ->
              from == String.class
                  ? component(
                      isCharacter(component) ? "writeCharacters" : "writeText",
                      String.class,
                      component)
                  : from == UUID.class ? component("writeUuid", UUID.class, component) : null;
          case BINARY ->
              from == byte[].class ? component("writeBytes", byte[].class, component) : null;
          case ARRAY, MAP, STRUCT -> null;
        };
    if (writer == null) {
      throw new LeatException(
          ErrorCode.TYPE_MISMATCH,
          "a "
              + from.getSimpleName()
              + " cannot be the key of the column '"
              + column.name()
              + "' of type "
              + column.type()
              + "; use "
              + CellReaders.naturalType(column).getSimpleName());
    }
    Class<?> parameter = writer.type().parameterType(1);
    MethodHandle value =
        MethodHandles.filterReturnValue(
            accessor.asType(accessor.type().changeReturnType(parameter)), notNull(parameter));
    return MethodHandles.filterArguments(writer, 1, value);
  }

  private static MethodHandle notNull(Class<?> type) {
    return find("notNull", Object.class, Object.class).asType(MethodType.methodType(type, type));
  }

  private static @Nullable MethodHandle integer(Class<?> from, int component, long min, long max) {
    if (from != Byte.class && from != Short.class && from != Integer.class && from != Long.class) {
      return null;
    }
    return MethodHandles.insertArguments(
        find(
            "writeInteger",
            void.class,
            int.class,
            long.class,
            long.class,
            KeyBuffer.class,
            Number.class),
        0,
        component,
        min,
        max);
  }

  private static MethodHandle component(String name, Class<?> type, int component) {
    return MethodHandles.insertArguments(
        find(name, void.class, int.class, KeyBuffer.class, type), 0, component);
  }

  private static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
    return find(KeyAccess.class, name, result, parameters);
  }

  private static MethodHandle find(
      Class<?> declaring, String name, Class<?> result, Class<?>... parameters) {
    try {
      return LOOKUP.findStatic(declaring, name, MethodType.methodType(result, parameters));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The error for a key that is null or has a null component. */
  static LeatException nullKey() {
    return new LeatException(
        ErrorCode.INVALID_KEY,
        "the key is null or has a null component; a null key has no row, so do not look it up");
  }

  static Object notNull(@Nullable Object value) {
    if (value == null) {
      throw nullKey();
    }
    return value;
  }

  static BigDecimal scaled(BigDecimal value, int scale) {
    // Of a zero with a scale beyond all bounds, too.
    return value.signum() == 0
        ? BigDecimal.valueOf(0, scale)
        : value.setScale(scale, RoundingMode.UNNECESSARY);
  }

  /** The text of a CHAR, in which trailing spaces carry no meaning. */
  static String withoutTrailingSpaces(String value) {
    int end = value.length();
    while (end > 0 && value.charAt(end - 1) == ' ') {
      end--;
    }
    return value.substring(0, end);
  }

  static byte[] copy(byte[] value) {
    return value.clone();
  }

  static void writeBoolean(int component, KeyBuffer buffer, Boolean value) {
    buffer.setNumber(component, value ? 1 : 0);
  }

  static void writeInteger(int component, long min, long max, KeyBuffer buffer, Number value) {
    long number = value.longValue();
    if (number < min || number > max) {
      buffer.notRepresentable();
    } else {
      buffer.setNumber(component, number);
    }
  }

  static void writeFloat(int component, KeyBuffer buffer, Float value) {
    buffer.setNumber(component, KeyForm.numberOf(ColumnType.Kind.FLOAT, value));
  }

  static void writeDouble(int component, KeyBuffer buffer, Number value) {
    buffer.setNumber(component, KeyForm.numberOf(ColumnType.Kind.DOUBLE, value.doubleValue()));
  }

  static void writeDate(int component, KeyBuffer buffer, LocalDate value) {
    long days = value.toEpochDay();
    if (days != (int) days) {
      buffer.notRepresentable();
    } else {
      buffer.setNumber(component, days);
    }
  }

  static void writeDateTime(int component, KeyBuffer buffer, LocalDateTime value) {
    buffer.setTimestamp(component, value.toEpochSecond(ZoneOffset.UTC), value.getNano());
  }

  static void writeInstant(int component, KeyBuffer buffer, Instant value) {
    buffer.setTimestamp(component, value.getEpochSecond(), value.getNano());
  }

  static void writeDecimal(int component, ColumnType type, KeyBuffer buffer, BigDecimal value) {
    BigDecimal stripped = value.stripTrailingZeros();
    // Zero has one digit in Java and none before the point in a column. The difference as a long,
    // since a scale may be any int.
    boolean tooLarge =
        stripped.signum() != 0
            && stripped.precision() - (long) stripped.scale() > type.precision() - type.scale();
    if (stripped.scale() > type.scale() || tooLarge) {
      buffer.notRepresentable();
      return;
    }
    byte[] unscaled =
        stripped.setScale(type.scale(), RoundingMode.UNNECESSARY).unscaledValue().toByteArray();
    buffer.setDecimal(component, unscaled, 0, unscaled.length);
  }

  static void writeText(int component, KeyBuffer buffer, String value) {
    buffer.setText(component, value);
  }

  static void writeCharacters(int component, KeyBuffer buffer, String value) {
    buffer.setText(component, withoutTrailingSpaces(value));
  }

  static void writeUuid(int component, KeyBuffer buffer, UUID value) {
    buffer.setUuid(component, value);
  }

  static void writeBytes(int component, KeyBuffer buffer, byte[] value) {
    if (value.length > KeyForm.MAX_LENGTH - buffer.length()) {
      buffer.notRepresentable();
    } else {
      buffer.setBytes(component, value, 0, value.length);
    }
  }
}
