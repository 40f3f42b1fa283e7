package dev.leat.internal.index;

import dev.leat.DimensionRow;
import dev.leat.format.Column;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A row whose columns are known at run time only. */
final class StoredRow implements DimensionRow {
  private final List<Column> columns;
  private final @Nullable Object[] values;

  StoredRow(List<Column> columns, @Nullable Object[] values) {
    this.columns = columns;
    this.values = values;
  }

  @Override
  public List<Column> columns() {
    return columns;
  }

  @Override
  public @Nullable Object value(int position) {
    Object value = values[position];
    return value instanceof byte[] bytes ? bytes.clone() : value;
  }

  @Override
  public @Nullable Object value(String column) {
    for (int i = 0; i < values.length; i++) {
      if (columns.get(i).name().equals(column)) {
        return value(i);
      }
    }
    throw new IllegalArgumentException(
        "there is no column '"
            + column
            + "'; there are "
            + columns.stream().map(Column::name).toList());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof StoredRow row
        && columns.equals(row.columns)
        && Arrays.deepEquals(values, row.values);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(values);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("DimensionRow[");
    for (int i = 0; i < values.length; i++) {
      text.append(i == 0 ? "" : ", ")
          .append(columns.get(i).name())
          .append('=')
          .append(values[i] instanceof byte[] bytes ? bytes.length + " bytes" : values[i]);
    }
    return text.append(']').toString();
  }
}
