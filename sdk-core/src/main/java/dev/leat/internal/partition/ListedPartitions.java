package dev.leat.internal.partition;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.spi.Partition;
import dev.leat.spi.PartitionSource;
import java.util.List;

/**
 * Partitions that are known beforehand.
 *
 * @param columns the partition's columns
 * @param partitions the partitions
 */
public record ListedPartitions(List<Column> columns, List<Partition> partitions)
    implements PartitionSource {

  /** Checks that each partition has a value for each column. */
  public ListedPartitions {
    columns = PartitionColumns.checked(columns);
    partitions = List.copyOf(requireNonNull(partitions, "partitions"));
    for (Partition partition : partitions) {
      if (partition.values().size() != columns.size()) {
        throw new IllegalArgumentException(
            partition
                + " has "
                + partition.values().size()
                + " values for "
                + columns.size()
                + " columns; give one for each");
      }
    }
  }

  /** The partitions themselves are part of each version. */
  @Override
  public String definition() {
    return "listed " + PartitionColumns.text(columns);
  }

  @Override
  public List<Partition> partitions(Table table) {
    return partitions;
  }
}
