package dev.leat.internal.index;

/**
 * The two hash functions of the index. Both are part of the format.
 *
 * <p>{@link #bytes} is a 64-bit hash of any bytes: 16 bytes at a time are folded by a 64×64→128 bit
 * multiplication, the construction of wyhash and rapidhash. {@link #permute} is a bijection on
 * numbers of a given width, of two rounds of xor-shift and odd multiplication (the finaliser of
 * MurmurHash3, cut to the width): because nothing is lost, the part of its result that a row's
 * place does not say is all of the key that must be stored (Knuth's quotienting, TAOCP 6.4 exercise
 * 13).
 */
final class Hashing {
  private static final long K0 = 0xa0761d6478bd642fL;
  private static final long K1 = 0xe7037ed1a0b428dbL;
  private static final long K2 = 0x8ebc6af09c88c6e3L;
  private static final long M1 = 0xff51afd7ed558ccdL;
  private static final long M2 = 0xc4ceb9fe1a85ec53L;
  private static final long M3 = 0x9e3779b97f4a7c15L;

  private Hashing() {}

  static long bytes(byte[] bytes, int offset, int length, long seed) {
    // Both factors depend on the seed: a key that makes one of them zero for one seed, and so meets
    // many others, does not for another.
    long secret = seed * M3 ^ K1;
    long state = seed ^ K0;
    int position = offset;
    int left = length;
    while (left > 16) {
      state =
          fold(
              (long) Bits.LONG.get(bytes, position) ^ secret,
              (long) Bits.LONG.get(bytes, position + 8) ^ state);
      position += 16;
      left -= 16;
    }
    long low = 0;
    long high = 0;
    if (left >= 8) {
      low = (long) Bits.LONG.get(bytes, position);
      high = (long) Bits.LONG.get(bytes, position + left - 8);
    } else if (left >= 4) {
      low = (int) Bits.INT.get(bytes, position) & 0xffff_ffffL;
      high = (int) Bits.INT.get(bytes, position + left - 4) & 0xffff_ffffL;
    } else if (left > 0) {
      low =
          (bytes[position] & 0xffL) << 16
              | (bytes[position + left / 2] & 0xffL) << 8
              | (bytes[position + left - 1] & 0xffL);
    }
    return fold(fold(low ^ secret, high ^ state), K2 ^ length);
  }

  /** A well-mixed number from two. */
  static long mix(long first, long second) {
    return fold(first ^ K1, second ^ K2);
  }

  /**
   * A bijection on the numbers of {@code width} bits, 1 to 63; its upper bits are the best mixed
   * ones.
   *
   * @param value a number below 2<sup>width</sup>
   * @param tweak chooses the bijection
   */
  static long permute(long value, int width, long tweak) {
    long mask = -1L >>> (64 - width);
    int shift = (width + 1) >> 1;
    long x = (value ^ tweak) & mask;
    x = (x * M1) & mask;
    x ^= x >>> shift;
    x = (x * M2) & mask;
    x ^= x >>> shift;
    return (x * M3) & mask;
  }

  private static long fold(long a, long b) {
    return (a * b) ^ Math.multiplyHigh(a, b);
  }
}
