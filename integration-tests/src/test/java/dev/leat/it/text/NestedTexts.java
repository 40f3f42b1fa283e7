package dev.leat.it.text;

import dev.leat.DimensionRow;
import dev.leat.format.ColumnType;
import dev.leat.format.NestedCellReader;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Cells with parts as text, in the form that the oracle gives them. */
final class NestedTexts {
  private NestedTexts() {}

  static String of(ColumnType type, byte[] bytes, int offset, int length) {
    NestedCellReader in = new NestedCellReader(type);
    in.read(bytes, offset, length);
    return text(type, in.value());
  }

  private static String part(ColumnType type, @Nullable Object value) {
    if (value == null) {
      return "~";
    }
    String text = text(type, value);
    return text.length() + ":" + text;
  }

  private static String text(ColumnType type, Object value) {
    StringBuilder text = new StringBuilder();
    switch (type.kind()) {
      case ARRAY -> {
        for (Object element : (List<?>) value) {
          text.append(part(type.element(), element)).append(',');
        }
        return "[" + text + "]";
      }
      case MAP -> {
        // In the order of the texts, since Hive keeps no order.
        List<String> entries = new ArrayList<>();
        ((Map<?, ?>) value)
            .forEach(
                (key, entry) ->
                    entries.add(part(type.key(), key) + "=" + part(type.value(), entry) + ","));
        Collections.sort(entries);
        return "{" + String.join("", entries) + "}";
      }
      case STRUCT -> {
        DimensionRow row = (DimensionRow) value;
        for (int i = 0; i < type.fields().size(); i++) {
          text.append(part(type.fields().get(i).type(), row.value(i))).append(',');
        }
        return "(" + text + ")";
      }
      case BINARY -> {
        return HexFormat.of().formatHex((byte[]) value);
      }
      case DECIMAL -> {
        return ((BigDecimal) value).toPlainString();
      }
      case CHAR -> {
        // Hive gives it padded.
        String characters = (String) value;
        int count = characters.codePointCount(0, characters.length());
        return characters + " ".repeat(type.precision() - count);
      }
      default -> {
        return value.toString();
      }
    }
  }
}
