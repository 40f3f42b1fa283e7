package dev.leat.internal.index;

import dev.leat.spi.FileSplit;
import java.util.List;
import java.util.OptionalLong;

/**
 * What is left of a split when its sink is closed.
 *
 * @param fileOrdinal the position of the file
 * @param chunks its staged rows, in order
 * @param rows all its rows, also those that are not kept
 * @param firstLine the number of the line that is the file's first row, where each row is a line
 * @param rejected the first of its malformed rows
 * @param unparsable the first of its cells that cannot be read
 */
record StagedSplit(
    FileSplit split,
    int fileOrdinal,
    List<Piece> chunks,
    long rows,
    OptionalLong firstLine,
    List<Incident> rejected,
    List<Incident> unparsable) {

  /**
   * A bad place in the source.
   *
   * @param offset the offset of the row
   * @param row how many rows of the split are before it
   * @param line the number of the line, or -1 where the format did not say it
   * @param column the name of the column, or nothing
   * @param reason what is wrong
   */
  record Incident(long offset, long row, long line, String column, String reason) {}
}
