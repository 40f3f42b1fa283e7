package dev.leat.internal.schema;

import dev.leat.format.Column;
import dev.leat.internal.filter.BoundFilter;
import java.util.List;
import java.util.Optional;

/**
 * The columns of a row while it is read: those that are kept, with their numbers, and behind them
 * those that only the filter asks for.
 *
 * @param columns the columns
 * @param kept how many of them are kept
 * @param partitionColumns for each column, its position among those of the partitions, or -1 where
 *     the files have it
 * @param filter which rows are kept, or empty for all
 */
public record ScanColumns(
    List<Column> columns, int kept, List<Integer> partitionColumns, Optional<BoundFilter> filter) {

  /** Copies the lists. */
  public ScanColumns {
    columns = List.copyOf(columns);
    partitionColumns = List.copyOf(partitionColumns);
  }

  /** Whether each row is taken as the files have it. */
  public boolean isPlain() {
    return filter.isEmpty() && partitionColumns.stream().allMatch(position -> position < 0);
  }
}
