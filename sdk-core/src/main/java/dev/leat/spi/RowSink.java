package dev.leat.spi;

/**
 * Takes parsed rows, cell by cell. For each row: {@link #beginRow}, then one call per column that
 * is not NULL, in any order, then {@link #endRow} or {@link #reject}. A column that got no call is
 * NULL. Belongs to one thread and one split.
 *
 * <p>The setter must fit the column's type: {@code setLong} for BOOLEAN (0 or 1), TINYINT to BIGINT
 * and DATE (days since 1970-01-01); {@code setTimestamp} for TIMESTAMP; {@code setDouble} for FLOAT
 * and DOUBLE; {@code setDecimal} for DECIMAL; {@code setBytes} for STRING, CHAR, VARCHAR
 * (well-formed UTF-8) and BINARY, and for ARRAY, MAP and STRUCT the encoding of {@link
 * dev.leat.format.NestedCellWriter}.
 */
public interface RowSink {

  /**
   * Begins a row.
   *
   * @param offset where the row begins in the file: a byte offset, or a row number where the format
   *     has no offsets. Rises within a file; decides which of several rows of a key is the first or
   *     last
   */
  void beginRow(long offset);

  /** Sets an integer, a boolean as 0 or 1, or a date as days since 1970-01-01. */
  void setLong(int column, long value);

  /** Sets a FLOAT or DOUBLE; a FLOAT is given as the double that equals it. */
  void setDouble(int column, double value);

  /** Sets text as UTF-8, or bytes. The array is copied before the call returns. */
  void setBytes(int column, byte[] bytes, int offset, int length);

  /**
   * Sets a DECIMAL as its unscaled value, big-endian two's complement as {@link
   * java.math.BigInteger#toByteArray()} gives it, at the scale of the column's type.
   */
  void setDecimal(int column, byte[] unscaled, int offset, int length);

  /**
   * Sets a TIMESTAMP as seconds since 1970-01-01T00:00:00 without a time zone, and nanoseconds from
   * 0 to 999,999,999.
   */
  void setTimestamp(int column, long epochSecond, int nano);

  /**
   * Says that the source has a value for {@code column} that cannot be read as the column's type,
   * so that the cell is NULL (as Hive reads it). Counted, never silent; a key column of this kind
   * makes the row malformed.
   *
   * @param raw the cell as it stands, for a sample in the log
   */
  void unparsable(int column, byte[] raw, int offset, int length);

  /** Ends the row and keeps it. */
  void endRow();

  /**
   * Ends the row and gives it up as malformed; the policy of the dimension decides what follows.
   *
   * @param line the number of the line, from 1, or -1 where unknown
   * @param column the column's number, or -1 where the whole row is meant
   * @param reason why, for the log and the error
   */
  void reject(long line, int column, String reason);
}
