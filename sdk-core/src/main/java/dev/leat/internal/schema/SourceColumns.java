package dev.leat.internal.schema;

import dev.leat.format.Column;
import dev.leat.spi.RowFormat.DeclaredColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The columns that a source has: those of its files, then those of its partitions. A column of the
 * files that has the name of a partition's column is left out, since the partition decides.
 *
 * @param columns the columns
 * @param partitionBegin the position of the first column of the partitions
 */
record SourceColumns(List<DeclaredColumn> columns, int partitionBegin) {

  static SourceColumns of(List<DeclaredColumn> fileColumns, List<Column> partitionColumns) {
    Set<String> ofPartitions =
        partitionColumns.stream()
            .map(column -> column.name().toLowerCase(Locale.ROOT))
            .collect(Collectors.toSet());
    List<DeclaredColumn> all = new ArrayList<>();
    for (DeclaredColumn column : fileColumns) {
      if (!ofPartitions.contains(column.name().toLowerCase(Locale.ROOT))) {
        all.add(column);
      }
    }
    int partitionBegin = all.size();
    for (Column column : partitionColumns) {
      all.add(DeclaredColumn.of(column));
    }
    return new SourceColumns(List.copyOf(all), partitionBegin);
  }
}
