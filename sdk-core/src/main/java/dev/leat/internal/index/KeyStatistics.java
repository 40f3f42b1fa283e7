package dev.leat.internal.index;

/**
 * Which bytes occur at which position of the keys, and how long they are. Belongs to one thread
 * until it is merged.
 */
final class KeyStatistics {
  /** Keys that are longer are hashed, not packed. */
  static final int MAX_POSITIONS = 64;

  private final long[] alphabets = new long[MAX_POSITIONS * 4];
  private int minLength = Integer.MAX_VALUE;
  private int maxLength;

  void add(byte[] key, int offset, int length) {
    minLength = Math.min(minLength, length);
    maxLength = Math.max(maxLength, length);
    int positions = Math.min(length, MAX_POSITIONS);
    for (int i = 0; i < positions; i++) {
      int value = key[offset + i] & 0xff;
      int word = i * 4 + (value >>> 6);
      if ((alphabets[word] >>> value & 1) == 0) {
        alphabets[word] |= 1L << value;
      }
    }
  }

  void merge(KeyStatistics other) {
    minLength = Math.min(minLength, other.minLength);
    maxLength = Math.max(maxLength, other.maxLength);
    for (int i = 0; i < alphabets.length; i++) {
      alphabets[i] |= other.alphabets[i];
    }
  }

  int minLength() {
    return Math.min(minLength, maxLength);
  }

  int maxLength() {
    return maxLength;
  }

  /** The set of bytes at a position, as 256 bits. */
  long[] alphabet(int position) {
    return new long[] {
      alphabets[position * 4],
      alphabets[position * 4 + 1],
      alphabets[position * 4 + 2],
      alphabets[position * 4 + 3]
    };
  }
}
