package dev.leat.internal.engine;

import dev.leat.DataSize;
import dev.leat.event.DimensionListener;
import dev.leat.event.DimensionStatistics;

/**
 * A handle to a dimension that this process serves: {@link DimensionService} follows the source by
 * itself, {@link SteeredDimension} follows orders. All handles of equal requests that follow the
 * same way share the work. Thread-safe.
 */
public interface ServedDimension<K, D> extends AutoCloseable {

  /**
   * A reader for one thread, at the version of the moment. There must be one. The caller closes it.
   */
  DimensionReader<K, D> reader();

  /**
   * A reader as {@link #reader()} gives that keeps rows which are asked for often as objects, and
   * gives the same object again.
   *
   * @param hotRows about what the kept rows may take
   */
  DimensionReader<K, D> reader(DataSize hotRows);

  /** How the dimension stands now. */
  DimensionStatistics statistics();

  /** Adds a listener; it leaves when this handle is closed. */
  void addListener(DimensionListener listener);

  /**
   * Gives the handle back. The last one ends the work: threads, mappings, clients and file locks
   * are gone when this returns. Readers must be closed before. Idempotent.
   */
  @Override
  void close();
}
