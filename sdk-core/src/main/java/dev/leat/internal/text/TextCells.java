package dev.leat.internal.text;

import dev.leat.format.Column;
import dev.leat.spi.RowSink;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Single cells that are given as text, outside of a file. */
public final class TextCells {
  /** Nothing is the NULL marker, since NULL is told otherwise; U+FFFF is no character. */
  private static final TextLayout LAYOUT =
      new TextLayout(
          (byte) 1, Optional.empty(), "\uffff", StandardCharsets.UTF_8, 0, 0, Strictness.LENIENT);

  private TextCells() {}

  /**
   * Gives a sink the value that a text is in a column, or that it cannot be read as its type.
   *
   * @param columns the columns of the row
   * @param number the number of the column
   */
  public static void read(List<Column> columns, int number, String text, RowSink sink) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    new CellDecoder(columns, LAYOUT, sink).deliver(number, bytes, 0, bytes.length, false, false);
  }
}
