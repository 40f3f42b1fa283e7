package dev.leat.internal.index;

/** Numbers in two's complement, as {@link java.math.BigInteger#toByteArray} gives them. */
final class Numbers {
  private Numbers() {}

  /** The number in 1 to 8 bytes, the highest first. */
  static long fromBigEndian(byte[] bytes, int offset, int length) {
    long value = bytes[offset];
    for (int i = 1; i < length; i++) {
      value = value << 8 | bytes[offset + i] & 0xff;
    }
    return value;
  }

  /** How many of the bytes are needed: those in front that only repeat the sign are not. */
  static int significantLength(byte[] bytes, int offset, int length) {
    int skip = 0;
    while (length - skip > 1 && bytes[offset + skip] == bytes[offset + skip + 1] >> 7) {
      skip++;
    }
    return length - skip;
  }

  /** How many bytes the shortest form of a number has. */
  static int significantLength(long value) {
    return (64 - Long.numberOfLeadingZeros(value ^ value >> 63)) / 8 + 1;
  }

  /** The shortest big-endian form of a number. */
  static byte[] toBigEndian(long value) {
    int length = significantLength(value);
    byte[] bytes = new byte[length];
    for (int i = length - 1; i >= 0; i--) {
      bytes[i] = (byte) (value >> 8 * (length - 1 - i));
    }
    return bytes;
  }
}
