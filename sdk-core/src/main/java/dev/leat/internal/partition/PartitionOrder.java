package dev.leat.internal.partition;

import dev.leat.format.Column;
import dev.leat.internal.filter.BufferedRow;
import dev.leat.spi.Partition;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The order of partitions by their values: NULL first, then each type in its own order. */
public final class PartitionOrder {
  private PartitionOrder() {}

  /**
   * The order of the partitions of some columns; those that it calls equal have the same values.
   */
  public static Comparator<Partition> of(List<Column> columns) {
    Map<Partition, BufferedRow> values = new IdentityHashMap<>();
    return (a, b) -> {
      BufferedRow left = values.computeIfAbsent(a, each -> PartitionValues.of(columns, each));
      BufferedRow right = values.computeIfAbsent(b, each -> PartitionValues.of(columns, each));
      for (int i = 0; i < columns.size(); i++) {
        int order = left.compareTo(right, i, columns.get(i).type());
        if (order == 0) {
          order = compare(a.values().get(i), b.values().get(i));
        }
        if (order != 0) {
          return order;
        }
      }
      return 0;
    };
  }

  /** Of values that cannot be read as the column's type, or are the same in it. */
  private static int compare(@Nullable String a, @Nullable String b) {
    return Comparator.nullsFirst(Comparator.<String>naturalOrder()).compare(a, b);
  }
}
