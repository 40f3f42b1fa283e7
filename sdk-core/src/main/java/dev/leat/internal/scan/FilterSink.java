package dev.leat.internal.scan;

import dev.leat.internal.filter.BoundFilter;
import dev.leat.internal.filter.BufferedRow;
import dev.leat.internal.index.SplitSink;
import dev.leat.internal.schema.ScanColumns;
import dev.leat.spi.RowSink;

/**
 * Holds a row back until it is whole, and gives it on only if the filter keeps it. So nothing of a
 * row that is left out gets into the index or its statistics; it is counted.
 *
 * <p>A cell of a column that the filter asks for and that cannot be read is NULL for it, and
 * counted though the row is left out: it may be the reason.
 */
final class FilterSink implements RowSink {
  private final SplitSink target;
  private final BoundFilter filter;
  private final ScanColumns columns;
  private final BufferedRow row;
  private long rowOffset;

  FilterSink(SplitSink target, BoundFilter filter, ScanColumns columns) {
    this.target = target;
    this.filter = filter;
    this.columns = columns;
    this.row = new BufferedRow(columns.columns());
  }

  @Override
  public void beginRow(long offset) {
    rowOffset = offset;
    row.beginRow(offset);
  }

  @Override
  public void setLong(int column, long value) {
    row.setLong(column, value);
  }

  @Override
  public void setDouble(int column, double value) {
    row.setDouble(column, value);
  }

  @Override
  public void setBytes(int column, byte[] bytes, int offset, int length) {
    row.setBytes(column, bytes, offset, length);
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    row.setDecimal(column, unscaled, offset, length);
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    row.setTimestamp(column, epochSecond, nano);
  }

  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {
    row.unparsable(column, raw, offset, length);
  }

  @Override
  public void endRow() {
    boolean kept = filter.matches(row);
    if (!kept && !anyUnparsable()) {
      target.filtered(rowOffset);
      return;
    }
    target.beginRow(rowOffset);
    for (int column = 0; column < columns.columns().size(); column++) {
      if (column >= columns.kept()) {
        if (row.isUnparsable(column)) {
          target.unparsableForFilter(columns.columns().get(column), row.rawOf(column));
        }
      } else if (kept || (row.isUnparsable(column) && filter.asksFor(column))) {
        row.give(column, target, column);
      }
    }
    if (kept) {
      target.endRow();
    } else {
      target.filtered(rowOffset);
    }
  }

  private boolean anyUnparsable() {
    for (int column = 0; column < columns.columns().size(); column++) {
      if (row.isUnparsable(column) && filter.asksFor(column)) {
        return true;
      }
    }
    return false;
  }

  @Override
  public void reject(long line, int column, String reason) {
    target.beginRow(rowOffset);
    if (column >= columns.kept()) {
      target.reject(line, -1, "column '" + columns.columns().get(column).name() + "': " + reason);
    } else {
      target.reject(line, column, reason);
    }
  }
}
