package dev.leat.flink.table;

import static java.util.Objects.requireNonNull;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.MalformedRows;
import dev.leat.spi.RowSink;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.TimestampType;
import org.jspecify.annotations.Nullable;

/** Makes Flink's rows of a part of a table that a format parses. Belongs to one thread. */
final class RowDataSink implements RowSink {
  /** So many malformed rows must be allowed in a part for its share to tell of the table. */
  private static final int ALLOWED_TO_JUDGE = 10;

  private final String dimension;
  private final LogicalType[] types;
  private final @Nullable NestedValues[] nested;
  private final MalformedRows malformedRows;
  private final Consumer<RowData> rows;
  private @Nullable GenericRowData row;
  private long parsed;
  private long rejected;

  /**
   * A sink.
   *
   * @param types the types of the columns; what comes for further ones is left out
   * @param rows gets each row
   */
  RowDataSink(
      String dimension,
      List<LogicalType> types,
      MalformedRows malformedRows,
      Consumer<RowData> rows) {
    this.dimension = dimension;
    this.types = types.toArray(LogicalType[]::new);
    this.nested = new NestedValues[this.types.length];
    for (int i = 0; i < this.types.length; i++) {
      switch (this.types[i].getTypeRoot()) {
        case ARRAY, MAP, ROW -> nested[i] = new NestedValues(this.types[i]);
        default -> {}
      }
    }
    this.malformedRows = malformedRows;
    this.rows = rows;
  }

  /** How many rows were left out since they are malformed. */
  long rejected() {
    return rejected;
  }

  /**
   * The part is parsed.
   *
   * @throws LeatException {@code MALFORMED_ROWS} where too large a share of it is malformed; a part
   *     in which a few rows would be that is let be
   */
  void end() {
    double allowed = malformedRows.maxShare() * parsed;
    if (allowed >= ALLOWED_TO_JUDGE && rejected > allowed) {
      throw malformed(
          rejected + " of the " + parsed + " rows of a part are malformed",
          "more than a share of " + malformedRows.maxShare());
    }
  }

  @Override
  public void beginRow(long offset) {
    parsed++;
    row = new GenericRowData(types.length);
  }

  @Override
  public void setLong(int column, long value) {
    if (column < types.length) {
      set(column, Values.ofLong(types[column], value));
    }
  }

  @Override
  public void setDouble(int column, double value) {
    if (column < types.length) {
      set(column, Values.ofDouble(types[column], value));
    }
  }

  @Override
  public void setBytes(int column, byte[] bytes, int offset, int length) {
    if (column < types.length) {
      byte[] own = Arrays.copyOfRange(bytes, offset, offset + length);
      NestedValues values = nested[column];
      set(column, values == null ? Values.ofBytes(types[column], own) : values.of(own));
    }
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    if (column < types.length) {
      set(
          column,
          Values.ofUnscaled(
              (DecimalType) types[column], Arrays.copyOfRange(unscaled, offset, offset + length)));
    }
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    if (column < types.length) {
      set(
          column,
          Values.ofTimestamp(Values.unit((TimestampType) types[column]), epochSecond, nano));
    }
  }

  private void set(int column, @Nullable Object value) {
    requireNonNull(row).setField(column, value);
  }

  /** The cell is NULL, as in an index. */
  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {}

  @Override
  public void endRow() {
    rows.accept(requireNonNull(row));
  }

  @Override
  public void reject(long line, int column, String reason) {
    rejected++;
    if (rejected > malformedRows.maxRows() || malformedRows.maxShare() == 0) {
      throw malformed(
          "a row " + (line < 0 ? "" : "in line " + line + " ") + "is malformed (" + reason + ")",
          malformedRows.maxRows() == 0 || malformedRows.maxShare() == 0
              ? "and none may be"
              : "and with it " + rejected + " of a part, more than " + malformedRows.maxRows());
    }
  }

  private LeatException malformed(String what, String bound) {
    return new LeatException(
        ErrorCode.MALFORMED_ROWS,
        "Dimension '"
            + dimension
            + "': "
            + what
            + ", "
            + bound
            + "; correct the files, or let more be skipped (leat.malformed-rows.max-rows,"
            + " leat.malformed-rows.max-share)");
  }
}
