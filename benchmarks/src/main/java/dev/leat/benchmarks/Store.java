package dev.leat.benchmarks;

import org.jspecify.annotations.Nullable;

/** Something that finds the reference table's rows by key: Leat, or one of its peers. */
interface Store extends AutoCloseable {

  /** Its name in the table of results and in the RESULT line. */
  String name();

  /** Takes all rows. */
  void load(CustomerTable table) throws Exception;

  /** A way to look up for one thread. */
  Finder finder();

  /** The bytes outside of the heap: files and memory of its own. */
  long bytesOutsideHeap() throws Exception;

  @Override
  void close() throws Exception;

  /** Finds rows; belongs to one thread. */
  interface Finder {

    /** The row of a key, decoded to the user's record, or null. */
    @Nullable Customer find(String key);

    /** Finds several rows at once, where the store has a way. */
    default void findBatch(String[] keys, @Nullable Customer[] rows, int count) {
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
