package dev.leat.internal.index;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.util.Arrays;

/** Reads what a {@link ByteWriter} wrote, within bounds. */
final class ByteReader {
  private final byte[] bytes;
  private final String name;
  private int position;

  ByteReader(byte[] bytes, String name) {
    this.bytes = bytes;
    this.name = name;
  }

  int u8() {
    need(1);
    return bytes[position++] & 0xff;
  }

  int i32() {
    need(4);
    int value = (int) Bits.INT.get(bytes, position);
    position += 4;
    return value;
  }

  /** A number from 0 to {@code max}. */
  int count(int max) {
    int value = i32();
    if (value < 0 || value > max) {
      throw damaged("has the number " + value + " where at most " + max + " can stand");
    }
    return value;
  }

  long i64() {
    need(8);
    long value = (long) Bits.LONG.get(bytes, position);
    position += 8;
    return value;
  }

  byte[] raw(int length) {
    need(length);
    position += length;
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  int left() {
    return bytes.length - position;
  }

  LeatException damaged(String what) {
    return new LeatException(
        ErrorCode.INDEX_DAMAGED,
        "the index file "
            + name
            + " "
            + what
            + "; delete the index, it is built again from the source");
  }

  private void need(int count) {
    if (bytes.length - position < count) {
      throw damaged("ends too early");
    }
  }
}
