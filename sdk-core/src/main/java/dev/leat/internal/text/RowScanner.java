package dev.leat.internal.text;

import dev.leat.format.Column;
import dev.leat.spi.RowSink;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Cuts bytes into rows and cells in one pass. The bytes come in pieces: {@link #scan} takes as many
 * as there are, and what it still needs, the beginning of a cell at most, is kept by the caller in
 * front of the next piece. Belongs to one thread.
 *
 * <p>A line ends with LF, CR or CR LF, as in Hadoop's {@code LineReader}; nothing takes the meaning
 * off a line end. A delimiter after an escape belongs to the cell.
 */
final class RowScanner {
  private static final byte LF = '\n';
  private static final byte CR = '\r';

  /** The value of {@link #column} when only the end of the line is still of interest. */
  private static final int REST_OF_LINE = Integer.MAX_VALUE;

  private final RowSink sink;
  private final CellDecoder decoder;

  /** For each cell of a line, up to the last that is delivered, the number of its column, or -1. */
  private final int[] targets;

  private final int declaredColumns;
  private final byte delimiter;
  private final long delimiterPattern;
  private final boolean escapes;
  private final byte escape;
  private final long escapePattern;
  private final boolean strict;

  /** Where in the file {@code bytes[0]} is. */
  private long base;

  private int position;
  private int cellStart;
  private int column;
  private int escapedAt = -1;
  private boolean cellEscaped;
  private boolean inRow;
  private boolean afterCr;
  private long seenInRow;
  private long line;

  private int refusedColumn;
  private @Nullable String refusal;

  /**
   * Creates a scanner.
   *
   * @param columns the columns to deliver
   * @param targets for each cell of a line, up to the last that is delivered, the position of its
   *     column in {@code columns}, or -1
   * @param declaredColumns how many cells a line has
   * @param firstLine the number of the first line, or -1 where it is not known
   */
  RowScanner(
      List<Column> columns,
      int[] targets,
      int declaredColumns,
      TextLayout layout,
      RowSink sink,
      long firstLine) {
    this.sink = sink;
    this.decoder = new CellDecoder(columns, layout, sink);
    this.targets = targets;
    this.declaredColumns = declaredColumns;
    this.delimiter = layout.delimiter();
    this.delimiterPattern = Words.repeated(delimiter);
    this.escapes = layout.escape().isPresent();
    this.escape = layout.escape().orElse(delimiter);
    this.escapePattern = Words.repeated(escape);
    this.strict = layout.isStrict();
    this.line = firstLine;
  }

  /** Whether a row has begun and not ended. */
  boolean inRow() {
    return inRow;
  }

  /** The first byte that is still needed: the caller keeps those from here to the end. */
  int keepFrom() {
    return column == REST_OF_LINE || !inRow ? position : cellStart;
  }

  /**
   * Says that the bytes have moved in the array.
   *
   * @param shift by how many places to the front
   */
  void shifted(int shift) {
    base += shift;
    position -= shift;
    cellStart -= shift;
    escapedAt -= shift;
  }

  /** Begins at a place in the file that is the beginning of a line. */
  void startAt(long fileOffset, int positionInArray) {
    base = fileOffset - positionInArray;
    position = positionInArray;
    inRow = false;
    afterCr = false;
  }

  /**
   * Takes all bytes up to {@code limit}. The array must have seven bytes more than that.
   *
   * @param rowsEnd the place in the file at which and after which no row begins any more
   * @return whether there may be more rows
   */
  boolean scan(byte[] bytes, int limit, long rowsEnd) {
    if (!inRow && !beginRow(bytes, limit, rowsEnd)) {
      return position >= limit;
    }
    int pos = position;
    while (pos < limit) {
      if (column == REST_OF_LINE) {
        pos = lineEnd(bytes, pos, limit);
        if (pos == limit) {
          break;
        }
        position = pos;
        if (!endLine(bytes, limit, rowsEnd)) {
          return position >= limit;
        }
        pos = position;
        continue;
      }
      long word = Words.at(bytes, pos);
      seenInRow |= word;
      long specials = Words.equal(word, delimiterPattern) | Words.control(word);
      if (escapes) {
        specials |= Words.equal(word, escapePattern);
      }
      if (limit - pos < Words.BYTES) {
        specials = Words.firstOnly(specials, limit - pos);
      }
      int next = pos + Words.BYTES;
      while (specials != 0) {
        int at = pos + Words.first(specials);
        specials &= specials - 1;
        byte special = bytes[at];
        if (special == delimiter) {
          if (at == escapedAt) {
            continue;
          }
          endCell(bytes, at);
          cellStart = at + 1;
          if (++column >= targets.length && !strict) {
            column = REST_OF_LINE;
            next = at + 1;
            break;
          }
        } else if (special == LF || special == CR) {
          endCell(bytes, at);
          position = at;
          if (!endLine(bytes, limit, rowsEnd)) {
            return position >= limit;
          }
          seenInRow = word;
          if (position > at + 1) {
            // The line ended with CR LF: the LF is the next mark, in this word or the next.
            if (position > next) {
              next = position;
            } else {
              specials &= specials - 1;
            }
          }
        } else if (escapes && special == escape && at != escapedAt) {
          escapedAt = at + 1;
          cellEscaped = true;
        }
      }
      pos = next;
    }
    position = limit;
    return true;
  }

  /** Ends the row that the file ends in the middle of. */
  void endOfFile(byte[] bytes) {
    if (inRow) {
      if (column != REST_OF_LINE) {
        endCell(bytes, position);
      }
      endRow();
    }
  }

  /** Leaves out the cell that has begun, since it is too long to be kept, and refuses its row. */
  void abandonCell(String reason) {
    refuse(column < targets.length ? targets[column] : -1, reason);
    column = REST_OF_LINE;
  }

  /** Refuses a line of which nothing was scanned. */
  void refuseLine(long fileOffset, String reason) {
    sink.beginRow(fileOffset);
    column = REST_OF_LINE;
    refuse(-1, reason);
    endRow();
  }

  private void endCell(byte[] bytes, int end) {
    int target = column < targets.length ? targets[column] : -1;
    if (target >= 0 && refusal == null) {
      String reason =
          decoder.deliver(
              target, bytes, cellStart, end, cellEscaped, (seenInRow & Words.HIGH_BITS) == 0);
      if (reason != null) {
        refuse(target, reason);
      }
    }
    if (strict && column == declaredColumns && end > cellStart) {
      // An empty cell after the last column is a delimiter that ends the line, as the TPC tools
      // write it.
      refuse(-1, "the line has more cells than the " + declaredColumns + " columns");
    }
    cellEscaped = false;
  }

  private void refuse(int target, String reason) {
    if (refusal == null) {
      refusedColumn = target;
      refusal = reason;
    }
  }

  /**
   * Ends the line whose end is at {@link #position}, and begins the next.
   *
   * @return whether one has begun
   */
  private boolean endLine(byte[] bytes, int limit, long rowsEnd) {
    endRow();
    afterCr = bytes[position] == CR;
    position++;
    return beginRow(bytes, limit, rowsEnd);
  }

  private void endRow() {
    inRow = false;
    if (strict && column != REST_OF_LINE) {
      checkCellCount();
    }
    if (refusal == null) {
      sink.endRow();
    } else {
      String reason = refusal;
      refusal = null;
      sink.reject(line, refusedColumn, reason);
    }
    if (line > 0) {
      line++;
    }
  }

  private void checkCellCount() {
    int cells = column + 1;
    // One cell more that is not empty was refused when it ended.
    if (cells < declaredColumns || cells > declaredColumns + 1) {
      refuse(-1, "the line has " + cells + " cells for " + declaredColumns + " columns");
    }
  }

  /** Begins a row if there is a byte of it and it begins before {@code rowsEnd}. */
  private boolean beginRow(byte[] bytes, int limit, long rowsEnd) {
    if (position >= limit) {
      return false;
    }
    if (afterCr) {
      afterCr = false;
      if (bytes[position] == LF && ++position >= limit) {
        return false;
      }
    }
    if (base + position >= rowsEnd) {
      return false;
    }
    sink.beginRow(base + position);
    inRow = true;
    column = 0;
    cellStart = position;
    cellEscaped = false;
    escapedAt = -1;
    seenInRow = 0;
    return true;
  }

  /**
   * The place of the next line end, or {@code limit}. The array must have seven bytes more than
   * that.
   */
  static int lineEnd(byte[] bytes, int from, int limit) {
    for (int pos = from; pos < limit; pos += Words.BYTES) {
      long marks = Words.control(Words.at(bytes, pos));
      while (marks != 0) {
        int at = pos + Words.first(marks);
        if (at >= limit) {
          return limit;
        }
        if (bytes[at] == LF || bytes[at] == CR) {
          return at;
        }
        marks &= marks - 1;
      }
    }
    return limit;
  }
}
