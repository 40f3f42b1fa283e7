package dev.leat.internal.text;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Eight bytes of an array as one number, the first byte lowest, and tests on all eight at once
 * ("SIMD within a register"; H. S. Warren, Hacker's Delight, 6-1). A test answers with the highest
 * bit of each byte that passes; unlike the shorter formulas in use, these give no false bit above a
 * true one.
 */
final class Words {
  static final int BYTES = Long.BYTES;
  static final long HIGH_BITS = 0x8080808080808080L;
  private static final long LOW_BITS = 0x0101010101010101L;
  private static final long SEVEN_BITS = ~HIGH_BITS;

  /**
   * 0x80 - 0x20 in each byte: what lifts a printable ASCII character, and no control character,
   * into the highest bit.
   */
  private static final long CONTROL_LIFT = LOW_BITS * 0x60;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private Words() {}

  static long at(byte[] bytes, int position) {
    return (long) LONGS.get(bytes, position);
  }

  /** The byte in all eight places. */
  static long repeated(byte value) {
    return (value & 0xFF) * LOW_BITS;
  }

  /** Marks the bytes that are equal to the one that is repeated in {@code pattern}. */
  static long equal(long word, long pattern) {
    long difference = word ^ pattern;
    return ~(((difference & SEVEN_BITS) + SEVEN_BITS) | difference | SEVEN_BITS);
  }

  /**
   * Marks the bytes below 0x20: line ends, tabulators and Hive's default delimiter are among them.
   */
  static long control(long word) {
    return ~(((word & SEVEN_BITS) + CONTROL_LIFT) | word) & HIGH_BITS;
  }

  /** The place, from 0, of the first byte that is marked. */
  static int first(long marks) {
    return Long.numberOfTrailingZeros(marks) >>> 3;
  }

  /** The marks of the first {@code count} bytes; {@code count} from 1 to 7. */
  static long firstOnly(long marks, int count) {
    return marks & ((1L << (count << 3)) - 1);
  }
}
