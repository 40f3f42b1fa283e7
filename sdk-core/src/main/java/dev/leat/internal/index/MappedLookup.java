package dev.leat.internal.index;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows in the mapped segments: the key's hash says the segment, the block and the line; the
 * tags of the line are compared eight at a time; the rest of the key decides. One cache miss where
 * rows are inline, two in the same block otherwise.
 */
final class MappedLookup<K, D> implements IndexLookup<K, D> {
  /** How many keys a batch has in flight: more than the processor can have cache misses. */
  private static final int BATCH = 64;

  private static final long ONES = 0x0101_0101_0101_0101L;
  private static final long LOWS = 0x7f7f_7f7f_7f7f_7f7fL;

  private final Index index;
  private final MappedSegment[] segments;
  private final int segmentBits;
  private final KeyCodec codec;
  private final boolean packed;
  private final int groups;
  private final int extraBits;
  private final int bodyBits;
  private final boolean text;
  private final KeyWriter keyWriter;
  private final KeyBuffer keyBuffer;
  private final KeyCode code = new KeyCode();
  private final RowFactory rows;
  private final RowCursor cursor = new RowCursor();
  private final RowField @Nullable [] lengths;
  private final @Nullable RowField keyLength;
  private final long[] batchHashes = new long[BATCH];
  private final boolean[] batchPossible = new boolean[BATCH];

  /** The record that was found last, where keys may have several. */
  private long record;

  /** A lookup by the classes of keys and rows. */
  static <K, D> MappedLookup<K, D> of(Index index, KeyAccess keys, RowFactory rows) {
    return new MappedLookup<>(index, keys.isText(), keys.writer(), rows);
  }

  /** A lookup by their shapes. */
  static <K, D> MappedLookup<K, D> of(Index index, KeyShape<K> keys, RowShape<D> rows) {
    return new MappedLookup<>(
        index, false, new ShapedKeyCells<>(keys, index.keyTypes()), new ShapedRows(index, rows));
  }

  private MappedLookup(Index index, boolean text, KeyWriter keyWriter, RowFactory rows) {
    this.index = index;
    this.segments = index.segments();
    IndexColumns columns = index.columns();
    this.segmentBits = columns.segmentBits();
    this.codec = columns.keys();
    this.packed = codec.packed();
    this.groups = packed ? codec.groups() : 1;
    this.extraBits = codec.extraBits();
    this.bodyBits = extraBits + columns.layout().bits();
    this.text = text;
    this.keyWriter = keyWriter;
    this.keyBuffer = new KeyBuffer(new KeyForm(index.keyTypes()));
    this.rows = rows;
    this.lengths = columns.layout().hasBytes() ? CellReaders.lengths(columns.layout()) : null;
    this.keyLength =
        columns
            .layout()
            .keyLength()
            .map(field -> RowField.of(field, columns.layout()))
            .orElse(null);
  }

  @Override
  public @Nullable D find(K key) {
    checkOpen();
    if (!encode(key)) {
      return null;
    }
    return search(code.hash) ? row(key) : null;
  }

  @Override
  public int findAll(K key, Consumer<? super D> consumer) {
    checkOpen();
    if (!encode(key)) {
      return 0;
    }
    long hash = code.hash;
    if (!search(hash)) {
      return 0;
    }
    MappedSegment segment = segment(hash);
    int count = 1;
    boolean grouped = segment.shape.grouped();
    while (true) {
      boolean last = !grouped || (Memory.loadByte(record) & 1) != 0;
      long next = last ? 0 : nextRecord();
      consumer.accept(row(key));
      if (last) {
        return count;
      }
      count++;
      toRecord(segment, next);
    }
  }

  @Override
  public void findBatch(K[] keys, @Nullable D[] found, int count) {
    checkOpen();
    boolean again = groups > 1 || !packed || rows.readsKeyBytes();
    for (int from = 0; from < count; from += BATCH) {
      int size = Math.min(BATCH, count - from);
      long sum = 0;
      for (int i = 0; i < size; i++) {
        boolean possible = encode(keys[from + i]);
        batchPossible[i] = possible;
        if (possible) {
          long hash = code.hash;
          batchHashes[i] = hash;
          sum += Memory.loadByte(segment(hash).lineAddress(hash << segmentBits));
        }
      }
      if (sum < 0) {
        // Cannot be; but a load whose value nobody asks for would be left out by the JIT compiler.
        throw new IllegalStateException("the sum of some bytes is " + sum);
      }
      for (int i = 0; i < size; i++) {
        K key = keys[from + i];
        if (batchPossible[i] && again) {
          encode(key);
        }
        found[from + i] = batchPossible[i] && search(batchHashes[i]) ? row(key) : null;
      }
    }
  }

  private void checkOpen() {
    if (index.closed()) {
      throw new IllegalStateException("the index is closed");
    }
  }

  private boolean encode(@Nullable K key) {
    if (key == null) {
      throw KeyAccess.nullKey();
    }
    if (text) {
      int possible = codec.encode((String) key, code);
      if (possible >= 0) {
        return possible == 1;
      }
    }
    keyBuffer.clear();
    keyWriter.write(keyBuffer, key);
    return keyBuffer.representable()
        && codec.encode(keyBuffer.bytes(), 0, keyBuffer.length(), code);
  }

  private MappedSegment segment(long hash) {
    // Shifting twice, since a shift by 64 is one by 0.
    return segments[(int) (hash >>> 1 >>> (63 - segmentBits))];
  }

  @SuppressWarnings("unchecked")
  private D row(K key) {
    return (D) rows.row(cursor, cursor.word(), keyBuffer, key);
  }

  /** Goes to the row of the encoded key. */
  private boolean search(long fullHash) {
    MappedSegment segment = segment(fullHash);
    long hash = fullHash << segmentBits;
    long block = Bits.multiplyHigh(hash, segment.blocks);
    segment.check(block);
    long inBlock = hash * segment.blocks;
    long line = Bits.multiplyHigh(inBlock, segment.blockLines);
    long remainder =
        (segment.inline ? inBlock * segment.blockLines : inBlock) >>> segment.remainderShift;
    long lines =
        segment.inline ? segment.address + block * segment.blockBytes : segment.blockStart(block);
    long pattern = (remainder & 0xff) * ONES;
    int slots = segment.slots;
    for (int distance = 0; ; distance++) {
      long address = lines + (line << segment.lineShift);
      int fill = Memory.loadByte(address + slots);
      int count = fill & ~Segment.CONTINUED;
      for (int first = 0; first < count; first += 8) {
        long differing = Memory.loadLong(address + first) ^ pattern;
        // Marks exactly the bytes that are zero (Warren, Hacker's Delight, 6-1): the common shorter
        // form may mark a byte above one, which the rest of the key need not tell apart.
        long marks = ~((differing & LOWS) + LOWS | differing | LOWS);
        while (marks != 0) {
          int slot = first + (Long.numberOfTrailingZeros(marks) >>> 3);
          marks &= marks - 1;
          if (slot < count && matches(segment, block, lines, address, slot, distance, remainder)) {
            return true;
          }
        }
      }
      if ((fill & Segment.CONTINUED) == 0 || distance == Segment.MAX_DISTANCE) {
        return false;
      }
      line = line + 1 == segment.blockLines ? 0 : line + 1;
    }
  }

  /**
   * Whether the key of a slot whose tag fits is the one that is looked for; goes to its row then.
   * Small enough for the JIT compiler to inline.
   */
  private boolean matches(
      MappedSegment segment,
      long block,
      long lines,
      long address,
      int slot,
      int distance,
      long remainder) {
    int bit = ((segment.slots + 1) << 3) + slot * segment.slotBits;
    long word = Memory.loadLong(address + (bit >>> 3)) >>> (bit & 7);
    if (!segment.inline) {
      return matchesRecord(segment, block, lines, word, distance, remainder);
    }
    int known = Segment.DISTANCE_BITS + segment.upperBits;
    long expected = distance | remainder >>> Segment.TAG_BITS << Segment.DISTANCE_BITS;
    if (((word ^ expected) & (1L << known) - 1) != 0) {
      return false;
    }
    int body = bit + known;
    cursor.to(address + (body >>> 3), body & 7, segment.end, segment.end);
    if (groups > 1) {
      if (!sameGroups()) {
        return false;
      }
      body += extraBits;
      cursor.to(address + (body >>> 3), body & 7, segment.end, segment.end);
    }
    return true;
  }

  private boolean matchesRecord(
      MappedSegment segment, long block, long lines, long word, int distance, long remainder) {
    if ((word & Segment.MAX_DISTANCE) != distance) {
      return false;
    }
    long place = word >>> Segment.DISTANCE_BITS & (1L << segment.shape.placeBits()) - 1;
    long blockEnd = segment.blockStart(block + 1);
    long at = lines + segment.blockBytes + place;
    int prefix = segment.shape.recordPrefixBits();
    long fixedEnd = at + ((prefix + bodyBits + 7) >>> 3);
    if (fixedEnd > blockEnd) {
      throw segment.damaged("has a record behind its block");
    }
    cursor.to(at, segment.shape.grouped() ? 1 : 0, fixedEnd, blockEnd);
    if (segment.upperBits > 0
        && (cursor.bits(0, segment.upperBits) & (1L << segment.upperBits) - 1)
            != remainder >>> Segment.TAG_BITS) {
      return false;
    }
    cursor.to(at + (prefix >>> 3), prefix & 7, fixedEnd, blockEnd);
    if (packed ? !sameGroups() : !sameKey()) {
      return false;
    }
    toRecord(segment, at);
    return true;
  }

  /** Whether the cursor is at the other groups of the key. */
  private boolean sameGroups() {
    int bit = 0;
    for (int group = 1; group < groups; group++) {
      int width = codec.groupWidth(group);
      if ((cursor.bits(bit, width) & (1L << width) - 1) != code.groups[group]) {
        return false;
      }
      bit += width;
    }
    return true;
  }

  /** Whether the cursor is at a row whose key has the bytes in the buffer. */
  private boolean sameKey() {
    RowField field = keyLength;
    if (field == null) {
      throw new IllegalStateException("a hashed key has no length");
    }
    int length = keyBuffer.length();
    if (field.number(cursor, cursor.word()) != length) {
      return false;
    }
    long from = cursor.run(0, length);
    byte[] bytes = keyBuffer.bytes();
    int at = 0;
    for (; at + 8 <= length; at += 8) {
      if (Memory.loadLong(from + at) != (long) Bits.LONG.get(bytes, at)) {
        return false;
      }
    }
    for (; at < length; at++) {
      if (Memory.loadByte(from + at) != (bytes[at] & 0xff)) {
        return false;
      }
    }
    return true;
  }

  private void toRecord(MappedSegment segment, long at) {
    record = at;
    int prefix = segment.shape.recordPrefixBits();
    long fixedEnd = at + ((prefix + bodyBits + 7) >>> 3);
    cursor.toRecord(at + ((prefix + extraBits) >>> 3), (prefix + extraBits) & 7, fixedEnd);
  }

  /** Behind the record at the cursor. */
  private long nextRecord() {
    long sum = 0;
    if (lengths != null) {
      for (RowField field : lengths) {
        sum += field.length(cursor, cursor.word());
      }
    }
    return cursor.run(sum, 0);
  }
}
