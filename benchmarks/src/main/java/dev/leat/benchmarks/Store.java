package dev.leat.benchmarks;

import org.jspecify.annotations.Nullable;

/** Something that finds a table's rows by key: Leat, or one of its peers. */
interface Store<K, D> extends AutoCloseable {

  /** Takes all rows of its dataset. */
  void load() throws Exception;

  /** A way to look up for one thread. */
  Finder<K, D> finder() throws Exception;

  /** The bytes outside of the heap: files and memory of its own. */
  long bytesOutsideHeap() throws Exception;

  @Override
  void close() throws Exception;

  /** Finds rows; belongs to one thread. */
  interface Finder<K, D> {

    /** The row of a key, decoded to the user's record, or null. */
    @Nullable D find(K key);

    /** Finds several rows at once, where the store has a way. */
    default void findBatch(K[] keys, @Nullable D[] rows, int count) {
      for (int i = 0; i < count; i++) {
        rows[i] = find(keys[i]);
      }
    }

    /** Whether {@link #findBatch} is anything else than a loop. */
    default boolean batches() {
      return false;
    }
  }
}
