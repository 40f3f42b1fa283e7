package dev.leat.internal.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.format.NestedCellWriter;
import dev.leat.spi.RowSink;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns the bytes of a cell into a value of its column and hands it on. Belongs to one thread. */
final class CellDecoder {
  private final List<Column> columns;
  private final Kind[] kinds;
  private final RowSink sink;
  private final byte @Nullable [] nullMarker;
  private final byte escape;
  private final boolean strict;

  private final NumberCells numbers = new NumberCells();
  private final DecimalCells decimals = new DecimalCells();
  private final TimeCells times = new TimeCells();
  private final NestedCellWriter[] nestedWriters;
  private final NestedText nested;
  private byte[] unescaped = new byte[64];

  /**
   * Creates a decoder.
   *
   * @param columns the columns to deliver, by the number that the sink gets
   */
  CellDecoder(List<Column> columns, TextLayout layout, RowSink sink) {
    this(columns, layout, layout.nullMarker().getBytes(StandardCharsets.UTF_8), sink);
  }

  /** A decoder for which no text says NULL and nothing is escaped. */
  static CellDecoder withoutNullMarker(List<Column> columns, Strictness strictness, RowSink sink) {
    TextLayout layout =
        new TextLayout((byte) ',', Optional.empty(), "", StandardCharsets.UTF_8, 0, 0, strictness);
    return new CellDecoder(columns, layout, null, sink);
  }

  private CellDecoder(
      List<Column> columns, TextLayout layout, byte @Nullable [] nullMarker, RowSink sink) {
    this.columns = columns;
    this.kinds = columns.stream().map(column -> column.type().kind()).toArray(Kind[]::new);
    this.sink = sink;
    this.nullMarker = nullMarker;
    this.escape = layout.escape().orElse((byte) 0);
    this.strict = layout.isStrict();
    this.nestedWriters = new NestedCellWriter[columns.size()];
    this.nested = new NestedText(layout);
    for (int i = 0; i < kinds.length; i++) {
      ColumnType type = columns.get(i).type();
      if (type.isNested()) {
        NestedText.check(columns.get(i));
        nestedWriters[i] = new NestedCellWriter(type);
      }
    }
  }

  /**
   * Delivers a cell.
   *
   * @param escaped whether an escape stands in the cell
   * @param ascii whether it is known that the cell is ASCII
   * @return why a strict format refuses the row, or null if it does not
   */
  @Nullable String deliver(
      int column, byte[] bytes, int start, int end, boolean escaped, boolean ascii) {
    int length = end - start;
    if (isNullMarker(bytes, start, length)) {
      return null;
    }
    Kind kind = kinds[column];
    if (kind == Kind.STRING) {
      return escaped || !(ascii || Utf8.isAscii(bytes, start, end))
          ? deliverText(column, bytes, start, end, escaped)
          : deliverBytes(column, bytes, start, length);
    }
    switch (kind) {
      case CHAR, VARCHAR -> {
        return deliverText(column, bytes, start, end, escaped);
      }
      case BINARY -> {
        return deliverBinary(column, bytes, start, end);
      }
      case ARRAY, MAP, STRUCT -> {
        return deliverNested(column, bytes, start, end);
      }
      default -> {}
    }
    if (length == 0) {
      // Hive reads no number out of nothing; and nothing is no text that somebody should look at.
      return null;
    }
    if (deliverScalar(kind, column, bytes, start, end)) {
      return null;
    }
    if (strict) {
      return "the cell is not readable as " + columns.get(column).type();
    }
    sink.unparsable(column, bytes, start, length);
    return null;
  }

  private boolean isNullMarker(byte[] bytes, int start, int length) {
    byte[] marker = nullMarker;
    if (marker == null || marker.length != length) {
      return false;
    }
    for (int i = 0; i < length; i++) {
      if (bytes[start + i] != marker[i]) {
        return false;
      }
    }
    return true;
  }

  private boolean deliverScalar(Kind kind, int column, byte[] bytes, int start, int end) {
    switch (kind) {
      case BOOLEAN -> {
        int value = NumberCells.parseBoolean(bytes, start, end);
        if (value < 0) {
          return false;
        }
        sink.setLong(column, value);
      }
      case TINYINT -> {
        return deliverWhole(column, bytes, start, end, Byte.MIN_VALUE, Byte.MAX_VALUE);
      }
      case SMALLINT -> {
        return deliverWhole(column, bytes, start, end, Short.MIN_VALUE, Short.MAX_VALUE);
      }
      case INT -> {
        return deliverWhole(column, bytes, start, end, Integer.MIN_VALUE, Integer.MAX_VALUE);
      }
      case BIGINT -> {
        return deliverWhole(column, bytes, start, end, Long.MIN_VALUE, Long.MAX_VALUE);
      }
      case FLOAT -> {
        if (!numbers.parseFloat(bytes, start, end)) {
          return false;
        }
        sink.setDouble(column, numbers.realValue());
      }
      case DOUBLE -> {
        if (!numbers.parseDouble(bytes, start, end)) {
          return false;
        }
        sink.setDouble(column, numbers.realValue());
      }
      case DECIMAL -> {
        ColumnType type = columns.get(column).type();
        if (!decimals.parse(bytes, start, end, type.precision(), type.scale())) {
          return false;
        }
        byte[] unscaled = decimals.unscaled();
        sink.setDecimal(
            column, unscaled, decimals.unscaledStart(), unscaled.length - decimals.unscaledStart());
      }
      case DATE -> {
        if (!times.parseDate(bytes, start, end)) {
          return false;
        }
        sink.setLong(column, times.epochDay());
      }
      case TIMESTAMP -> {
        if (!times.parseTimestamp(bytes, start, end)) {
          return false;
        }
        sink.setTimestamp(column, times.epochSecond(), times.nano());
      }
      default -> throw new IllegalStateException(kind + " is text");
    }
    return true;
  }

  private boolean deliverWhole(
      int column, byte[] bytes, int start, int end, long lowest, long highest) {
    if (!numbers.parseWhole(bytes, start, end, lowest, highest)) {
      return false;
    }
    sink.setLong(column, numbers.wholeValue());
    return true;
  }

  private @Nullable String deliverBytes(int column, byte[] bytes, int start, int length) {
    sink.setBytes(column, bytes, start, length);
    return null;
  }

  private @Nullable String deliverText(
      int column, byte[] bytes, int start, int end, boolean escaped) {
    byte[] text = bytes;
    int from = start;
    int to = end;
    if (escaped) {
      to = unescape(bytes, start, end);
      text = unescaped;
      from = 0;
    }
    if (!Utf8.isWellFormed(text, from, to)) {
      if (strict) {
        return "the cell is not well-formed UTF-8";
      }
      text = Utf8.repaired(text, from, to);
      from = 0;
      to = text.length;
    }
    ColumnType type = columns.get(column).type();
    if (type.kind() != Kind.STRING) {
      to = Utf8.afterCharacters(text, from, to, type.precision());
      if (type.kind() == Kind.CHAR) {
        while (to > from && text[to - 1] == ' ') {
          to--;
        }
      }
    }
    sink.setBytes(column, text, from, to - from);
    return null;
  }

  /**
   * Resolves escapes into {@link #unescaped} and gives the length. An escape at the end of a cell
   * stands for itself.
   */
  private int unescape(byte[] bytes, int start, int end) {
    if (unescaped.length < end - start) {
      unescaped = new byte[Math.max(end - start, 2 * unescaped.length)];
    }
    int length = 0;
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      if (b == escape && i + 1 < end) {
        b =
            switch (bytes[++i]) {
              case 'n' -> '\n';
              case 'r' -> '\r';
              default -> bytes[i];
            };
      }
      unescaped[length++] = b;
    }
    return length;
  }

  private @Nullable String deliverNested(int column, byte[] bytes, int start, int end) {
    Object value = nested.read(columns.get(column).type(), bytes, start, end);
    nestedWriters[column].write(value, sink, column);
    return strict ? nested.refusal() : null;
  }

  /** Bytes are written as Base64; what is no Base64 stands for itself. */
  private @Nullable String deliverBinary(int column, byte[] bytes, int start, int end) {
    if (isBase64Alphabet(bytes, start, end)) {
      byte[] cell = new byte[end - start];
      System.arraycopy(bytes, start, cell, 0, cell.length);
      try {
        byte[] decoded = Base64.getDecoder().decode(cell);
        return deliverBytes(column, decoded, 0, decoded.length);
      } catch (IllegalArgumentException e) {
        return deliverBytes(column, bytes, start, end - start);
      }
    }
    return deliverBytes(column, bytes, start, end - start);
  }

  private static boolean isBase64Alphabet(byte[] bytes, int start, int end) {
    for (int i = start; i < end; i++) {
      byte b = bytes[i];
      if (!(NumberCells.isDigit(b)
          || (b >= 'A' && b <= 'Z')
          || (b >= 'a' && b <= 'z')
          || b == '+'
          || b == '/'
          || b == '=')) {
        return false;
      }
    }
    return true;
  }
}
