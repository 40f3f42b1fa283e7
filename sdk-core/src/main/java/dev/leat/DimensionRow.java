package dev.leat;

import dev.leat.format.Column;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row of a dimension whose columns are read by name or position, for programs that know the
 * columns at run time only. Immutable and thread-safe.
 *
 * <p>A value has the Java type of its column: Boolean, Byte, Short, Integer, Long, Float, Double,
 * {@link java.math.BigDecimal}, String (STRING, CHAR, VARCHAR), {@link java.time.LocalDate} (DATE),
 * {@link java.time.LocalDateTime} (TIMESTAMP), {@code byte[]} (BINARY), {@link List} (ARRAY),
 * {@link java.util.Map} (MAP), {@code DimensionRow} (STRUCT), or is null.
 */
public interface DimensionRow {

  /** The columns, in the order of the source. */
  List<Column> columns();

  /** The value at a position from 0; null where the cell is NULL. */
  @Nullable Object value(int position);

  /**
   * The value of a column; null where the cell is NULL.
   *
   * @throws IllegalArgumentException if there is no such column; the message names those that there
   *     are
   */
  @Nullable Object value(String column);
}
