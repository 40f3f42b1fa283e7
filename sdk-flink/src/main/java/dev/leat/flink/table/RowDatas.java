package dev.leat.flink.table;

import dev.leat.internal.index.CellConverter;
import dev.leat.internal.index.Cells;
import dev.leat.internal.index.RowShape;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;
import org.jspecify.annotations.Nullable;

/** Makes the rows that Flink gets of what the index holds. */
final class RowDatas implements RowShape<RowData> {
  /** A constant, so that all lookups share the texts of a column with few different values. */
  private static final CellConverter<StringData> TEXT = StringData::fromBytes;

  private static final int LARGEST_COMPACT_PRECISION = 18;
  private static final int NANOS_PER_MILLI = 1_000_000;
  private static final int NANO_DIGITS = 9;

  private final Cell[] cells;

  /**
   * A shape for rows.
   *
   * @param types the types of the row's fields
   * @param columns for each field, the position of its column in the index
   */
  RowDatas(List<LogicalType> types, int[] columns) {
    this.cells = new Cell[columns.length];
    for (int i = 0; i < columns.length; i++) {
      cells[i] = cell(types.get(i), columns[i]);
    }
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
      case TIMESTAMP_WITHOUT_TIME_ZONE -> timestamp(((TimestampType) type).getPrecision(), column);
      default -> throw new IllegalStateException("a column of type " + type + " was let through");
    };
  }

  /** A CHAR is padded in Flink and has no spaces at its end in an index. */
  private static Cell character(int length, int column) {
    CellConverter<StringData> padded = new Padded(length);
    return cells -> cells.shared(column, padded);
  }

  /** A value, so that all lookups share what it makes. */
  private record Padded(int length) implements CellConverter<StringData> {
    @Override
    public StringData convert(byte[] bytes) {
      String text = new String(bytes, StandardCharsets.UTF_8);
      return StringData.fromString(
          text + " ".repeat(Math.max(0, length - text.codePointCount(0, text.length()))));
    }
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

  /** What is finer than the declared precision is cut off, as Flink's casts do. */
  private static Cell timestamp(int precision, int column) {
    int unit = 1;
    for (int i = precision; i < NANO_DIGITS; i++) {
      unit *= 10;
    }
    int cut = unit;
    return cells -> {
      if (cells.isNull(column)) {
        return null;
      }
      int nano = cells.nano(column);
      nano -= nano % cut;
      return TimestampData.fromEpochMillis(
          cells.epochSecond(column) * 1000 + nano / NANOS_PER_MILLI, nano % NANOS_PER_MILLI);
    };
  }
}
