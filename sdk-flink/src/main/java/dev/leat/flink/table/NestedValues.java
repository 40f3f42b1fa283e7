package dev.leat.flink.table;

import static java.util.Objects.requireNonNull;

import dev.leat.format.ColumnType;
import dev.leat.format.NestedCellReader;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.TimestampType;
import org.jspecify.annotations.Nullable;

/** Makes Flink's arrays, maps and rows of the cells of nested columns. Belongs to one thread. */
final class NestedValues {
  private final LogicalType type;
  private final ColumnType columnType;
  private final NestedCellReader reader;

  /** Values of an ARRAY, MAP or ROW. */
  NestedValues(LogicalType type) {
    this.type = type;
    this.columnType = ColumnTypes.find(type).orElseThrow();
    this.reader = new NestedCellReader(columnType);
  }

  /** The value of a cell. */
  Object of(byte[] cell) {
    reader.read(cell, 0, cell.length);
    return value(type, columnType);
  }

  private Object value(LogicalType flink, ColumnType column) {
    return switch (column.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, DATE ->
          Values.ofLong(flink, reader.longValue(column));
      case FLOAT, DOUBLE -> Values.ofDouble(flink, reader.doubleValue(column));
      case STRING, CHAR, VARCHAR, BINARY -> Values.ofBytes(flink, reader.bytesValue());
      case DECIMAL -> requireNonNull(Values.ofUnscaled((DecimalType) flink, reader.bytesValue()));
      case TIMESTAMP -> {
        long second = reader.longValue(column);
        yield Values.ofTimestamp(Values.unit((TimestampType) flink), second, reader.nanos());
      }
      case ARRAY -> {
        LogicalType element = ((ArrayType) flink).getElementType();
        @Nullable Object[] elements = new Object[reader.enter(column)];
        for (int i = 0; i < elements.length; i++) {
          elements[i] = part(element, column.element());
        }
        reader.leave();
        yield new GenericArrayData(elements);
      }
      case MAP -> {
        MapType map = (MapType) flink;
        int count = reader.enter(column);
        Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
          Object key = value(map.getKeyType(), column.key());
          entries.put(key, part(map.getValueType(), column.value()));
        }
        reader.leave();
        yield new GenericMapData(entries);
      }
      case STRUCT -> {
        GenericRowData row = new GenericRowData(reader.enter(column));
        for (int i = 0; i < row.getArity(); i++) {
          row.setField(i, part(flink.getChildren().get(i), column.fields().get(i).type()));
        }
        reader.leave();
        yield row;
      }
    };
  }

  private @Nullable Object part(LogicalType flink, ColumnType column) {
    return reader.isNull() ? null : value(flink, column);
  }
}
