package dev.leat.flink.table;

import dev.leat.internal.index.CellConverter;
import dev.leat.internal.index.Cells;
import dev.leat.internal.index.RowShape;
import java.math.BigDecimal;
import java.util.List;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.TimestampType;
import org.jspecify.annotations.Nullable;

/** Makes the rows that Flink gets of what the index holds. */
final class RowDatas implements RowShape<RowData> {
  /** A constant, so that all lookups share the texts of a column with few different values. */
  private static final CellConverter<StringData> TEXT = StringData::fromBytes;

  private static final int LARGEST_COMPACT_PRECISION = 18;

  private final Cell[] cells;

  /**
   * A shape for rows.
   *
   * @param types the types of the row's fields
   * @param columns for each field, the position of its column in the index
   * @param components for each field, the position of its component in the key, or -1
   */
  RowDatas(List<LogicalType> types, int[] columns, int[] components) {
    this.cells = new Cell[columns.length];
    for (int i = 0; i < columns.length; i++) {
      cells[i] =
          components[i] >= 0 && types.get(i).is(LogicalTypeRoot.VARCHAR)
              ? textOfKey(components[i])
              : cell(types.get(i), columns[i]);
    }
  }

  /** The text by which the row was found: it need not be made again. */
  private static Cell textOfKey(int component) {
    return cells -> ((RowData) cells.key()).getString(component);
  }

  @Override
  public RowData row(Cells found) {
    GenericRowData row = new GenericRowData(cells.length);
    for (int i = 0; i < cells.length; i++) {
      row.setField(i, cells[i].value(found));
    }
    return row;
  }

  /** Makes the value of one field. */
  private interface Cell {
    @Nullable Object value(Cells cells);
  }

  private static Cell cell(LogicalType type, int column) {
    return switch (type.getTypeRoot()) {
      case BOOLEAN -> cells -> cells.isNull(column) ? null : cells.longValue(column) != 0;
      case TINYINT ->
          cells -> cells.isNull(column) ? null : (Object) (byte) cells.longValue(column);
      case SMALLINT ->
          cells -> cells.isNull(column) ? null : (Object) (short) cells.longValue(column);
      case INTEGER, DATE ->
          cells -> cells.isNull(column) ? null : (Object) (int) cells.longValue(column);
      case BIGINT -> cells -> cells.isNull(column) ? null : (Object) cells.longValue(column);
      case FLOAT ->
          cells -> cells.isNull(column) ? null : (Object) (float) cells.doubleValue(column);
      case DOUBLE -> cells -> cells.isNull(column) ? null : (Object) cells.doubleValue(column);
      case VARCHAR -> cells -> cells.shared(column, TEXT);
      case CHAR -> character(((CharType) type).getLength(), column);
      case BINARY, VARBINARY -> cells -> cells.bytes(column);
      case DECIMAL -> decimal((DecimalType) type, column);
      case TIMESTAMP_WITHOUT_TIME_ZONE -> timestamp((TimestampType) type, column);
      case ARRAY, MAP, ROW -> nested(type, column);
      default -> throw new IllegalStateException("a column of type " + type + " was let through");
    };
  }

  private static Cell character(int length, int column) {
    CellConverter<StringData> padded = new Padded(length);
    return cells -> cells.shared(column, padded);
  }

  /** A value, so that all lookups share what it makes. */
  private record Padded(int length) implements CellConverter<StringData> {
    @Override
    public StringData convert(byte[] bytes) {
      return Values.padded(bytes, length);
    }
  }

  private static Cell nested(LogicalType type, int column) {
    NestedValues values = new NestedValues(type);
    return cells -> {
      byte[] cell = cells.bytes(column);
      return cell == null ? null : values.of(cell);
    };
  }

  private static Cell decimal(DecimalType type, int column) {
    int precision = type.getPrecision();
    int scale = type.getScale();
    if (precision <= LARGEST_COMPACT_PRECISION) {
      return cells ->
          cells.isNull(column)
              ? null
              : DecimalData.fromUnscaledLong(cells.unscaled(column), precision, scale);
    }
    return cells -> {
      BigDecimal value = cells.decimal(column);
      return value == null ? null : DecimalData.fromBigDecimal(value, precision, scale);
    };
  }

  private static Cell timestamp(TimestampType type, int column) {
    int unit = Values.unit(type);
    return cells ->
        cells.isNull(column)
            ? null
            : Values.ofTimestamp(unit, cells.epochSecond(column), cells.nano(column));
  }
}
