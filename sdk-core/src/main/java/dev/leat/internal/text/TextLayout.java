package dev.leat.internal.text;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * How the cells of a row stand in a line.
 *
 * @param delimiter ends a cell; an ASCII character other than a line end
 * @param escape takes the meaning off the character that follows; an ASCII character
 * @param collectionDelimiter ends an element, an entry or a field within a cell that has parts
 * @param mapKeyDelimiter ends the key of an entry
 * @param nullMarker the text, before escapes are resolved, that says NULL
 * @param charset of the file: a superset of ASCII
 * @param headerLines how many lines at the beginning of each file are not rows
 * @param footerLines how many lines at the end of each file are not rows
 * @param strictness what is done with a line that does not fit the columns
 */
public record TextLayout(
    byte delimiter,
    Optional<Byte> escape,
    byte collectionDelimiter,
    byte mapKeyDelimiter,
    String nullMarker,
    Charset charset,
    int headerLines,
    int footerLines,
    Strictness strictness) {

  /** Hive's own where a table names none. */
  public static final char COLLECTION_DELIMITER = '\002';

  /** Hive's own where a table names none. */
  public static final char MAP_KEY_DELIMITER = '\003';

  /** A layout with Hive's own delimiters within cells. */
  TextLayout(
      byte delimiter,
      Optional<Byte> escape,
      String nullMarker,
      Charset charset,
      int headerLines,
      int footerLines,
      Strictness strictness) {
    this(
        delimiter,
        escape,
        (byte) COLLECTION_DELIMITER,
        (byte) MAP_KEY_DELIMITER,
        nullMarker,
        charset,
        headerLines,
        footerLines,
        strictness);
  }

  boolean isStrict() {
    return strictness == Strictness.STRICT;
  }

  /** Whether lines must be converted to UTF-8 before they are cut into cells. */
  boolean needsTranscoding() {
    return !charset.equals(StandardCharsets.UTF_8);
  }
}
