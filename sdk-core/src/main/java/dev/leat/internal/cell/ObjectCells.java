package dev.leat.internal.cell;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.NestedCellWriter;
import dev.leat.spi.RowSink;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Gives cells that are objects to a sink. Objects are of the class that {@link
 * dev.leat.DimensionRow} has for the column's type, or what {@link NestedCellWriter} takes instead.
 * Belongs to one thread.
 */
public final class ObjectCells {
  private final ColumnType[] types;
  private final @Nullable NestedCellWriter[] nested;
  private final RowSink sink;

  /** Creates a giver for columns by the number that the sink gets. */
  public ObjectCells(List<Column> columns, RowSink sink) {
    this.types = columns.stream().map(Column::type).toArray(ColumnType[]::new);
    this.nested = new NestedCellWriter[types.length];
    for (int i = 0; i < types.length; i++) {
      nested[i] = types[i].isNested() ? new NestedCellWriter(types[i]) : null;
    }
    this.sink = sink;
  }

  /** Sets a cell; null is NULL. */
  public void set(int column, @Nullable Object value) {
    if (value == null) {
      return;
    }
    switch (types[column].kind()) {
      case BOOLEAN -> sink.setLong(column, (Boolean) value ? 1 : 0);
      case TINYINT, SMALLINT, INT, BIGINT -> sink.setLong(column, ((Number) value).longValue());
      case FLOAT, DOUBLE -> sink.setDouble(column, ((Number) value).doubleValue());
      case DECIMAL -> {
        byte[] unscaled = ((BigDecimal) value).unscaledValue().toByteArray();
        sink.setDecimal(column, unscaled, 0, unscaled.length);
      }
      case STRING, CHAR, VARCHAR -> {
        byte[] utf8 =
            value instanceof byte[] bytes
                ? bytes
                : ((String) value).getBytes(StandardCharsets.UTF_8);
        sink.setBytes(column, utf8, 0, utf8.length);
      }
      case BINARY -> sink.setBytes(column, (byte[]) value, 0, ((byte[]) value).length);
      case DATE ->
          sink.setLong(
              column,
              value instanceof LocalDate date ? date.toEpochDay() : ((Number) value).longValue());
      case TIMESTAMP -> {
        LocalDateTime time = (LocalDateTime) value;
        sink.setTimestamp(column, time.toEpochSecond(ZoneOffset.UTC), time.getNano());
      }
      case ARRAY, MAP, STRUCT -> writer(column).write(value, sink, column);
    }
  }

  /** Says that a cell has a value that its column cannot hold; the text is for a sample. */
  public void unparsable(int column, String text) {
    byte[] raw = text.getBytes(StandardCharsets.UTF_8);
    sink.unparsable(column, raw, 0, raw.length);
  }

  private NestedCellWriter writer(int column) {
    NestedCellWriter writer = nested[column];
    if (writer == null) {
      throw new IllegalStateException(types[column] + " has no parts");
    }
    return writer;
  }
}
