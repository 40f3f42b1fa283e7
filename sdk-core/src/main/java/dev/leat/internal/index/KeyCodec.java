package dev.leat.internal.index;

import java.util.ArrayList;
import java.util.List;

/**
 * Turns the bytes of a key into the number by which its row is found.
 *
 * <p><i>Packed</i> keys: for each position the set of bytes that occur there is known, so that the
 * bytes of a key are the digits of a number in a mixed radix; a constant position costs nothing,
 * ten digits cost 3.3 bits. A key that has another byte, or another length, is in no row. The
 * number is cut into up to four groups of at most 56 bits; the first, permuted, is the <i>hash</i>,
 * which says the place of the row; what the place does not say, and the other groups, stand beside
 * the row, so that a packed key is found exactly. <i>Hashed</i> keys, which are too long or too
 * varied for that, have a 64-bit hash, and stand in their row.
 *
 * <p>Immutable and thread-safe.
 */
final class KeyCodec {
  /** The most groups of a packed key. */
  static final int MAX_GROUPS = 4;

  private static final long MAX_GROUP = 1L << 56;

  private final boolean packed;
  private final int minLength;
  private final int maxLength;
  private final long[] alphabets;
  private final long seed;

  /**
   * What a byte at a position adds to its group, at {@code position << 8 | byte}; negative where it
   * does not occur.
   */
  private final long[] weights;

  /** Where each group's positions end. */
  private final int[] ends;

  /** The bits of each group. */
  private final int[] widths;

  private KeyCodec(boolean packed, int minLength, int maxLength, long[] alphabets, long seed) {
    this.packed = packed;
    this.minLength = minLength;
    this.maxLength = maxLength;
    this.alphabets = alphabets;
    this.seed = seed;
    this.weights = new long[packed ? maxLength << 8 : 0];
    List<Integer> endList = new ArrayList<>();
    List<Integer> widthList = new ArrayList<>();
    long product = 1;
    for (int position = 0; packed && position < maxLength; position++) {
      int end = position >= minLength ? 1 : 0;
      int radix = end + cardinality(position);
      if (product > MAX_GROUP / radix) {
        endList.add(position);
        widthList.add(Math.max(1, Bits.width(product - 1)));
        product = 1;
      }
      int rank = end;
      for (int value = 0; value < 256; value++) {
        boolean occurs = (alphabets[position * 4 + (value >>> 6)] >>> value & 1) != 0;
        weights[position << 8 | value] = occurs ? rank++ * product : -1;
      }
      product *= radix;
    }
    endList.add(maxLength);
    widthList.add(Math.max(1, Bits.width(product - 1)));
    this.ends = endList.stream().mapToInt(Integer::intValue).toArray();
    this.widths = widthList.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The codec for keys of which the statistics are known: packed where possible. */
  static KeyCodec of(KeyStatistics statistics) {
    if (statistics.maxLength() <= KeyStatistics.MAX_POSITIONS) {
      long[] alphabets = new long[statistics.maxLength() * 4];
      for (int position = 0; position < statistics.maxLength(); position++) {
        System.arraycopy(statistics.alphabet(position), 0, alphabets, position * 4, 4);
      }
      KeyCodec codec =
          new KeyCodec(true, statistics.minLength(), statistics.maxLength(), alphabets, 0);
      if (codec.widths.length <= MAX_GROUPS) {
        return codec;
      }
    }
    return new KeyCodec(false, statistics.minLength(), statistics.maxLength(), new long[0], 0);
  }

  /** The same with another permutation or hash function. */
  KeyCodec withSeed(long newSeed) {
    return new KeyCodec(packed, minLength, maxLength, alphabets, newSeed);
  }

  boolean packed() {
    return packed;
  }

  int minLength() {
    return minLength;
  }

  int maxLength() {
    return maxLength;
  }

  /** How many of the hash's highest bits carry something; the others are zero. */
  int hashBits() {
    return packed ? widths[0] : 64;
  }

  /** Whether a byte from a range may stand in a key. */
  boolean mayHave(char from, char to) {
    for (int position = 0; packed && position < maxLength; position++) {
      for (int value = from; value <= to; value++) {
        if ((alphabets[position * 4 + (value >>> 6)] >>> value & 1) != 0) {
          return true;
        }
      }
    }
    return !packed;
  }

  /** How many groups a packed key has. */
  int groups() {
    return widths.length;
  }

  /** The bits of a group of a packed key. */
  int groupWidth(int group) {
    return widths[group];
  }

  /** The bits of all groups but the first, which stand beside the row. */
  int extraBits() {
    int sum = 0;
    for (int group = 1; packed && group < widths.length; group++) {
      sum += widths[group];
    }
    return sum;
  }

  /**
   * Encodes a key.
   *
   * @return whether a row may have it
   */
  boolean encode(byte[] key, int offset, int length, KeyCode code) {
    if (!packed) {
      code.hash = Hashing.bytes(key, offset, length, seed);
      return true;
    }
    if (length < minLength || length > maxLength) {
      return false;
    }
    long unknown = 0;
    int position = 0;
    for (int group = 0; group < ends.length; group++) {
      long sum = 0;
      for (int end = Math.min(ends[group], length); position < end; position++) {
        long weight = weights[position << 8 | key[offset + position] & 0xff];
        sum += weight;
        unknown |= weight;
      }
      code.groups[group] = sum;
    }
    if (unknown < 0) {
      return false;
    }
    finish(code);
    return true;
  }

  /**
   * Encodes text that is a whole key by itself.
   *
   * @return 1 if a row may have it, 0 if none can, -1 if it is not ASCII, or keys are hashed, so
   *     that its bytes must be encoded
   */
  int encode(String key, KeyCode code) {
    if (!packed) {
      return -1;
    }
    int length = key.length();
    if (length > maxLength) {
      return 0;
    }
    long unknown = 0;
    int chars = 0;
    int position = 0;
    for (int group = 0; group < ends.length; group++) {
      long sum = 0;
      for (int end = Math.min(ends[group], length); position < end; position++) {
        int c = key.charAt(position);
        chars |= c;
        long weight = weights[position << 8 | c & 0xff];
        sum += weight;
        unknown |= weight;
      }
      code.groups[group] = sum;
    }
    if (chars > 0x7f) {
      return -1;
    }
    if (unknown < 0 || length < minLength) {
      return 0;
    }
    finish(code);
    return 1;
  }

  private void finish(KeyCode code) {
    long tweak = seed;
    for (int group = 1; group < widths.length; group++) {
      tweak = Hashing.mix(tweak + group, code.groups[group]);
    }
    code.hash = Hashing.permute(code.groups[0], widths[0], tweak) << (64 - widths[0]);
  }

  private int cardinality(int position) {
    int sum = 0;
    for (int word = 0; word < 4; word++) {
      sum += Long.bitCount(alphabets[position * 4 + word]);
    }
    return sum;
  }

  void writeTo(ByteWriter out) {
    out.u8(packed ? 1 : 0).i32(minLength).i32(maxLength).i64(seed);
    for (long word : alphabets) {
      out.i64(word);
    }
  }

  static KeyCodec readFrom(ByteReader in) {
    boolean packed = in.u8() == 1;
    int minLength = in.count(KeyForm.MAX_LENGTH);
    int maxLength = in.count(packed ? KeyStatistics.MAX_POSITIONS : KeyForm.MAX_LENGTH);
    long seed = in.i64();
    long[] alphabets = new long[packed ? maxLength * 4 : 0];
    for (int i = 0; i < alphabets.length; i++) {
      alphabets[i] = in.i64();
    }
    for (int i = 0; i < alphabets.length; i += 4) {
      if ((alphabets[i] | alphabets[i + 1] | alphabets[i + 2] | alphabets[i + 3]) == 0) {
        throw in.damaged("has an empty alphabet");
      }
    }
    KeyCodec codec = new KeyCodec(packed, minLength, maxLength, alphabets, seed);
    if (codec.widths.length > MAX_GROUPS) {
      throw in.damaged("has a key of " + codec.widths.length + " groups");
    }
    return codec;
  }
}
