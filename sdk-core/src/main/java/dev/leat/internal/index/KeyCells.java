package dev.leat.internal.index;

import java.math.BigDecimal;

/**
 * Where a {@link KeyShape} writes the values of a key. Components are the key's columns by their
 * position in the key; all are set, in ascending order. A value that the column's type cannot hold
 * is no error: no row has such a key.
 */
public interface KeyCells {

  /** Sets a BOOLEAN (0 or 1), an integer of any width, or a DATE in days since 1970-01-01. */
  void setLong(int component, long value);

  /** Sets a FLOAT or DOUBLE. */
  void setDouble(int component, double value);

  /** Sets a STRING, CHAR or VARCHAR. */
  void setText(int component, String value);

  /** Sets a STRING, CHAR or VARCHAR from well-formed UTF-8, or a BINARY. */
  void setBytes(int component, byte[] value, int offset, int length);

  /** Sets a DECIMAL from its unscaled value at the scale of the column. */
  void setDecimal(int component, long unscaled);

  /** Sets a DECIMAL of any scale. */
  void setDecimal(int component, BigDecimal value);

  /** Sets a TIMESTAMP, counted from 1970-01-01 00:00. */
  void setTimestamp(int component, long epochSecond, int nano);
}
