package dev.leat.internal.index;

import dev.leat.DataSize;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A lookup that keeps decoded rows of the keys that are asked for most, in front of another.
 * Belongs to one thread, and to one version: a new version has a new one, so nothing outlives it.
 *
 * <p>A table of pairs: a key has two places. A row that was found again is protected by a small
 * count, which others that want its place wear down; so keys that come once do not drive out those
 * that come often (the CLOCK algorithm, within a pair). What its rows take is counted and bounded.
 */
final class HotRows<K, D> implements IndexLookup<K, D> {
  /** What a place takes by itself: two references, a size and a count. */
  static final int PLACE_BYTES = 13;

  private static final int MAX_PLACES = 1 << 26;
  private static final byte MAX_COUNT = 3;

  private final MappedLookup<K, D> index;
  private final long limit;
  private final @Nullable Object[] keys;
  private final @Nullable Object[] rows;
  private final int[] sizes;
  private final byte[] counts;
  private final int shift;
  private final HotRowCounter counter;
  private long bytes;

  /**
   * Begins empty.
   *
   * @param limit what the rows and the table may take
   */
  HotRows(MappedLookup<K, D> index, DataSize limit, HotRowCounter counter) {
    this.index = index;
    this.counter = counter;
    int places = places(limit.bytes(), index.averageRowBytes(), index.rowCount());
    this.limit = limit.bytes() - (long) places * PLACE_BYTES;
    this.keys = new Object[places];
    this.rows = new Object[places];
    this.sizes = new int[places];
    this.counts = new byte[places];
    this.shift = 32 - (Integer.numberOfTrailingZeros(places) - 1);
  }

  /**
   * Whether rows may be kept by keys of some columns: not where bytes are among them, since arrays
   * with the same bytes are not equal, and their owner may put others in.
   */
  static boolean fits(Iterable<ColumnType> keyTypes) {
    for (ColumnType type : keyTypes) {
      if (type.kind() == Kind.BINARY) {
        return false;
      }
    }
    return true;
  }

  /** A power of two: as many as the limit has room for, and no more than twice the rows. */
  private static int places(long limit, long rowBytes, long rowCount) {
    long wanted = Math.min(limit / (PLACE_BYTES + rowBytes), 2 * rowCount);
    return (int) Long.highestOneBit(Math.max(4, Math.min(MAX_PLACES, wanted)));
  }

  /** About how many bytes the rows that are kept take. */
  long bytes() {
    return bytes;
  }

  @Override
  @SuppressWarnings("unchecked") // The row at a place is of the key there.
  public @Nullable D find(K key) {
    if (key == null) {
      throw KeyAccess.nullKey();
    }
    index.checkOpen();
    // The upper bits of a product depend on all of a hash that may be a plain number.
    int place = (key.hashCode() * 0x9e3779b9 >>> shift) << 1;
    if (key.equals(keys[place])) {
      return (D) hit(place);
    }
    if (key.equals(keys[place + 1])) {
      return (D) hit(place + 1);
    }
    D row = index.find(key);
    if (row != null) {
      keep(place, key, row);
    }
    return row;
  }

  private @Nullable Object hit(int place) {
    if (counts[place] < MAX_COUNT) {
      counts[place]++;
    }
    counter.hit();
    return rows[place];
  }

  private void keep(int pair, K key, D row) {
    int place = counts[pair] <= counts[pair + 1] ? pair : pair + 1;
    if (counts[place] > 0) {
      counts[pair] = (byte) Math.max(0, counts[pair] - 1);
      counts[pair + 1] = (byte) Math.max(0, counts[pair + 1] - 1);
      return;
    }
    long size = index.foundRowBytes();
    long total = bytes - sizes[place] + size;
    if (total > limit) {
      return;
    }
    keys[place] = key;
    rows[place] = row;
    sizes[place] = (int) Math.min(Integer.MAX_VALUE, size);
    bytes = total;
  }

  @Override
  public int findAll(K key, Consumer<? super D> consumer) {
    return index.findAll(key, consumer);
  }

  @Override
  public void findBatch(K[] batch, @Nullable D[] found, int count) {
    index.findBatch(batch, found, count);
  }
}
