package dev.leat.internal.index;

/**
 * The shape of a segment: the rows whose hashes begin with the same bits, in blocks of equally many
 * lines. {@code docs/index-format.md} has the picture.
 *
 * @param inline whether the rows stand in the slots of the lines; otherwise a slot has the place of
 *     a record in the block's heap
 * @param grouped whether a key may have several records, each of which tells by its first bit
 *     whether it is the last
 * @param lineShift the binary logarithm of a line's bytes
 * @param slots the slots of a line
 * @param remainderBits how many bits of the hash the line does not say, so that they are stored
 * @param placeBits the bits of a record's place in the heap; 0 where rows are inline
 * @param blocks the number of blocks
 * @param blockLines the lines of each block
 * @param rows the number of rows
 * @param offset where it begins in the file of the shard
 * @param length its bytes
 */
record Segment(
    boolean inline,
    boolean grouped,
    int lineShift,
    int slots,
    int remainderBits,
    int placeBits,
    int blocks,
    int blockLines,
    long rows,
    long offset,
    long length) {
  /** The bits of a tag, which is the lowest part of the remainder. */
  static final int TAG_BITS = 8;

  /** The bits that say how many lines behind its own a row stands. */
  static final int DISTANCE_BITS = 2;

  /** The farthest line behind its own in which a row stands. */
  static final int MAX_DISTANCE = (1 << DISTANCE_BITS) - 1;

  /**
   * The bit in a line's count that says that a row that belongs to it, or passed it, stands in a
   * later one.
   */
  static final int CONTINUED = 0x80;

  /** The bits of the remainder that do not fit the tag. */
  int upperRemainderBits() {
    return Math.max(0, remainderBits - TAG_BITS);
  }

  /** The bits of a slot beside its tag. */
  int slotBits(int bodyBits) {
    return DISTANCE_BITS + (inline ? upperRemainderBits() + bodyBits : placeBits);
  }

  /** The bits in front of a record's body. */
  int recordPrefixBits() {
    return (grouped ? 1 : 0) + upperRemainderBits();
  }

  /** The bytes of a block's lines. */
  long blockLineBytes() {
    return (long) blockLines << lineShift;
  }

  /**
   * The bytes of the directory of the blocks in front of them; none where rows are inline, since
   * all blocks have the same size then.
   */
  long directoryBytes() {
    return inline ? 0 : (8L * (blocks + 1) + 63) & ~63L;
  }

  Segment at(long newOffset) {
    return new Segment(
        inline,
        grouped,
        lineShift,
        slots,
        remainderBits,
        placeBits,
        blocks,
        blockLines,
        rows,
        newOffset,
        length);
  }

  void writeTo(ByteWriter out) {
    out.u8((inline ? 1 : 0) | (grouped ? 2 : 0))
        .u8(lineShift)
        .u8(slots)
        .u8(remainderBits)
        .u8(placeBits)
        .i32(blocks)
        .i32(blockLines)
        .i64(rows)
        .i64(offset)
        .i64(length);
  }

  /** Reads a segment and checks that all that is derived from it lies within the shard. */
  static Segment readFrom(ByteReader in, long shardBytes, int bodyBits) {
    int flags = in.u8();
    Segment segment =
        new Segment(
            (flags & 1) != 0,
            (flags & 2) != 0,
            in.u8(),
            in.u8(),
            in.u8(),
            in.u8(),
            in.i32(),
            in.i32(),
            in.i64(),
            in.i64(),
            in.i64());
    if (flags > 3
        || (segment.inline && segment.grouped)
        || segment.slots < 1
        || segment.lineShift < 6
        || segment.lineShift > 7
        || segment.remainderBits < 1
        || segment.remainderBits > 64
        || segment.placeBits > 32
        || segment.blocks < 1
        || segment.blockLines < 1
        || segment.rows < 0
        || segment.offset < 0
        || segment.length < 0
        || segment.length > shardBytes
        || segment.offset > shardBytes - segment.length
        || (8L + segment.slotBits(bodyBits)) * segment.slots + 8 > 8L << segment.lineShift
        // Divided rather than multiplied, since the product may be beyond 64 bits.
        || segment.blocks
            > (segment.length - segment.directoryBytes()) / segment.blockLineBytes()) {
      throw in.damaged("has a segment that cannot be: " + segment);
    }
    return segment;
  }
}
