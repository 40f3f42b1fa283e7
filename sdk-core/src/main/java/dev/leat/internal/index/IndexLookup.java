package dev.leat.internal.index;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds rows by key in an {@link Index}. Belongs to one thread.
 *
 * <p>Every call throws {@link dev.leat.LeatException} {@code INDEX_DAMAGED} where the bytes it
 * needs are damaged, {@code INVALID_KEY} where the key is null or has a null component, and {@link
 * IllegalStateException} once the index is closed.
 *
 * @param <K> the type of the key
 * @param <D> the type of a row
 */
public interface IndexLookup<K, D> {

  /** The row of a key, or null where there is none; the first one where the index keeps several. */
  @Nullable D find(K key);

  /**
   * Gives all rows of a key in the order of the source.
   *
   * @return how many there are
   */
  int findAll(K key, Consumer<? super D> rows);

  /**
   * Finds many keys at once, faster than one by one.
   *
   * @param keys the keys
   * @param rows gets at each position what {@link #find} gives for the key at that position
   * @param count how many keys there are, at the beginning of {@code keys}
   */
  void findBatch(K[] keys, @Nullable D[] rows, int count);
}
