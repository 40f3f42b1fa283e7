package dev.leat.internal.index;

import static java.util.Objects.requireNonNull;

import dev.leat.DuplicateKeys;
import dev.leat.format.Column;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What an index holds.
 *
 * @param columns the columns that are kept, in the order in which the {@link dev.leat.spi.RowSink}
 *     gets them
 * @param keyColumns the positions of the key's columns in {@code columns}, in the order of the key
 *     type's components
 * @param duplicates which rows are kept where several have the same key
 * @param requiredColumns the positions of the columns whose NULL makes a row malformed, because the
 *     target's component is primitive
 */
public record IndexDefinition(
    List<Column> columns,
    List<Integer> keyColumns,
    DuplicateKeys duplicates,
    Set<Integer> requiredColumns) {

  /** Checks that the positions exist. */
  public IndexDefinition {
    columns = List.copyOf(columns);
    keyColumns = List.copyOf(keyColumns);
    requireNonNull(duplicates, "duplicates");
    requiredColumns = Set.copyOf(requiredColumns);
    if (keyColumns.isEmpty() || new HashSet<>(keyColumns).size() != keyColumns.size()) {
      throw new IllegalArgumentException(
          "the key columns are " + keyColumns + "; there must be at least one, and none twice");
    }
    for (int position : keyColumns) {
      checkPosition(position, columns);
    }
    for (int position : requiredColumns) {
      checkPosition(position, columns);
    }
  }

  private static void checkPosition(int position, List<Column> columns) {
    if (position < 0 || position >= columns.size()) {
      throw new IllegalArgumentException(
          "there is no column " + position + "; the positions are 0 to " + (columns.size() - 1));
    }
  }
}
