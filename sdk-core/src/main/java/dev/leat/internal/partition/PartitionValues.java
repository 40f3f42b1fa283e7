package dev.leat.internal.partition;

import dev.leat.format.Column;
import dev.leat.internal.filter.BufferedRow;
import dev.leat.internal.text.TextCells;
import dev.leat.spi.Partition;
import java.util.List;

/** The values of a partition as cells of the types of its columns. */
public final class PartitionValues {
  private PartitionValues() {}

  /**
   * The cells: a text is read as a cell of delimited text is, so that one which cannot be read is
   * NULL and counted with each row.
   */
  public static BufferedRow of(List<Column> columns, Partition partition) {
    BufferedRow row = new BufferedRow(columns);
    for (int i = 0; i < columns.size(); i++) {
      String value = partition.values().get(i);
      if (value != null) {
        TextCells.read(columns, i, value, row);
      }
    }
    return row;
  }
}
