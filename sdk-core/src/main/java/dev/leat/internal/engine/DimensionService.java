package dev.leat.internal.engine;

import dev.leat.DataSize;
import dev.leat.event.DimensionListener;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.index.KeyShape;
import dev.leat.internal.index.RowShape;

/**
 * A dimension that is kept served in this process. One handle per {@code acquire}; all handles of
 * equal requests share the work. Thread-safe.
 */
public interface DimensionService<K, D> extends AutoCloseable {

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
   * A reader for one thread, at the newest version that is ready. The first version must be ready.
   * The caller closes it.
   */
  DimensionReader<K, D> reader();

  /**
   * A reader as {@link #reader()} gives that keeps rows which are asked for often as objects, and
   * gives the same object again.
   *
   * @param hotRows about what the kept rows may take
   */
  DimensionReader<K, D> reader(DataSize hotRows);

  /**
   * A reader as {@link #reader()} gives, for keys and rows whose classes say nothing of the
   * columns. The columns stand in the order of the dimension's.
   *
   * @param keys reads the keys; called by the reader's thread
   * @param rows makes the rows; called by the reader's thread
   */
  <A, B> DimensionReader<A, B> reader(KeyShape<A> keys, RowShape<B> rows);

  /** How the dimension stands now. */
  DimensionStatistics statistics();

  /** Adds a listener; it leaves when this handle is closed. */
  void addListener(DimensionListener listener);

  /**
   * Gives the handle back. The last one of a request ends its work: threads, mappings, clients and
   * file locks are gone when this returns. Readers must be closed before. Idempotent.
   */
  @Override
  void close();
}
