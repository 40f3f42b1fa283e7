package dev.leat.internal.partition;

import dev.leat.RowFilter;
import dev.leat.format.Column;
import dev.leat.internal.filter.BoundFilter;
import dev.leat.internal.filter.BufferedRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Says which partitions may have rows that a filter keeps, before anything of them is listed or
 * read. Only conditions on the partition's columns count; a condition on any other column may turn
 * out to be true, false or unknown.
 */
public final class PartitionPruning {
  private final @Nullable BoundFilter filter;
  private final List<Column> columns;
  private final int known;

  private PartitionPruning(@Nullable BoundFilter filter, List<Column> columns, int known) {
    this.filter = filter;
    this.columns = columns;
    this.known = known;
  }

  /** The pruning of a table by a filter, or none. */
  public static PartitionPruning of(Optional<RowFilter> filter, List<Column> partitionColumns) {
    if (filter.isEmpty()) {
      return new PartitionPruning(null, partitionColumns, partitionColumns.size());
    }
    List<Column> columns = new ArrayList<>(partitionColumns);
    Map<String, Integer> numbers = new HashMap<>();
    for (String name : filter.get().columns()) {
      int number = numberOf(name, partitionColumns);
      if (number < 0) {
        number = columns.size();
        columns.add(new Column(name, BoundFilter.typeFor(filter.get(), name)));
      }
      numbers.put(name, number);
    }
    BoundFilter bound;
    try {
      bound = BoundFilter.bind(filter.get(), columns, numbers::get);
    } catch (IllegalArgumentException e) {
      // It does not fit the columns, which is told where the columns of the table are found.
      bound = null;
    }
    return new PartitionPruning(bound, columns, partitionColumns.size());
  }

  /**
   * Only what differs in case: a name that is found with fewer underscores may mean a column of the
   * files that is nearer to it.
   */
  private static int numberOf(String name, List<Column> columns) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  /** Whether a partition of some values may have rows that the filter keeps. */
  public boolean mayMatch(BufferedRow values) {
    if (filter == null) {
      return true;
    }
    BufferedRow row = new BufferedRow(columns);
    for (int i = 0; i < columns.size(); i++) {
      if (i < known) {
        values.give(i, row, i);
      } else {
        row.forget(i);
      }
    }
    return filter.mayMatch(row);
  }
}
