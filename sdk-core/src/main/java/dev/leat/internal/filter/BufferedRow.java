package dev.leat.internal.filter;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.spi.RowSink;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;

/**
 * The cells of one row, held until it is known what becomes of it. Reused; belongs to one thread.
 */
public final class BufferedRow implements RowSink {
  private final ColumnType.Kind[] kinds;
  private final State[] states;
  private final long[] numbers;
  private final int[] nanos;
  private final int[] offsets;
  private final int[] lengths;
  private byte[] bytes = new byte[1024];
  private int used;

  /** What is known of a cell. */
  enum State {
    NULL,
    VALUE,
    /** The source has something that cannot be read, so that the cell is NULL. */
    UNPARSABLE,
    /** Nothing: it is not one of the cells that were read. */
    UNKNOWN
  }

  /** A row of some columns, all of them NULL. */
  public BufferedRow(List<Column> columns) {
    int count = columns.size();
    kinds = columns.stream().map(column -> column.type().kind()).toArray(ColumnType.Kind[]::new);
    states = new State[count];
    numbers = new long[count];
    nanos = new int[count];
    offsets = new int[count];
    lengths = new int[count];
    clear();
  }

  /** Makes all cells NULL. */
  public void clear() {
    Arrays.fill(states, State.NULL);
    used = 0;
  }

  @Override
  public void beginRow(long offset) {
    clear();
  }

  /** The row stays until the next one begins. */
  @Override
  public void endRow() {}

  @Override
  public void reject(long line, int column, String reason) {
    throw new IllegalStateException("a single row is not rejected: " + reason);
  }

  /** Says that nothing is known of a cell. */
  public void forget(int column) {
    states[column] = State.UNKNOWN;
  }

  @Override
  public void setLong(int column, long value) {
    states[column] = State.VALUE;
    numbers[column] = value;
  }

  @Override
  public void setDouble(int column, double value) {
    states[column] = State.VALUE;
    numbers[column] = Double.doubleToRawLongBits(value);
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    states[column] = State.VALUE;
    numbers[column] = epochSecond;
    nanos[column] = nano;
  }

  @Override
  public void setBytes(int column, byte[] source, int offset, int length) {
    states[column] = State.VALUE;
    keep(column, source, offset, length);
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    setBytes(column, unscaled, offset, length);
  }

  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {
    states[column] = State.UNPARSABLE;
    keep(column, raw, offset, length);
  }

  private void keep(int column, byte[] source, int offset, int length) {
    if (bytes.length - used < length) {
      bytes = Arrays.copyOf(bytes, Math.max(Math.addExact(used, length), used * 2));
    }
    System.arraycopy(source, offset, bytes, used, length);
    offsets[column] = used;
    lengths[column] = length;
    used += length;
  }

  /** Whether the source has something for a cell that cannot be read. */
  public boolean isUnparsable(int column) {
    return states[column] == State.UNPARSABLE;
  }

  /** What stands in the source for a cell that cannot be read. */
  public byte[] rawOf(int column) {
    return Arrays.copyOfRange(bytes, offsets[column], offsets[column] + lengths[column]);
  }

  /**
   * Gives a cell to a sink, as it was set here.
   *
   * @param number the number that the column has there
   */
  public void give(int column, RowSink sink, int number) {
    switch (states[column]) {
      case UNPARSABLE -> sink.unparsable(number, bytes, offsets[column], lengths[column]);
      case VALUE -> {
        switch (kinds[column]) {
          case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, DATE ->
              sink.setLong(number, numbers[column]);
          case FLOAT, DOUBLE -> sink.setDouble(number, doubleValue(column));
          case TIMESTAMP -> sink.setTimestamp(number, numbers[column], nanos[column]);
          case DECIMAL -> sink.setDecimal(number, bytes, offsets[column], lengths[column]);
          default -> sink.setBytes(number, bytes, offsets[column], lengths[column]);
        }
      }
      case NULL, UNKNOWN -> {}
    }
  }

  /**
   * Compares a cell with that of another row: NULL first, a FLOAT or DOUBLE as {@link
   * Double#compare}, text in the order of its UTF-8.
   */
  public int compareTo(BufferedRow other, int column, ColumnType type) {
    boolean value = states[column] == State.VALUE;
    boolean otherValue = other.states[column] == State.VALUE;
    if (!value || !otherValue) {
      return Boolean.compare(value, otherValue);
    }
    return switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, DATE ->
          Long.compare(numbers[column], other.numbers[column]);
      case FLOAT, DOUBLE -> Double.compare(doubleValue(column), other.doubleValue(column));
      case TIMESTAMP -> {
        int seconds = Long.compare(numbers[column], other.numbers[column]);
        yield seconds != 0 ? seconds : Integer.compare(nanos[column], other.nanos[column]);
      }
      case DECIMAL -> unscaled(column).compareTo(other.unscaled(column));
      default ->
          Arrays.compareUnsigned(
              bytes,
              offsets[column],
              offsets[column] + lengths[column],
              other.bytes,
              other.offsets[column],
              other.offsets[column] + other.lengths[column]);
    };
  }

  private BigInteger unscaled(int column) {
    return new BigInteger(bytes, offsets[column], lengths[column]);
  }

  State state(int column) {
    return states[column];
  }

  long longValue(int column) {
    return numbers[column];
  }

  double doubleValue(int column) {
    return Double.longBitsToDouble(numbers[column]);
  }

  int nano(int column) {
    return nanos[column];
  }

  byte[] bytes() {
    return bytes;
  }

  int offset(int column) {
    return offsets[column];
  }

  int length(int column) {
    return lengths[column];
  }
}
