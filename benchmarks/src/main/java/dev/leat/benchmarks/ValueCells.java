package dev.leat.benchmarks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The cells of a row as stores of bytes keep them, key columns left out: a byte that tells NULL, or
 * the length of a text, then the content. Belongs to one thread.
 */
final class ValueCells implements Cells {
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte NULL = -1;

  private enum Width {
    TEXT,
    FOUR,
    EIGHT
  }

  private final Dataset<?, ?> dataset;
  private final int[] columns;
  private final Width[] widths;
  private final int[] scales;
  private final int[] starts;
  private byte[] value = {};

  ValueCells(Dataset<?, ?> dataset) {
    this.dataset = dataset;
    this.columns = dataset.valueColumns().stream().mapToInt(Integer::intValue).toArray();
    this.widths = new Width[columns.length];
    this.scales = new int[dataset.columns().size()];
    this.starts = new int[dataset.columns().size()];
    for (int i = 0; i < columns.length; i++) {
      var type = dataset.columns().get(columns[i]).type();
      scales[columns[i]] = type.scale();
      widths[i] =
          switch (type.kind()) {
            case STRING -> Width.TEXT;
            case INT, DATE -> Width.FOUR;
            case DECIMAL -> Width.EIGHT;
            default -> throw new IllegalArgumentException("no benchmark has cells of " + type);
          };
    }
  }

  /** The value to be stored for a row. */
  byte[] encode(long row) {
    byte[] buffer = new byte[256];
    int at = 0;
    for (int i = 0; i < columns.length; i++) {
      Object cell = dataset.cell(row, columns[i]);
      if (cell == null) {
        buffer[at++] = NULL;
        continue;
      }
      switch (widths[i]) {
        case TEXT -> {
          String text = (String) cell;
          buffer[at] = (byte) text.length();
          at = Dataset.put(buffer, at + 1, text);
        }
        case FOUR -> {
          buffer[at] = 0;
          INT.set(
              buffer, at + 1, cell instanceof LocalDate day ? (int) day.toEpochDay() : (int) cell);
          at += 5;
        }
        case EIGHT -> {
          buffer[at] = 0;
          LONG.set(buffer, at + 1, ((BigDecimal) cell).unscaledValue().longValueExact());
          at += 9;
        }
      }
    }
    return Arrays.copyOf(buffer, at);
  }

  /** Turns to a value that was found. */
  ValueCells of(byte[] found) {
    value = found;
    int at = 0;
    for (int i = 0; i < columns.length; i++) {
      starts[columns[i]] = at;
      int first = found[at];
      at += 1;
      if (first != NULL) {
        at +=
            switch (widths[i]) {
              case TEXT -> first;
              case FOUR -> 4;
              case EIGHT -> 8;
            };
      }
    }
    return this;
  }

  private boolean isNull(int column) {
    return value[starts[column]] == NULL;
  }

  @Override
  public @Nullable String text(int column) {
    int start = starts[column];
    return isNull(column)
        ? null
        : new String(value, start + 1, value[start], StandardCharsets.ISO_8859_1);
  }

  @Override
  public @Nullable Integer integer(int column) {
    return isNull(column) ? null : (Integer) (int) INT.get(value, starts[column] + 1);
  }

  @Override
  public @Nullable LocalDate date(int column) {
    return isNull(column) ? null : LocalDate.ofEpochDay((int) INT.get(value, starts[column] + 1));
  }

  @Override
  public @Nullable BigDecimal decimal(int column) {
    return isNull(column)
        ? null
        : BigDecimal.valueOf((long) LONG.get(value, starts[column] + 1), scales[column]);
  }
}
