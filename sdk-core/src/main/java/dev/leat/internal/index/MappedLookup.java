package dev.leat.internal.index;

import dev.leat.internal.index.KeyBuffer.UuidCase;
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

  private static final int MAX_RECORD_LINES = 4;

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

  /** Whether UUIDs may stand in the keys with digits in upper and with digits in lower case. */
  private final boolean bothUuidCases;

  /** How many lines of a record are asked for ahead; 0 where no segment has records. */
  private final int recordLines;

  /** Whether the bytes of each key of a batch are needed until its row is made. */
  private final boolean keepsKeys;

  private final long[] batchHashes = new long[BATCH];
  private final boolean[] batchPossible = new boolean[BATCH];
  private final long[] batchGroups;
  private final long[] batchPlaces = new long[BATCH];
  private final long[] batchEnds = new long[BATCH];
  private final int[] keyStarts = new int[BATCH];
  private final int[] keyLengths = new int[BATCH];

  /** A load whose value goes nowhere would be left out by the JIT compiler. */
  @SuppressWarnings("UnusedVariable")
  private long touched;

  /** About what the objects of a row and its key take, without the bytes of texts. */
  private final long objectBytes;

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
    // A UUID is written as text, and the source may have it in either case, or some so, some so.
    boolean upper = codec.mayHave('A', 'F');
    this.bothUuidCases = upper && codec.mayHave('a', 'f');
    if (upper && !bothUuidCases) {
      keyBuffer.writeUuidsIn(UuidCase.UPPER);
    }
    this.rows = rows;
    this.keepsKeys = !packed || rows.readsKeyBytes();
    this.batchGroups = new long[BATCH * groups];
    this.recordLines = recordLines(segments);
    this.objectBytes = objectBytes(index);
    this.lengths = columns.layout().hasBytes() ? CellReaders.lengths(columns.layout()) : null;
    this.keyLength =
        columns
            .layout()
            .keyLength()
            .map(field -> RowField.of(field, columns.layout()))
            .orElse(null);
  }

  /** As many as a record has on average, and no more than pay. */
  private static int recordLines(MappedSegment[] segments) {
    long records = 0;
    long bytes = 0;
    for (MappedSegment segment : segments) {
      if (!segment.inline) {
        records += segment.shape.rows();
        bytes += segment.shape.length() - segment.blocks * segment.blockBytes;
      }
    }
    return records == 0 ? 0 : (int) Math.min(MAX_RECORD_LINES, 1 + bytes / records / 64);
  }

  @Override
  public @Nullable D find(K key) {
    checkOpen();
    return seek(key) ? row(key) : null;
  }

  /** Encodes a key and goes to its row. */
  private boolean seek(K key) {
    if (encode(key, false) && search(code.hash)) {
      return true;
    }
    return bothUuidCases && keyBuffer.sawUuid() && seekUpperCase(key);
  }

  /** The same with the digits of UUIDs in the case that was not tried yet. */
  private boolean seekUpperCase(K key) {
    keyBuffer.writeUuidsIn(UuidCase.UPPER);
    try {
      return encode(key, false) && search(code.hash);
    } finally {
      keyBuffer.writeUuidsIn(UuidCase.LOWER);
    }
  }

  @Override
  public int findAll(K key, Consumer<? super D> consumer) {
    checkOpen();
    if (!seek(key)) {
      return 0;
    }
    MappedSegment segment = segment(code.hash);
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

  /**
   * Works in stages, each over all keys of a batch: what one stage reads, the one before it has
   * asked the memory for. A stage that waits for memory is a loop of a few instructions, since a
   * processor has loads of many keys under way only where all of them fit what it looks ahead.
   */
  @Override
  public void findBatch(K[] keys, @Nullable D[] found, int count) {
    checkOpen();
    for (int from = 0; from < count; from += BATCH) {
      int size = Math.min(BATCH, count - from);
      encodeBatch(keys, from, size);
      touchLines(size);
      if (recordLines > 0) {
        touchRecords(size);
      }
      for (int i = 0; i < size; i++) {
        K key = keys[from + i];
        found[from + i] = batchPossible[i] && search(backToKey(i)) ? row(key) : null;
      }
      if (bothUuidCases && keyBuffer.sawUuid()) {
        // Not before all are done, since looking one up takes the place of the batch's keys.
        for (int i = from; i < from + size; i++) {
          found[i] = found[i] == null ? find(keys[i]) : found[i];
        }
      }
    }
  }

  private void encodeBatch(K[] keys, int from, int size) {
    keyBuffer.beginBatch();
    int extraGroups = packed ? groups - 1 : 0;
    for (int i = 0; i < size; i++) {
      K key = keys[from + i];
      boolean possible = encode(key, true);
      batchPossible[i] = possible;
      batchHashes[i] = code.hash;
      if (keepsKeys) {
        keyStarts[i] = keyBuffer.start();
        keyLengths[i] = keyBuffer.length();
      }
      for (int group = 0; group < extraGroups; group++) {
        batchGroups[i * extraGroups + group] = code.groups[group + 1];
      }
    }
  }

  /** Makes a key of the batch the encoded one again, and gives its hash. */
  private long backToKey(int i) {
    int extraGroups = packed ? groups - 1 : 0;
    for (int group = 0; group < extraGroups; group++) {
      code.groups[group + 1] = batchGroups[i * extraGroups + group];
    }
    if (keepsKeys) {
      keyBuffer.goTo(keyStarts[i], keyLengths[i]);
    }
    return batchHashes[i];
  }

  private void touchLines(int size) {
    for (int i = 0; i < size; i++) {
      // The hash of a key that no row has is that of another key: as good an address as any.
      long hash = batchHashes[i];
      batchPlaces[i] = segment(hash).lineAddress(hash << segmentBits);
    }
    long sum = 0;
    for (int i = 0; i < size; i++) {
      sum += Memory.loadByte(batchPlaces[i]);
    }
    touched = sum;
  }

  private void touchRecords(int size) {
    for (int i = 0; i < size; i++) {
      batchEnds[i] = segment(batchHashes[i]).end - 1;
      batchPlaces[i] = likelyRecord(batchHashes[i], batchPlaces[i]);
    }
    long sum = 0;
    for (int line = 0; line < recordLines; line++) {
      for (int i = 0; i < size; i++) {
        sum += Memory.loadByte(Math.min(batchPlaces[i] + line * 64L, batchEnds[i]));
      }
    }
    touched = sum;
  }

  /**
   * Where the record of a hash begins, if it is the first one in its own line with an equal tag;
   * else any place, which may lie behind the segment: good for asking the memory for it, if it is
   * there.
   */
  private long likelyRecord(long fullHash, long line) {
    MappedSegment segment = segment(fullHash);
    if (segment.inline) {
      return line;
    }
    long hash = fullHash << segmentBits;
    long block = Bits.multiplyHigh(hash, segment.blocks);
    long remainder = hash * segment.blocks >>> segment.remainderShift;
    int candidates =
        equalTags(line, (remainder & 0xff) * ONES) & (1 << Math.min(16, segment.slots)) - 1;
    int bit =
        ((segment.slots + 1) << 3)
            + (Integer.numberOfTrailingZeros(candidates | 1 << 15) % segment.slots)
                * segment.slotBits;
    long word = Memory.loadLong(line + (bit >>> 3)) >>> (bit & 7);
    long place = word >>> Segment.DISTANCE_BITS & (1L << segment.shape.placeBits()) - 1;
    return segment.blockStart(block) + segment.blockBytes + place;
  }

  /** How many rows there are. */
  long rowCount() {
    return index.manifest().rows();
  }

  /**
   * About how many bytes of the heap a row and its key take, without the texts that all rows share.
   */
  long averageRowBytes() {
    long records = 0;
    long recordBytes = 0;
    for (MappedSegment segment : segments) {
      if (!segment.inline) {
        records += segment.shape.rows();
        recordBytes += segment.shape.length() - segment.blocks * segment.blockBytes;
      }
    }
    return objectBytes + (records == 0 ? 0 : recordBytes / records);
  }

  /** The same for the row that was found last, with the texts that only it has. */
  long foundRowBytes() {
    long sum = objectBytes;
    if (lengths != null) {
      for (RowField field : lengths) {
        sum += field.length(cursor, cursor.word());
      }
    }
    return sum;
  }

  /**
   * The objects of a key and a row as HotSpot lays them out with compressed references: headers,
   * references, and for each value that is an object of its own what its class takes.
   */
  private static long objectBytes(Index index) {
    long sum = 32;
    RowLayout layout = index.columns().layout();
    for (int i = 0; i < layout.cells().size(); i++) {
      sum += 8;
      RowLayout.Cell cell = layout.cells().get(i);
      sum +=
          switch (index.manifest().columns().get(i).type().kind()) {
            case DECIMAL -> 64;
            case DATE -> 24;
            case TIMESTAMP -> 72;
            case STRING, CHAR, VARCHAR, BINARY, ARRAY, MAP, STRUCT ->
                cell.storage() == RowLayout.Storage.CODE ? 0 : 48;
            default -> 16;
          };
    }
    return sum + index.columns().keys().maxLength();
  }

  void checkOpen() {
    if (index.closed()) {
      throw new IllegalStateException("the index is closed");
    }
  }

  private boolean encode(@Nullable K key, boolean inBatch) {
    if (key == null) {
      throw KeyAccess.nullKey();
    }
    if (text) {
      int possible = codec.encode((String) key, code);
      if (possible >= 0) {
        return possible == 1;
      }
    }
    if (inBatch) {
      keyBuffer.next();
    } else {
      keyBuffer.clear();
    }
    keyWriter.write(keyBuffer, key);
    return keyBuffer.representable()
        && codec.encode(keyBuffer.bytes(), keyBuffer.start(), keyBuffer.length(), code);
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
      int count = Math.min(fill & ~Segment.CONTINUED, slots);
      for (int first = 0; first < count; first += 16) {
        // All tags at once, so that no branch has to be guessed before the line is there.
        int candidates =
            equalTags(address + first, pattern) & (1 << Math.min(16, count - first)) - 1;
        while (candidates != 0) {
          int slot = first + Integer.numberOfTrailingZeros(candidates);
          candidates &= candidates - 1;
          if (matches(segment, block, lines, address, slot, distance, remainder)) {
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

  /** Which of the next 16 tags are equal to the one of the pattern, as a bit each. */
  private static int equalTags(long address, long pattern) {
    return equalBytes(Memory.loadLong(address) ^ pattern)
        | equalBytes(Memory.loadLong(address + 8) ^ pattern) << 8;
  }

  private static int equalBytes(long differing) {
    // Marks exactly the bytes that are zero (Warren, Hacker's Delight, 6-1): the common shorter
    // form may mark a byte above one, which the rest of the key need not tell apart.
    long marks = ~((differing & LOWS) + LOWS | differing | LOWS);
    // Byte i to bit i: the factor has the bits 7·(8 − i), and no two of the sums are equal.
    return (int) ((marks >>> 7) * 0x0102_0408_1020_4080L >>> 56);
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
    int start = keyBuffer.start();
    int at = 0;
    for (; at + 8 <= length; at += 8) {
      if (Memory.loadLong(from + at) != (long) Bits.LONG.get(bytes, start + at)) {
        return false;
      }
    }
    for (; at < length; at++) {
      if (Memory.loadByte(from + at) != (bytes[start + at] & 0xff)) {
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
