package dev.leat.internal.engine;

import dev.leat.DimensionVersion;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows of a dimension. Belongs to one thread; stays at its version until {@link #advance()}.
 */
public interface DimensionReader<K, D> extends AutoCloseable {

  /**
   * Moves to the newest version that is ready. One volatile read when nothing has changed and no
   * staleness limit is set.
   *
   * @return whether the version is another one now
   * @throws dev.leat.LeatException {@code STALE} if the version is older than the staleness policy
   *     allows
   */
  boolean advance();

  /** The version that is read. */
  DimensionVersion version();

  /** How many rows were given that were kept from before. Any thread may ask. */
  long hotRowHits();

  /**
   * The row of a key (the first where several are kept), or null where there is none. A null key
   * has none.
   */
  @Nullable D find(@Nullable K key);

  /**
   * Gives all rows of a key, in the order of the source.
   *
   * @return their number
   */
  int findAll(@Nullable K key, Consumer<? super D> rows);

  /**
   * Puts the row of {@code keys[i]} into {@code rows[i]}, or null, for the first {@code count}
   * keys.
   */
  void findBatch(@Nullable K[] keys, @Nullable D[] rows, int count);

  /** Lets go of the version. Idempotent. */
  @Override
  void close();
}
