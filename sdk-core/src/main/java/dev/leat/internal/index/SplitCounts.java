package dev.leat.internal.index;

/**
 * What was counted in a split.
 *
 * @param rows all rows
 * @param nullKeyRows rows without a key
 * @param filteredRows rows that the filter left out
 * @param rejectedRows malformed rows
 * @param unparsableCells cells that became NULL
 */
record SplitCounts(
    long rows, long nullKeyRows, long filteredRows, long rejectedRows, long unparsableCells) {
  void writeTo(ByteWriter out) {
    out.i64(rows).i64(nullKeyRows).i64(filteredRows).i64(rejectedRows).i64(unparsableCells);
  }

  static SplitCounts readFrom(ByteReader in) {
    return new SplitCounts(in.i64(), in.i64(), in.i64(), in.i64(), in.i64());
  }
}
