package dev.leat.internal.index;

import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.util.Arrays;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Makes one segment from its entries: sorts them by hash, settles duplicate keys, and lays the rows
 * in lines and blocks. Belongs to one thread; reused.
 */
final class SegmentBuilder {
  private static final int TARGET_BLOCK_BYTES = 16 << 10;
  private static final int INLINE_BLOCK_LINES = 64;
  private static final int MIN_SLOTS = 8;
  private static final int MAX_SLOTS = 127;
  private static final int MAX_ATTEMPTS = 12;
  private static final long MAX_SEGMENT_BYTES = 1L << 30;
  private static final int SMALL_SORT = 24;

  private final KeyCodec keys;
  private final RowLayout layout;
  private final int segmentBits;
  private final DuplicateKeys duplicates;
  private final int bodyBits;
  private final int bodyBytes;
  private final boolean hasBytes;

  /** The entries: for each the hash and where its body begins. */
  private byte[] data = new byte[0];

  private long[] hashes = new long[0];
  private int[] bodies = new int[0];
  private long[] otherHashes = new long[0];
  private int[] otherBodies = new int[0];
  private int[] counts = new int[0];

  /** Where each key's entries begin among the sorted ones, and behind the last one their number. */
  private int[] starts = new int[0];

  private int keyCount;

  SegmentBuilder(KeyCodec keys, RowLayout layout, int segmentBits, DuplicateKeys duplicates) {
    this.keys = keys;
    this.layout = layout;
    this.segmentBits = segmentBits;
    this.duplicates = duplicates;
    this.bodyBits = keys.extraBits() + layout.bits();
    this.bodyBytes = RowEncoder.bodyBytes(keys, layout);
    this.hasBytes = layout.hasBytes();
  }

  /**
   * A segment as it stands in the file of its shard.
   *
   * @param shape its shape, at offset 0
   * @param bytes its content, in front of an unused rest
   * @param crcs the checksum of each block
   * @param directoryCrc the checksum of the directory of the blocks
   * @param duplicateKeys how many rows had a key of another one
   */
  record Image(Segment shape, byte[] bytes, int[] crcs, int directoryCrc, long duplicateKeys) {}

  /** The key of two rows, where the policy does not allow that. Never leaves this package. */
  static final class DuplicateKeyException extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient byte[] entry;

    DuplicateKeyException(byte[] entry) {
      super("a key stands on several rows");
      this.entry = entry;
    }

    /** The entry of one of the rows. */
    byte[] entry() {
      return entry;
    }
  }

  /**
   * Builds the segment.
   *
   * @param entries the entries in the order of the source, and {@link Bits#SLACK} bytes
   * @param length their bytes
   */
  Image build(byte[] entries, int length) throws OverfullException, DuplicateKeyException {
    data = entries;
    int count = index(length);
    sort(count);
    int rows = settleDuplicates(count);
    boolean grouped = rows > keyCount;
    if (!hasBytes && !grouped) {
      for (int lineShift = 6; lineShift <= 7; lineShift++) {
        Image image = inline(lineShift, count - keyCount);
        if (image != null) {
          return image;
        }
      }
    }
    return records(grouped, rows, count - keyCount);
  }

  /** Finds the entries. */
  private int index(int length) {
    int count = 0;
    for (int at = 0; at < length; at += entryLength(at)) {
      if (count == hashes.length) {
        int capacity = hasBytes ? Math.max(1024, count * 2) : length / (8 + bodyBytes);
        hashes = Arrays.copyOf(hashes, capacity);
        bodies = Arrays.copyOf(bodies, capacity);
      }
      hashes[count] = (long) Bits.LONG.get(data, at);
      bodies[count++] = at + 8;
    }
    if (otherHashes.length < count) {
      otherHashes = new long[hashes.length];
      otherBodies = new int[hashes.length];
    }
    return count;
  }

  private int entryLength(int at) {
    return 8 + bodyBytes + (hasBytes ? 4 + (int) Bits.INT.get(data, at + 8 + bodyBytes) : 0);
  }

  /**
   * Sorts the entries by hash, then by key, then by the order of the source: one distribution into
   * about as many buckets as there are entries, then each bucket by itself.
   */
  private void sort(int count) {
    int buckets = Math.max(1, count / 2);
    if (counts.length < buckets + 1) {
      counts = new int[buckets + 1];
    }
    Arrays.fill(counts, 0, buckets + 1, 0);
    for (int i = 0; i < count; i++) {
      counts[(int) Bits.multiplyHigh(hashes[i], buckets) + 1]++;
    }
    for (int b = 1; b <= buckets; b++) {
      counts[b] += counts[b - 1];
    }
    for (int i = 0; i < count; i++) {
      int to = counts[(int) Bits.multiplyHigh(hashes[i], buckets)]++;
      otherHashes[to] = hashes[i];
      otherBodies[to] = bodies[i];
    }
    long[] hashesSwap = hashes;
    hashes = otherHashes;
    otherHashes = hashesSwap;
    int[] bodiesSwap = bodies;
    bodies = otherBodies;
    otherBodies = bodiesSwap;
    int from = 0;
    for (int b = 0; b < buckets; b++) {
      sortRange(from, counts[b]);
      from = counts[b];
    }
  }

  /** A stable merge sort, of insertion sorts. */
  private void sortRange(int from, int to) {
    if (to - from > SMALL_SORT) {
      int middle = (from + to) >>> 1;
      sortRange(from, middle);
      sortRange(middle, to);
      merge(from, middle, to);
      return;
    }
    for (int i = from + 1; i < to; i++) {
      long hash = hashes[i];
      int body = bodies[i];
      int j = i - 1;
      while (j >= from && compare(hashes[j], bodies[j], hash, body) > 0) {
        hashes[j + 1] = hashes[j];
        bodies[j + 1] = bodies[j];
        j--;
      }
      hashes[j + 1] = hash;
      bodies[j + 1] = body;
    }
  }

  private void merge(int from, int middle, int to) {
    System.arraycopy(hashes, from, otherHashes, from, middle - from);
    System.arraycopy(bodies, from, otherBodies, from, middle - from);
    int left = from;
    int right = middle;
    int at = from;
    while (left < middle) {
      if (right < to
          && compare(otherHashes[left], otherBodies[left], hashes[right], bodies[right]) > 0) {
        hashes[at] = hashes[right];
        bodies[at++] = bodies[right++];
      } else {
        hashes[at] = otherHashes[left];
        bodies[at++] = otherBodies[left++];
      }
    }
  }

  private int compare(long hash, int body, long otherHash, int otherBody) {
    return hash != otherHash ? Long.compareUnsigned(hash, otherHash) : compareKeys(body, otherBody);
  }

  /** Compares what the hash does not say of two keys. */
  private int compareKeys(int body, int otherBody) {
    if (keys.packed()) {
      int bits = keys.extraBits();
      for (int done = 0; done < bits; done += 56) {
        int width = Math.min(56, bits - done);
        long mine = Bits.get(data, body * 8L + done, width);
        long theirs = Bits.get(data, otherBody * 8L + done, width);
        if (mine != theirs) {
          return Long.compare(mine, theirs);
        }
      }
      return 0;
    }
    int tail = body + bodyBytes + 4;
    int otherTail = otherBody + bodyBytes + 4;
    return Arrays.compareUnsigned(
        data, tail, tail + keyLength(body), data, otherTail, otherTail + keyLength(otherBody));
  }

  private int keyLength(int body) {
    Field field = layout.keyLength().orElseThrow();
    return (int) (Bits.get(data, body * 8L + field.bit(), field.width()) + field.base());
  }

  /** Finds the keys and gives the number of rows that are kept. */
  private int settleDuplicates(int count) throws DuplicateKeyException {
    if (starts.length < count + 1) {
      starts = new int[count + 1];
    }
    keyCount = 0;
    int kept = 0;
    for (int i = 0; i < count; ) {
      int end = i + 1;
      while (end < count && hashes[end] == hashes[i] && compareKeys(bodies[end], bodies[i]) == 0) {
        end++;
      }
      if (end - i > 1 && duplicates == DuplicateKeys.FAIL) {
        throw new DuplicateKeyException(
            Arrays.copyOfRange(
                data, bodies[i] - 8, bodies[i] - 8 + entryLength(bodies[i] - 8) + Bits.SLACK));
      }
      starts[keyCount++] = kept;
      int from = duplicates == DuplicateKeys.KEEP_LAST ? end - 1 : i;
      int to = duplicates == DuplicateKeys.KEEP_FIRST ? i + 1 : end;
      for (int j = from; j < to; j++) {
        hashes[kept] = hashes[j];
        bodies[kept++] = bodies[j];
      }
      i = end;
    }
    starts[keyCount] = kept;
    return kept;
  }

  /**
   * How many rows a line of some slots has on average, so that about one in fifty stands in another
   * line than its own.
   */
  private static double meanRows(int slots) {
    return Math.max(0.4 * slots, slots - 1.15 * Math.sqrt(slots));
  }

  private static int slots(int lineShift, int slotBits) {
    return Math.min(MAX_SLOTS, ((8 << lineShift) - 8) / (Segment.TAG_BITS + slotBits));
  }

  private @Nullable Image inline(int lineShift, long duplicateKeys) throws OverfullException {
    double growth = 1;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      Segment shape = inlineShape(lineShift, growth);
      if (shape == null) {
        return null;
      }
      byte[] bytes = new byte[Math.toIntExact(shape.length()) + Bits.SLACK];
      if (place(shape, bytes, new int[0], new int[0])) {
        int[] crcs = new int[shape.blocks()];
        for (int block = 0; block < crcs.length; block++) {
          crcs[block] =
              crc(
                  bytes,
                  Math.toIntExact(block * shape.blockLineBytes()),
                  Math.toIntExact(shape.blockLineBytes()));
        }
        return new Image(shape, bytes, crcs, 0, duplicateKeys);
      }
      growth *= 1.08;
    }
    throw new OverfullException(keyCount + " rows do not fit their lines");
  }

  /**
   * The number of slots decides the number of lines, and that how many bits a slot needs: tried
   * until they agree. Null if too few slots fit a line.
   */
  private @Nullable Segment inlineShape(int lineShift, double growth) {
    int lineLog = 0;
    while (true) {
      int remainderBits = Math.max(1, keys.hashBits() - segmentBits - lineLog);
      int slots =
          slots(
              lineShift,
              Segment.DISTANCE_BITS + Math.max(0, remainderBits - Segment.TAG_BITS) + bodyBits);
      if (slots < MIN_SLOTS && lineLog == 0 && bodyBits > 8 << lineShift) {
        return null;
      }
      long lines = (long) Math.ceil(keyCount * growth / meanRows(Math.max(1, slots)));
      int blocks = (int) Math.max(1, (lines + INLINE_BLOCK_LINES - 1) / INLINE_BLOCK_LINES);
      int blockLines = (int) Math.max(1, (lines + blocks - 1) / blocks);
      int log = 63 - Long.numberOfLeadingZeros((long) blocks * blockLines);
      // More slots for fewer remainder bits may need fewer lines: then the larger remainder stays,
      // which is right for any number of lines from 2^lineLog on.
      if (log <= lineLog) {
        if (slots < MIN_SLOTS) {
          return null;
        }
        if (log < lineLog) {
          blockLines = (int) (((1L << lineLog) + blocks - 1) / blocks);
        }
        return new Segment(
            true,
            false,
            lineShift,
            slots,
            remainderBits,
            0,
            blocks,
            blockLines,
            keyCount,
            0,
            ((long) blocks * blockLines) << lineShift);
      }
      lineLog++;
    }
  }

  private Image records(boolean grouped, int rows, long duplicateKeys) throws OverfullException {
    int remainderBits = keys.packed() ? 0 : Segment.TAG_BITS;
    long heapBytes = 0;
    for (int i = 0; i < rows; i++) {
      heapBytes += bodyBytes + 8 + tailLength(bodies[i]);
    }
    int rowsPerBlock = (int) Math.max(64, TARGET_BLOCK_BYTES / (heapBytes / Math.max(1, rows) + 4));
    int blocks = Math.max(1, (keyCount + rowsPerBlock - 1) / rowsPerBlock);
    int lineLog = 63 - Long.numberOfLeadingZeros(blocks);
    if (keys.packed()) {
      remainderBits = Math.max(1, keys.hashBits() - segmentBits - lineLog);
    }
    int prefixBits = (grouped ? 1 : 0) + Math.max(0, remainderBits - Segment.TAG_BITS);
    int fixedBytes = (prefixBits + bodyBits + 7) >>> 3;
    long[] heaps = new long[blocks];
    for (int i = 0; i < rows; i++) {
      heaps[(int) Bits.multiplyHigh(hashes[i], blocks)] += fixedBytes + tailLength(bodies[i]);
    }
    long largest = Arrays.stream(heaps).max().orElse(0);
    int placeBits = Bits.width(largest);
    int slots = slots(6, Segment.DISTANCE_BITS + placeBits);
    double growth = 1;
    for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      int blockLines =
          (int)
              Math.max(
                  1,
                  Math.ceil(keyCount * growth / blocks / meanRows(slots))
                      + (blocks > 1 || attempt > 0 ? 1 : 0));
      Segment shape =
          new Segment(
              false, grouped, 6, slots, remainderBits, placeBits, blocks, blockLines, rows, 0, 0);
      long[] directory = new long[blocks + 1];
      directory[0] = shape.directoryBytes();
      for (int block = 0; block < blocks; block++) {
        directory[block + 1] =
            directory[block] + ((shape.blockLineBytes() + heaps[block] + 63) & ~63L);
      }
      if (largest > Integer.MAX_VALUE / 2 || directory[blocks] > MAX_SEGMENT_BYTES) {
        throw new LeatException(
            ErrorCode.ROW_TOO_LARGE,
            "a segment of the index has "
                + directory[blocks]
                + " bytes, at most "
                + MAX_SEGMENT_BYTES
                + " can be; the rows of one key, or single rows, are too many or too large");
      }
      shape =
          new Segment(
              false,
              grouped,
              6,
              slots,
              remainderBits,
              placeBits,
              blocks,
              blockLines,
              rows,
              0,
              directory[blocks]);
      byte[] bytes = new byte[Math.toIntExact(directory[blocks]) + Bits.SLACK];
      int[] blockStarts = Arrays.stream(directory).mapToInt(Math::toIntExact).toArray();
      int[] places = new int[keyCount];
      writeRecords(shape, bytes, blockStarts, places);
      if (place(shape, bytes, blockStarts, places)) {
        for (int block = 0; block <= blocks; block++) {
          Bits.LONG.set(bytes, block * 8, directory[block]);
        }
        int[] crcs = new int[blocks];
        for (int block = 0; block < blocks; block++) {
          crcs[block] = crc(bytes, blockStarts[block], blockStarts[block + 1] - blockStarts[block]);
        }
        return new Image(
            shape,
            bytes,
            crcs,
            crc(bytes, 0, Math.toIntExact(shape.directoryBytes())),
            duplicateKeys);
      }
      growth *= 1.08;
    }
    throw new OverfullException(keyCount + " keys do not fit their lines");
  }

  private int tailLength(int body) {
    return hasBytes ? (int) Bits.INT.get(data, body + bodyBytes) : 0;
  }

  private void writeRecords(Segment shape, byte[] bytes, int[] blockStarts, int[] places) {
    int prefixBits = shape.recordPrefixBits();
    int fixedBytes = (prefixBits + bodyBits + 7) >>> 3;
    int previous = -1;
    int place = 0;
    for (int key = 0; key < keyCount; key++) {
      long hash = hashes[starts[key]];
      int block = (int) Bits.multiplyHigh(hash, shape.blocks());
      if (block != previous) {
        place = 0;
        previous = block;
      }
      places[key] = place;
      long remainder = remainder(hash, shape);
      int heap = blockStarts[block] + Math.toIntExact(shape.blockLineBytes());
      for (int row = starts[key]; row < starts[key + 1]; row++) {
        int at = heap + place;
        int body = bodies[row];
        if (shape.grouped() && row == starts[key + 1] - 1) {
          bytes[at] |= 1;
        }
        Bits.set(
            bytes,
            at * 8L + (shape.grouped() ? 1 : 0),
            remainder >>> Segment.TAG_BITS,
            shape.upperRemainderBits());
        Bits.copy(data, body * 8L, bytes, at * 8L + prefixBits, bodyBits);
        int tail = tailLength(body);
        System.arraycopy(data, body + bodyBytes + 4, bytes, at + fixedBytes, tail);
        place += fixedBytes + tail;
      }
    }
  }

  /** What the line does not say of a hash. */
  private static long remainder(long hash, Segment shape) {
    long inLine =
        shape.inline()
            ? hash * ((long) shape.blocks() * shape.blockLines())
            : hash * shape.blocks();
    return inLine >>> (64 - shape.remainderBits());
  }

  /**
   * Lays every key in a line of its block: first all that fit their own line, then the others in
   * one of the next three. Gives up where one fits none.
   */
  private boolean place(Segment shape, byte[] bytes, int[] blockStarts, int[] places) {
    int[] fill = new int[shape.blockLines()];
    int[] waiting = new int[64];
    int key = 0;
    for (int block = 0; block < shape.blocks(); block++) {
      Arrays.fill(fill, 0);
      int lines =
          shape.inline() ? Math.toIntExact(block * shape.blockLineBytes()) : blockStarts[block];
      int waitingCount = 0;
      for (; key < keyCount; key++) {
        long hash = hashes[starts[key]];
        if (Bits.multiplyHigh(hash, shape.blocks()) != block) {
          break;
        }
        int line = (int) Bits.multiplyHigh(hash * shape.blocks(), shape.blockLines());
        if (fill[line] < shape.slots()) {
          put(shape, bytes, lines, line, fill[line]++, 0, key, places);
        } else {
          if (waitingCount == waiting.length) {
            waiting = Arrays.copyOf(waiting, waitingCount * 2);
          }
          waiting[waitingCount++] = key;
        }
      }
      for (int i = 0; i < waitingCount; i++) {
        int home =
            (int)
                Bits.multiplyHigh(hashes[starts[waiting[i]]] * shape.blocks(), shape.blockLines());
        int distance = 1;
        while (distance <= Segment.MAX_DISTANCE
            && distance < shape.blockLines()
            && fill[(home + distance) % shape.blockLines()] == shape.slots()) {
          distance++;
        }
        if (distance > Segment.MAX_DISTANCE || distance >= shape.blockLines()) {
          return false;
        }
        int line = (home + distance) % shape.blockLines();
        put(shape, bytes, lines, line, fill[line]++, distance, waiting[i], places);
        for (int passed = 0; passed < distance; passed++) {
          bytes[
                  lines
                      + (((home + passed) % shape.blockLines()) << shape.lineShift())
                      + shape.slots()] |=
              (byte) Segment.CONTINUED;
        }
      }
      for (int line = 0; line < fill.length; line++) {
        bytes[lines + (line << shape.lineShift()) + shape.slots()] |= (byte) fill[line];
      }
    }
    return true;
  }

  private void put(
      Segment shape,
      byte[] bytes,
      int lines,
      int line,
      int slot,
      int distance,
      int key,
      int[] places) {
    int start = lines + (line << shape.lineShift());
    int row = starts[key];
    long remainder = remainder(hashes[row], shape);
    bytes[start + slot] = (byte) remainder;
    long bit = (start + shape.slots() + 1) * 8L + (long) slot * shape.slotBits(bodyBits);
    Bits.set(bytes, bit, distance, Segment.DISTANCE_BITS);
    bit += Segment.DISTANCE_BITS;
    if (shape.inline()) {
      Bits.set(bytes, bit, remainder >>> Segment.TAG_BITS, shape.upperRemainderBits());
      Bits.copy(data, bodies[row] * 8L, bytes, bit + shape.upperRemainderBits(), bodyBits);
    } else {
      Bits.set(bytes, bit, places[key], shape.placeBits());
    }
  }

  private static int crc(byte[] bytes, int offset, int length) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, offset, length);
    return (int) crc.getValue();
  }
}
