package dev.leat.internal.text;

import java.util.Optional;

/**
 * How the cells of a row stand in a line of CSV.
 *
 * @param separator ends a cell
 * @param quote begins and ends what may hold a separator
 * @param escape takes the meaning off a quote or an escape that follows within a cell
 * @param nullMarker the text that says NULL; where there is none, only a missing cell is NULL
 * @param charset of the file: a superset of ASCII
 * @param headerLines how many lines at the beginning of each file are not rows
 * @param footerLines how many lines at the end of each file are not rows
 * @param strictness what is done with a line that does not fit the columns
 */
public record CsvLayout(
    char separator,
    char quote,
    char escape,
    Optional<String> nullMarker,
    String charset,
    int headerLines,
    int footerLines,
    Strictness strictness) {

  CsvLine line() {
    return new CsvLine(separator, quote, escape);
  }
}
