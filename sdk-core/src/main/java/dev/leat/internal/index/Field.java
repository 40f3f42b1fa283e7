package dev.leat.internal.index;

/**
 * A number in the bits of every row.
 *
 * @param bit where it begins
 * @param width how many bits it has, 0 to 64
 * @param base is added to the bits (after 1 is taken away, if NULL has the code 0) to get the
 *     number
 * @param nulls how NULL is told
 * @param nullBit the bit that is set for NULL, or -1
 */
record Field(int bit, int width, long base, Nulls nulls, int nullBit) {

  /** How NULL is told. */
  enum Nulls {
    /** There is none. */
    NONE,
    /** By the code 0; all others are one more. */
    ZERO,
    /** By a bit of its own, since every code is taken. */
    BIT
  }

  /** A field at {@code bit} for numbers from {@code base} to {@code base + range}. */
  static Field of(int bit, long base, long range, boolean nullable, boolean allNull) {
    if (allNull) {
      return new Field(bit, 0, 0, Nulls.ZERO, -1);
    }
    if (!nullable) {
      return new Field(bit, Bits.width(range), base, Nulls.NONE, -1);
    }
    if (range == -1L) {
      return new Field(bit, 64, base, Nulls.BIT, bit + 64);
    }
    return new Field(bit, Bits.width(range + 1), base, Nulls.ZERO, -1);
  }

  /** The bit behind it. */
  int end() {
    return bit + width + (nulls == Nulls.BIT ? 1 : 0);
  }

  /** Writes a number into bits that are zero. */
  void set(byte[] row, long rowBit, long value) {
    Bits.set(row, rowBit + bit, value - base + (nulls == Nulls.ZERO ? 1 : 0), width);
  }

  /** Writes NULL into bits that are zero. */
  void setNull(byte[] row, long rowBit) {
    if (nulls == Nulls.BIT) {
      Bits.set(row, rowBit + nullBit, 1, 1);
    }
  }

  void writeTo(ByteWriter out) {
    out.i32(bit).u8(width).i64(base).u8(nulls.ordinal()).i32(nullBit);
  }

  static Field readFrom(ByteReader in) {
    int bit = in.count(RowLayout.MAX_BITS);
    int width = in.u8();
    long base = in.i64();
    int nulls = in.u8();
    int nullBit = in.i32();
    if (width > 64
        || nulls >= Nulls.values().length
        || nullBit < -1
        || nullBit > RowLayout.MAX_BITS) {
      throw in.damaged("has a field of a form that does not exist");
    }
    return new Field(bit, width, base, Nulls.values()[nulls], nullBit);
  }
}
