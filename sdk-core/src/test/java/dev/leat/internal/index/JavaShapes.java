package dev.leat.internal.index;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Shapes of keys that are lists of values, and of rows that are lists of comparable values. */
final class JavaShapes {
  private static final CellConverter<String> TEXT =
      bytes -> new String(bytes, StandardCharsets.UTF_8);
  private static final CellConverter<String> BYTES = bytes -> "bytes" + Arrays.toString(bytes);

  private JavaShapes() {}

  static IndexLookup<List<Object>, List<@Nullable Object>> lookup(Index index) {
    return index.lookup(JavaShapes::write, rows(index));
  }

  static boolean write(List<@Nullable Object> key, KeyCells cells) {
    for (int i = 0; i < key.size(); i++) {
      Object value = key.get(i);
      if (value == null) {
        return false;
      } else if (value instanceof Boolean bool) {
        cells.setLong(i, bool ? 1 : 0);
      } else if (value instanceof Float || value instanceof Double) {
        cells.setDouble(i, ((Number) value).doubleValue());
      } else if (value instanceof BigDecimal decimal) {
        if (decimal.unscaledValue().bitLength() < 64 && decimal.signum() > 0) {
          cells.setDecimal(i, decimal.unscaledValue().longValueExact());
        } else {
          cells.setDecimal(i, decimal);
        }
      } else if (value instanceof Number number) {
        cells.setLong(i, number.longValue());
      } else if (value instanceof LocalDate date) {
        cells.setLong(i, date.toEpochDay());
      } else if (value instanceof LocalDateTime time) {
        cells.setTimestamp(i, time.toEpochSecond(ZoneOffset.UTC), time.getNano());
      } else if (value instanceof byte[] bytes) {
        cells.setBytes(i, bytes, 0, bytes.length);
      } else if (value instanceof String text) {
        if (text.length() % 2 == 0) {
          cells.setText(i, text);
        } else {
          byte[] padded = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
          cells.setBytes(i, padded, 1, padded.length - 2);
        }
      }
    }
    return true;
  }

  static RowShape<List<@Nullable Object>> rows(Index index) {
    List<Column> columns = index.manifest().columns();
    return cells -> {
      List<@Nullable Object> row = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        row.add(cell(columns.get(i).type(), cells, i));
      }
      return row;
    };
  }

  private static @Nullable Object cell(ColumnType type, Cells cells, int i) {
    if (cells.isNull(i)) {
      boolean bytes =
          switch (type.kind()) {
            case STRING, CHAR, VARCHAR, BINARY -> true;
            default -> false;
          };
      if (bytes && (cells.bytes(i) != null || cells.shared(i, TEXT) != null)
          || type.kind() == ColumnType.Kind.DECIMAL && cells.decimal(i) != null) {
        throw new AssertionError("the cell " + i + " is NULL and has a value");
      }
      return null;
    }
    return switch (type.kind()) {
      case BOOLEAN -> cells.longValue(i) == 1;
      case TINYINT -> (byte) cells.longValue(i);
      case SMALLINT -> (short) cells.longValue(i);
      case INT -> (int) cells.longValue(i);
      case BIGINT -> cells.longValue(i);
      case FLOAT -> (float) cells.doubleValue(i);
      case DOUBLE -> cells.doubleValue(i);
      case DATE -> LocalDate.ofEpochDay(cells.longValue(i));
      case TIMESTAMP ->
          LocalDateTime.ofEpochSecond(cells.epochSecond(i), cells.nano(i), ZoneOffset.UTC);
      case DECIMAL -> {
        BigDecimal value = cells.decimal(i);
        if (type.precision() <= 18
            && !BigDecimal.valueOf(cells.unscaled(i), type.scale()).equals(value)) {
          throw new AssertionError(cells.unscaled(i) + " is not " + value);
        }
        yield value;
      }
      case STRING, CHAR, VARCHAR -> {
        String shared = cells.shared(i, TEXT);
        byte[] copy = new byte[cells.length(i) + 2];
        cells.copy(i, copy, 1);
        String text = new String(copy, 1, copy.length - 2, StandardCharsets.UTF_8);
        if (!text.equals(shared) || !shared.equals(TEXT.convert(cells.bytes(i)))) {
          throw new AssertionError("'" + text + "' is not '" + shared + "'");
        }
        yield shared;
      }
      case BINARY, ARRAY, MAP, STRUCT -> cells.shared(i, BYTES);
    };
  }
}
