package dev.leat.internal.index;

/** Makes the user's row from the place of a row. */
interface RowFactory {

  /**
   * Makes a row.
   *
   * @param cursor the place
   * @param word the first bits of the row
   * @param keyBytes the bytes of that key, where {@link #readsKeyBytes()}
   * @param key the key by which it was found
   */
  Object row(RowCursor cursor, long word, KeyBuffer keyBytes, Object key);

  /** Whether rows are made of the bytes of the key, too. */
  boolean readsKeyBytes();
}
