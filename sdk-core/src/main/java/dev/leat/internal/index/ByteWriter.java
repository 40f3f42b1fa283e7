package dev.leat.internal.index;

import java.util.Arrays;

/** Appends numbers and bytes to an array that grows. */
final class ByteWriter {
  private byte[] bytes = new byte[256];
  private int length;

  ByteWriter u8(int value) {
    ensure(1);
    bytes[length++] = (byte) value;
    return this;
  }

  ByteWriter i32(int value) {
    ensure(4);
    Bits.INT.set(bytes, length, value);
    length += 4;
    return this;
  }

  ByteWriter i64(long value) {
    ensure(8);
    Bits.LONG.set(bytes, length, value);
    length += 8;
    return this;
  }

  ByteWriter raw(byte[] value) {
    ensure(value.length);
    System.arraycopy(value, 0, bytes, length, value.length);
    length += value.length;
    return this;
  }

  int length() {
    return length;
  }

  byte[] toBytes() {
    return Arrays.copyOf(bytes, length);
  }

  private void ensure(int more) {
    if (bytes.length - length < more) {
      bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, Math.addExact(length, more)));
    }
  }
}
