package dev.leat.internal.index;

/** Makes the user's row from the place of a row. */
interface RowFactory {

  /**
   * Makes a row.
   *
   * @param cursor the place
   * @param word the first bits of the row
   * @param key the key by which it was found
   */
  Object row(RowCursor cursor, long word, Object key);
}
