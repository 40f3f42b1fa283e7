package dev.leat.internal.index;

import dev.leat.format.ColumnType;

/**
 * The intermediate form of a row while the layout of the index is not known: the key's length and
 * bytes, then the cells of the other columns. A cell is one count: 0 for NULL, 1 for bytes, with
 * their length and themselves behind it, or 2 and more for the number of a value in its {@link
 * ValueDictionary}; or, for a number, the count of its bytes plus 1, and these bytes.
 *
 * <p>Counts have seven bits per byte, the lowest first. All writers give the place behind what they
 * wrote, and may overwrite up to {@link Bits#SLACK} bytes behind it.
 */
final class StagedRow {
  /**
   * A number's count for a decimal of more than 64 bits: the length and the bytes stand behind it.
   */
  private static final int WIDE = 10;

  private final byte[] bytes;
  private int position;
  private int offset;
  private int length;

  StagedRow(byte[] bytes) {
    this.bytes = bytes;
  }

  static int putCount(byte[] target, int at, int count) {
    int left = count;
    int position = at;
    while (left > 0x7f) {
      target[position++] = (byte) (left | 0x80);
      left >>>= 7;
    }
    target[position++] = (byte) left;
    return position;
  }

  static int putNull(byte[] target, int at) {
    target[at] = 0;
    return at + 1;
  }

  static int putCode(byte[] target, int at, int code) {
    return putCount(target, at, code + 2);
  }

  static int putBytes(byte[] target, int at, byte[] source, int from, int count) {
    int position = putCount(target, putCount(target, at, 1), count);
    System.arraycopy(source, from, target, position, count);
    return position + count;
  }

  static int putNumber(byte[] target, int at, long value) {
    long zigzag = Bits.zigzag(value);
    int count = (Bits.width(zigzag) + 7) / 8;
    target[at] = (byte) (count + 1);
    Bits.LONG.set(target, at + 1, zigzag);
    return at + 1 + count;
  }

  static int putWide(byte[] target, int at, byte[] source, int from, int count) {
    target[at] = WIDE;
    int position = putCount(target, at + 1, count);
    System.arraycopy(source, from, target, position, count);
    return position + count;
  }

  static int putNanos(byte[] target, int at, int nanos) {
    Bits.INT.set(target, at, nanos);
    return at + 4;
  }

  /** Goes to the row at a place. */
  void seek(int place) {
    position = place;
  }

  /** The place of what is read next. */
  int position() {
    return position;
  }

  byte[] bytes() {
    return bytes;
  }

  int count() {
    int value = 0;
    for (int shift = 0; ; shift += 7) {
      byte next = bytes[position++];
      value |= (next & 0x7f) << shift;
      if (next >= 0) {
        return value;
      }
    }
  }

  /** Reads a length and that many bytes, which then are at {@link #offset}. */
  void run() {
    length = count();
    offset = position;
    position += length;
  }

  int offset() {
    return offset;
  }

  int length() {
    return length;
  }

  /** Reads the count in front of a number: 0 for NULL. */
  int numberCount() {
    return bytes[position++];
  }

  /** Whether a number's count says that it is wide. */
  static boolean wide(int count) {
    return count == WIDE;
  }

  long number(int count) {
    long zigzag = (long) Bits.LONG.get(bytes, position) & Bits.mask((count - 1) * 8);
    position += count - 1;
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  /** Goes behind a cell of a column of some kind. */
  void skipCell(ColumnType.Kind kind) {
    switch (kind) {
      case STRING, CHAR, VARCHAR, BINARY, ARRAY, MAP, STRUCT -> {
        if (count() == 1) {
          run();
        }
      }
      default -> {
        int count = numberCount();
        if (wide(count)) {
          run();
        } else if (count > 0) {
          position += count - 1 + (kind == ColumnType.Kind.TIMESTAMP ? 4 : 0);
        }
      }
    }
  }

  int nanos() {
    position += 4;
    return (int) Bits.INT.get(bytes, position - 4);
  }
}
