package dev.leat.internal.text;

import java.util.ArrayList;
import java.util.List;

/**
 * Cuts a line into cells as the parser that Hive's {@code OpenCSVSerde} uses (opencsv 2.3) does,
 * down to what it makes of quotes in odd places. Belongs to one thread.
 */
final class CsvLine {
  private final char separator;
  private final char quote;
  private final char escape;
  private final StringBuilder cell = new StringBuilder();
  private final List<String> cells = new ArrayList<>();

  CsvLine(char separator, char quote, char escape) {
    this.separator = separator;
    this.quote = quote;
    this.escape = escape;
  }

  /**
   * The cells of a line; valid until the next call. A cell whose quote is not closed is not among
   * them, and an empty line has none.
   */
  List<String> cells(String line) {
    cells.clear();
    cell.setLength(0);
    if (line.isEmpty()) {
      return cells;
    }
    boolean inQuotes = false;
    boolean inCell = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      char next = i + 1 < line.length() ? line.charAt(i + 1) : 0;
      boolean more = i + 1 < line.length();
      if (c == escape) {
        if ((inQuotes || inCell) && more && (next == quote || next == escape)) {
          cell.append(next);
          i++;
        }
      } else if (c == quote) {
        if ((inQuotes || inCell) && more && next == quote) {
          cell.append(next);
          i++;
        } else {
          if (isInTheMiddle(line, i)) {
            if (isBlank(cell)) {
              cell.setLength(0);
            } else {
              cell.append(c);
            }
          }
          inQuotes = !inQuotes;
        }
        inCell = !inCell;
      } else if (c == separator && !inQuotes) {
        cells.add(cell.toString());
        cell.setLength(0);
        inCell = false;
      } else {
        cell.append(c);
        inCell = true;
      }
    }
    if (!inQuotes) {
      cells.add(cell.toString());
    }
    return cells;
  }

  /**
   * Whether a quote neither begins nor ends a cell; the first three characters count as a
   * beginning.
   */
  private boolean isInTheMiddle(String line, int i) {
    return i > 2
        && line.charAt(i - 1) != separator
        && i + 1 < line.length()
        && line.charAt(i + 1) != separator;
  }

  private static boolean isBlank(StringBuilder text) {
    if (text.length() == 0) {
      return false;
    }
    for (int i = 0; i < text.length(); i++) {
      if (!Character.isWhitespace(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }
}
