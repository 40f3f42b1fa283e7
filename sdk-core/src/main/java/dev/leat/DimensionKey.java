package dev.leat;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A key whose columns are known at run time only: one value per key column, in the order in which
 * {@link Dimension.RowsStage#keyedBy(String...)} names them.
 *
 * <p>A value has the Java type that {@link DimensionRow} says for its column; an integer may be of
 * any width, a DOUBLE may be given as a Float, a TIMESTAMP as an {@link java.time.Instant} in UTC
 * and a text as a {@link java.util.UUID}. A key with a null in it finds nothing, as in SQL.
 *
 * <p>Immutable and thread-safe. Two keys are equal if their values are: {@code 5} and {@code 5L}
 * are different keys that find the same row.
 */
public final class DimensionKey {
  private final @Nullable Object[] values;

  private DimensionKey(@Nullable Object[] values) {
    this.values = values;
  }

  /**
   * Makes a key.
   *
   * @param values the values, one per key column
   */
  public static DimensionKey of(@Nullable Object... values) {
    requireNonNull(values, "values");
    if (values.length == 0) {
      throw new IllegalArgumentException("a key has at least one value; got none");
    }
    @Nullable Object[] copy = values.clone();
    for (int i = 0; i < copy.length; i++) {
      if (copy[i] instanceof byte[] bytes) {
        copy[i] = bytes.clone();
      }
    }
    return new DimensionKey(copy);
  }

  /** The number of values. */
  public int size() {
    return values.length;
  }

  /** The value at a position from 0; may be null. */
  public @Nullable Object value(int position) {
    Object value = values[position];
    return value instanceof byte[] bytes ? bytes.clone() : value;
  }

  /** The values in order, unmodifiable; a value may be null. */
  public List<@Nullable Object> values() {
    @Nullable Object[] copy = new Object[values.length];
    for (int i = 0; i < copy.length; i++) {
      copy[i] = value(i);
    }
    return Collections.unmodifiableList(Arrays.asList(copy));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof DimensionKey key && Arrays.deepEquals(values, key.values);
  }

  @Override
  public int hashCode() {
    return Arrays.deepHashCode(values);
  }

  /** The values; of bytes only how many. */
  @Override
  public String toString() {
    return Arrays.stream(values)
        .map(
            value ->
                value instanceof byte[] bytes ? bytes.length + " bytes" : String.valueOf(value))
        .collect(Collectors.joining(", ", "DimensionKey[", "]"));
  }
}
