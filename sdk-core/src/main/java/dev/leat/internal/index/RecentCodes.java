package dev.leat.internal.index;

/**
 * The numbers of values that a column had a short while ago, in front of its {@link
 * ValueDictionary}: what is at most 15 bytes long is compared as two numbers, without a hash of the
 * bytes and without following a reference. A value that is not here may be in the dictionary.
 * Belongs to one thread.
 */
final class RecentCodes {
  /** The longest value that is remembered: its length takes the last of 16 bytes. */
  private static final int MAX_LENGTH = 15;

  private static final int SLOT_BITS = 8;
  private static final long M1 = 0x9e3779b97f4a7c15L;
  private static final long M2 = 0xc4ceb9fe1a85ec53L;

  private final long[] words = new long[2 << SLOT_BITS];
  private final int[] codes = new int[1 << SLOT_BITS];
  private long low;
  private long high;
  private int slot;

  /**
   * The number of a value, or {@link ValueDictionary#NONE} if it is not remembered; then {@link
   * #remember} may be called with its number.
   */
  int find(byte[] bytes, int offset, int length) {
    if (length > MAX_LENGTH || bytes.length - offset < 2 * Long.BYTES) {
      slot = -1;
      return ValueDictionary.NONE;
    }
    low = (long) Bits.LONG.get(bytes, offset);
    if (length < Long.BYTES) {
      low &= (1L << (length << 3)) - 1;
      high = 0;
    } else {
      high =
          (long) Bits.LONG.get(bytes, offset + Long.BYTES) & (1L << (length - Long.BYTES << 3)) - 1;
    }
    // The length makes the last byte, which no remembered value reaches; plus one, so that no value
    // looks like an unused place.
    high |= (length + 1L) << 56;
    slot = (int) ((low * M1 ^ high * M2) >>> (64 - SLOT_BITS));
    return words[2 * slot] == low && words[2 * slot + 1] == high
        ? codes[slot]
        : ValueDictionary.NONE;
  }

  /** Remembers the number of the value that was not found last. */
  void remember(int code) {
    if (slot >= 0) {
      words[2 * slot] = low;
      words[2 * slot + 1] = high;
      codes[slot] = code;
    }
  }
}
