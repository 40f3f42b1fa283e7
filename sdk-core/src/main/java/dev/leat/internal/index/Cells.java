package dev.leat.internal.index;

import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one row that was found, by the position of their column in the index; cells of key
 * columns are those of the key that was looked up, as the column's type has them. What a method
 * gives for a NULL is of no meaning, but where it says so; asking for a cell in a way that its
 * column's type does not have is a defect of the caller.
 */
public interface Cells {

  /** The key by which the row was found, as the caller of the lookup gave it. */
  Object key();

  /** Whether a cell is NULL. */
  boolean isNull(int column);

  /** A BOOLEAN (0 or 1), an integer of any width, or a DATE in days since 1970-01-01. */
  long longValue(int column);

  /** A FLOAT or DOUBLE. */
  double doubleValue(int column);

  /** The unscaled value of a DECIMAL of a precision of at most 18, at the scale of the column. */
  long unscaled(int column);

  /** A DECIMAL, at the scale of the column; null for NULL. */
  @Nullable BigDecimal decimal(int column);

  /** The seconds of a TIMESTAMP since 1970-01-01 00:00. */
  long epochSecond(int column);

  /** The nanoseconds of a TIMESTAMP behind its second. */
  int nano(int column);

  /** The number of bytes of a text or other cell of bytes. */
  int length(int column);

  /** Copies the bytes of a text (as UTF-8) or other cell of bytes. */
  void copy(int column, byte[] target, int offset);

  /** The bytes of a text (as UTF-8) or other cell of bytes, in a new array; null for NULL. */
  byte @Nullable [] bytes(int column);

  /**
   * A text or other cell of bytes as the converter makes it; null for NULL. A value that stands in
   * the column's dictionary is converted once, for all lookups in the index with the same
   * converter, in any thread: such a value must not be changed, and the converter is best a
   * constant.
   */
  <T> @Nullable T shared(int column, CellConverter<T> converter);
}
