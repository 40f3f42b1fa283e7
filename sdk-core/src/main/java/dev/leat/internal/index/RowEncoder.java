package dev.leat.internal.index;

import dev.leat.format.ColumnType;
import java.util.Arrays;

/**
 * Turns staged rows into entries: the row's hash without the segment's bits, the row's body (the
 * key's other groups, then the fields of the {@link RowLayout}), and, if the layout has bytes,
 * their count and themselves. Belongs to one thread.
 */
final class RowEncoder {
  private final KeyCodec keys;
  private final int segmentBits;
  private final RowLayout layout;
  private final ColumnType.Kind[] kinds;
  private final RowLayout.Cell[] cells;
  private final ValueDictionary[] dictionaries;
  private final int[][] ranks;
  private final int extraBits;
  private final int bodyBytes;
  private final boolean hasBytes;
  private final KeyCode code = new KeyCode();
  private final byte[] body;
  private byte[] tail = new byte[256];
  private int tailLength;

  RowEncoder(
      IndexDefinition definition,
      KeyCodec keys,
      RowLayout layout,
      int segmentBits,
      ValueDictionary[] dictionaries,
      int[][] ranks) {
    this.keys = keys;
    this.segmentBits = segmentBits;
    this.layout = layout;
    this.kinds =
        definition.columns().stream()
            .map(column -> column.type().kind())
            .toArray(ColumnType.Kind[]::new);
    this.cells = layout.cells().toArray(RowLayout.Cell[]::new);
    this.dictionaries = dictionaries;
    this.ranks = ranks;
    this.extraBits = keys.extraBits();
    this.bodyBytes = bodyBytes(keys, layout);
    this.hasBytes = layout.hasBytes();
    this.body = new byte[bodyBytes + Bits.SLACK];
  }

  /** The bytes of the body of each entry. */
  static int bodyBytes(KeyCodec keys, RowLayout layout) {
    return (keys.extraBits() + layout.bits() + 7) >>> 3;
  }

  /** For each column that is held as a code, the code of each number of its dictionary. */
  static int[][] ranks(RowLayout layout, ValueDictionary[] dictionaries, byte[][][] sorted) {
    int[][] ranks = new int[sorted.length][];
    for (int column = 0; column < sorted.length; column++) {
      ranks[column] =
          new int
              [layout.cells().get(column).storage() == RowLayout.Storage.CODE
                  ? dictionaries[column].size()
                  : 0];
      for (int i = 0; i < ranks[column].length; i++) {
        ranks[column][i] =
            Arrays.binarySearch(
                sorted[column], dictionaries[column].value(i), Arrays::compareUnsigned);
      }
    }
    return ranks;
  }

  /** Encodes the row at the staged rows' position into the buffer of its segment. */
  void encode(StagedRow row, SegmentBuffers target) {
    Arrays.fill(body, (byte) 0);
    tailLength = 0;
    row.run();
    if (!keys.encode(row.bytes(), row.offset(), row.length(), code)) {
      throw new IllegalStateException("a key is outside of the statistics of all keys");
    }
    int bit = 0;
    for (int group = 1; keys.packed() && group < keys.groups(); group++) {
      Bits.set(body, bit, code.groups[group], keys.groupWidth(group));
      bit += keys.groupWidth(group);
    }
    if (layout.keyLength().isPresent()) {
      layout.keyLength().get().set(body, extraBits, row.length());
      append(row.bytes(), row.offset(), row.length());
    }
    for (int column = 0; column < cells.length; column++) {
      Field field = cells[column].field();
      if (field != null) {
        encodeCell(row, column, field);
      }
    }
    int segment = segment(code.hash);
    int length = 8 + bodyBytes + (hasBytes ? 4 + tailLength : 0);
    byte[] buffer = target.reserve(segment, length);
    int at = target.position(segment);
    Bits.LONG.set(buffer, at, code.hash << segmentBits);
    System.arraycopy(body, 0, buffer, at + 8, bodyBytes);
    if (hasBytes) {
      Bits.INT.set(buffer, at + 8 + bodyBytes, tailLength);
      System.arraycopy(tail, 0, buffer, at + 12 + bodyBytes, tailLength);
    }
    target.added(segment, length);
  }

  private int segment(long hash) {
    return segmentBits == 0 ? 0 : (int) (hash >>> (64 - segmentBits));
  }

  /** Whether the key at a staged row's run is that of an entry. */
  boolean hasKeyOf(int segment, byte[] entry, StagedRow row) {
    if (!keys.encode(row.bytes(), row.offset(), row.length(), code)
        || segment(code.hash) != segment
        || code.hash << segmentBits != (long) Bits.LONG.get(entry, 0)) {
      return false;
    }
    int bit = 64;
    for (int group = 1; keys.packed() && group < keys.groups(); group++) {
      if (Bits.get(entry, bit, keys.groupWidth(group)) != code.groups[group]) {
        return false;
      }
      bit += keys.groupWidth(group);
    }
    int tail = 12 + bodyBytes;
    return keys.packed()
        || Arrays.equals(
            entry,
            tail,
            tail + row.length(),
            row.bytes(),
            row.offset(),
            row.offset() + row.length());
  }

  private void encodeCell(StagedRow row, int column, Field field) {
    switch (kinds[column]) {
      case STRING, CHAR, VARCHAR, BINARY, ARRAY, MAP, STRUCT -> encodeText(row, column, field);
      case DECIMAL -> encodeDecimal(row, column, field);
      default -> {
        int count = row.numberCount();
        if (count == 0) {
          field.setNull(body, extraBits);
          return;
        }
        field.set(body, extraBits, row.number(count));
        Field nanos = cells[column].nanos();
        if (nanos != null) {
          nanos.set(body, extraBits, row.nanos());
        }
      }
    }
  }

  private void encodeText(StagedRow row, int column, Field field) {
    int count = row.count();
    if (count == 0) {
      field.setNull(body, extraBits);
    } else if (cells[column].storage() == RowLayout.Storage.CODE) {
      field.set(body, extraBits, ranks[column][count - 2]);
    } else if (count == 1) {
      row.run();
      field.set(body, extraBits, row.length());
      append(row.bytes(), row.offset(), row.length());
    } else {
      byte[] value = dictionaries[column].value(count - 2);
      field.set(body, extraBits, value.length);
      append(value, 0, value.length);
    }
  }

  private void encodeDecimal(StagedRow row, int column, Field field) {
    int count = row.numberCount();
    if (count == 0) {
      field.setNull(body, extraBits);
    } else if (StagedRow.wide(count)) {
      row.run();
      field.set(body, extraBits, row.length());
      append(row.bytes(), row.offset(), row.length());
    } else if (cells[column].storage() == RowLayout.Storage.NUMBER) {
      field.set(body, extraBits, row.number(count));
    } else {
      byte[] value = Numbers.toBigEndian(row.number(count));
      field.set(body, extraBits, value.length);
      append(value, 0, value.length);
    }
  }

  private void append(byte[] bytes, int offset, int length) {
    if (tail.length - tailLength < length) {
      tail = Arrays.copyOf(tail, Math.max(tail.length * 2, tailLength + length));
    }
    System.arraycopy(bytes, offset, tail, tailLength, length);
    tailLength += length;
  }
}
