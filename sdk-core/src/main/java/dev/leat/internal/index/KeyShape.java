package dev.leat.internal.index;

/**
 * How the values of a key object are read, where its class says nothing of the key's columns, as
 * with SQL's rows. Called by the thread of the lookup that it was given to.
 *
 * @param <K> the type of the key
 */
public interface KeyShape<K> {

  /**
   * Writes all values of a key, in the order of the key's columns.
   *
   * @return false if no row can have the key, because a value of it is NULL; nothing need be
   *     written then
   */
  boolean write(K key, KeyCells cells);
}
