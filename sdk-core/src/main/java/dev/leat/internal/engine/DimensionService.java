package dev.leat.internal.engine;

import dev.leat.internal.index.KeyShape;
import dev.leat.internal.index.RowShape;

/**
 * A dimension that is kept served in this process, at the newest version of its source. One handle
 * per {@code acquire}; all handles of equal requests share the work. Thread-safe.
 */
public interface DimensionService<K, D> extends ServedDimension<K, D> {

  /**
   * Waits until the first version is ready.
   *
   * @throws dev.leat.LeatException if it cannot be built: nothing at the location, wrong
   *     credentials, malformed rows …
   * @throws InterruptedException if the waiting thread was interrupted, or the service was closed
   *     meanwhile
   */
  void awaitFirstVersion() throws InterruptedException;

  /**
   * A reader as {@link #reader()} gives, for keys and rows whose classes say nothing of the
   * columns. The columns stand in the order of the dimension's.
   *
   * @param keys reads the keys; called by the reader's thread
   * @param rows makes the rows; called by the reader's thread
   */
  <A, B> DimensionReader<A, B> reader(KeyShape<A> keys, RowShape<B> rows);
}
