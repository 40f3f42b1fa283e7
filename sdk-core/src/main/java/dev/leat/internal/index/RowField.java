package dev.leat.internal.index;

/**
 * A {@link Field} as it is read. A record, so that the JIT compiler takes its components for
 * constants where it is one.
 *
 * @param narrow whether all fields of a row lie in its first 56 bits, which are in a register then
 */
record RowField(
    int bit, int width, long mask, long base, boolean zeroIsNull, int nullBit, boolean narrow) {

  static RowField of(Field field, RowLayout layout) {
    boolean zero = field.nulls() == Field.Nulls.ZERO;
    return new RowField(
        field.bit(),
        field.width(),
        Bits.mask(field.width()),
        field.base() - (zero ? 1 : 0),
        zero,
        field.nullBit(),
        layout.bits() <= 56);
  }

  boolean nullable() {
    return zeroIsNull || nullBit >= 0;
  }

  private long code(RowCursor cursor, long word) {
    return narrow ? word >>> bit & mask : cursor.bits(bit, width) & mask;
  }

  boolean isNull(RowCursor cursor, long word) {
    return zeroIsNull
        ? code(cursor, word) == 0
        : nullBit >= 0 && (cursor.bits(nullBit, 1) & 1) != 0;
  }

  /** The number; of no meaning where the cell is NULL. */
  long number(RowCursor cursor, long word) {
    return code(cursor, word) + base;
  }

  /** The code, with 0 for NULL where there are NULLs. */
  int index(RowCursor cursor, long word) {
    return (int) code(cursor, word);
  }

  /**
   * The same as the index of one of some values.
   *
   * @throws dev.leat.LeatException {@code INDEX_DAMAGED} if it is none
   */
  int index(RowCursor cursor, long word, int values) {
    int code = index(cursor, word);
    if (code < 0 || code >= values) {
      throw RowCursor.damagedCode(code);
    }
    return code;
  }

  /** The number of bytes that a cell has behind the bits; 0 for NULL. */
  long length(RowCursor cursor, long word) {
    long code = code(cursor, word);
    return zeroIsNull && code == 0 ? 0 : code + base;
  }
}
