package dev.leat.internal.index;

/** What is known of all rows of a build, summed up over its splits. Guarded by the builder. */
final class BuildCounts {
  final KeyStatistics keys = new KeyStatistics();
  final ColumnStatistics[] columns;
  long rows;
  long keptRows;
  long nullKeyRows;
  long filteredRows;
  long rejectedRows;
  long unparsableCells;

  /** The bytes of all cells of the rows that are kept, as if there were no dictionaries. */
  long rawBytes;

  BuildCounts(int columnCount) {
    columns = new ColumnStatistics[columnCount];
    for (int i = 0; i < columnCount; i++) {
      columns[i] = new ColumnStatistics();
    }
  }
}
