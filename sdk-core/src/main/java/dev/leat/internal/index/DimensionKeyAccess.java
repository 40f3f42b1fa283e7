package dev.leat.internal.index;

import dev.leat.DimensionKey;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link DimensionKey}: its values are checked against the columns when it is looked up,
 * since its type says nothing of them.
 */
final class DimensionKeyAccess implements KeyWriter {
  private final List<Column> keyColumns;

  DimensionKeyAccess(List<Column> keyColumns) {
    this.keyColumns = List.copyOf(keyColumns);
  }

  @Override
  public void write(KeyBuffer buffer, Object key) {
    DimensionKey values = (DimensionKey) key;
    if (values.size() != keyColumns.size()) {
      throw new LeatException(
          ErrorCode.INVALID_KEY,
          "the key "
              + values
              + " has "
              + values.size()
              + " values for the columns "
              + keyColumns.stream().map(Column::name).toList()
              + "; give one for each");
    }
    for (int i = 0; i < keyColumns.size(); i++) {
      Object value = values.value(i);
      if (value == null) {
        buffer.notRepresentable();
        return;
      }
      if (value instanceof UUID uuid && KeyForm.width(keyColumns.get(i).type()) == 0) {
        KeyAccess.writeUuid(i, buffer, uuid);
      } else {
        write(buffer, i, natural(keyColumns.get(i), value));
      }
    }
  }

  private void write(KeyBuffer buffer, int component, Object value) {
    ColumnType type = keyColumns.get(component).type();
    switch (type.kind()) {
      case BOOLEAN -> KeyAccess.writeBoolean(component, buffer, (Boolean) value);
      case TINYINT -> whole(buffer, component, value, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> whole(buffer, component, value, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> whole(buffer, component, value, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> whole(buffer, component, value, Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT -> KeyAccess.writeFloat(component, buffer, (Float) value);
      case DOUBLE -> KeyAccess.writeDouble(component, buffer, (Number) value);
      case DATE -> KeyAccess.writeDate(component, buffer, (LocalDate) value);
      case TIMESTAMP -> KeyAccess.writeDateTime(component, buffer, (LocalDateTime) value);
      case DECIMAL -> KeyAccess.writeDecimal(component, type, buffer, (BigDecimal) value);
      case STRING, VARCHAR -> KeyAccess.writeText(component, buffer, (String) value);
      case CHAR -> KeyAccess.writeCharacters(component, buffer, (String) value);
      case BINARY -> KeyAccess.writeBytes(component, buffer, (byte[]) value);
      case ARRAY, MAP, STRUCT -> throw new IllegalStateException(type + " has no keys");
    }
  }

  private static void whole(KeyBuffer buffer, int component, Object value, long min, long max) {
    KeyAccess.writeInteger(component, min, max, buffer, (Long) value);
  }

  /**
   * The value of a column as a key that was found has it: what a row shows for the column.
   *
   * @param type the column's natural type
   */
  static Object component(int component, Column column, Class<?> type, Object key) {
    Object value = ((DimensionKey) key).value(component);
    if (value == null) {
      throw new IllegalStateException("a key with a null has been found");
    }
    Object natural = natural(column, value);
    if (natural instanceof Long whole) {
      long number = whole;
      if (type == Byte.class) {
        return (byte) number;
      }
      if (type == Short.class) {
        return (short) number;
      }
      if (type == Integer.class) {
        return (int) number;
      }
      return natural;
    }
    if (natural instanceof BigDecimal decimal) {
      return KeyAccess.scaled(decimal, column.type().scale());
    }
    return column.type().kind() == ColumnType.Kind.CHAR
        ? KeyAccess.withoutTrailingSpaces((String) natural)
        : natural;
  }

  /** The value in the type that a row has for the column; an integer of any width as a Long. */
  private static Object natural(Column column, Object value) {
    Object natural =
        switch (column.type().kind()) {
          case BOOLEAN -> value instanceof Boolean ? value : null;
          case TINYINT, SMALLINT, INT, BIGINT -> whole(value);
          case FLOAT -> value instanceof Float ? value : null;
          case DOUBLE ->
              value instanceof Float real
                  ? Double.valueOf(real)
                  : value instanceof Double ? value : null;
          case DATE -> value instanceof LocalDate ? value : null;
          case TIMESTAMP ->
              value instanceof Instant instant
                  ? LocalDateTime.ofInstant(instant, ZoneOffset.UTC)
                  : value instanceof LocalDateTime ? value : null;
          case DECIMAL -> value instanceof BigDecimal ? value : null;
          case STRING, CHAR, VARCHAR ->
              value instanceof UUID uuid ? uuid.toString() : value instanceof String ? value : null;
          case BINARY -> value instanceof byte[] ? value : null;
          case ARRAY, MAP, STRUCT -> null;
        };
    if (natural == null) {
      throw new LeatException(
          ErrorCode.INVALID_KEY,
          "a "
              + value.getClass().getSimpleName()
              + " cannot be the key of the column '"
              + column.name()
              + "' of type "
              + column.type()
              + "; use "
              + CellReaders.naturalType(column).getSimpleName());
    }
    return natural;
  }

  private static @Nullable Object whole(Object value) {
    return value instanceof Byte
            || value instanceof Short
            || value instanceof Integer
            || value instanceof Long
        ? ((Number) value).longValue()
        : null;
  }
}
