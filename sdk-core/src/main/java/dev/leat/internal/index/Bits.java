package dev.leat.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Bit fields in byte arrays: bit {@code i} is bit {@code i % 8}, counted from the lowest, of byte
 * {@code i / 8}.
 */
final class Bits {
  /** The bytes behind its end that an array must have where fields are read or written. */
  static final int SLACK = 16;

  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private Bits() {}

  /** How many bits hold every number from 0 to {@code max}, read as unsigned. */
  static int width(long max) {
    return 64 - Long.numberOfLeadingZeros(max);
  }

  /** A number with the lowest {@code width} bits set. */
  static long mask(int width) {
    return width == 0 ? 0 : -1L >>> (64 - width);
  }

  /** Sets a field of at most 64 bits that is zero so far. */
  static void set(byte[] target, long bit, long value, int width) {
    if (width == 0) {
      return;
    }
    int index = Math.toIntExact(bit >>> 3);
    int shift = (int) (bit & 7);
    LONG.set(target, index, (long) LONG.get(target, index) | value << shift);
    if (shift + width > 64) {
      target[index + 8] |= (byte) (value >>> (64 - shift));
    }
  }

  /** Reads a field of at most 64 bits. */
  static long get(byte[] source, long bit, int width) {
    int index = Math.toIntExact(bit >>> 3);
    int shift = (int) (bit & 7);
    long value = (long) LONG.get(source, index) >>> shift;
    if (shift + width > 64) {
      value |= (source[index + 8] & 0xffL) << (64 - shift);
    }
    return value & mask(width);
  }

  /** Copies {@code count} bits into a range that is zero so far. */
  static void copy(byte[] source, long sourceBit, byte[] target, long targetBit, int count) {
    for (int done = 0; done < count; done += 56) {
      int width = Math.min(56, count - done);
      set(target, targetBit + done, get(source, sourceBit + done, width), width);
    }
  }

  /**
   * The upper 64 bits of the product of two unsigned numbers, of which the second is below
   * 2<sup>63</sup>.
   */
  static long multiplyHigh(long unsigned, long positive) {
    return Math.multiplyHigh(unsigned, positive) + ((unsigned >> 63) & positive);
  }

  /** Numbers of small magnitude, of either sign, as small unsigned numbers. */
  static long zigzag(long value) {
    return (value << 1) ^ (value >> 63);
  }
}
