package dev.leat.internal.scan;

import dev.leat.internal.filter.BufferedRow;
import dev.leat.spi.RowSink;

/**
 * Gives a sink the cells of a file under their numbers in the table, and to each row the values of
 * the file's partition.
 */
final class PartitionSink implements RowSink {
  private static final int NOWHERE = -1;

  private final RowSink target;
  private final int[] numbers;
  private final BufferedRow partition;
  private final int[] partitionColumns;

  /**
   * A sink before another one.
   *
   * @param numbers for each column that is read of the file, its number in the table, or -1 where
   *     it has none
   * @param partition the values of the partition's columns
   * @param partitionColumns for each number in the table, the position of the partition's column,
   *     or -1
   */
  PartitionSink(RowSink target, int[] numbers, BufferedRow partition, int[] partitionColumns) {
    this.target = target;
    this.numbers = numbers;
    this.partition = partition;
    this.partitionColumns = partitionColumns;
  }

  @Override
  public void beginRow(long offset) {
    target.beginRow(offset);
  }

  @Override
  public void setLong(int column, long value) {
    if (numbers[column] != NOWHERE) {
      target.setLong(numbers[column], value);
    }
  }

  @Override
  public void setDouble(int column, double value) {
    if (numbers[column] != NOWHERE) {
      target.setDouble(numbers[column], value);
    }
  }

  @Override
  public void setBytes(int column, byte[] bytes, int offset, int length) {
    if (numbers[column] != NOWHERE) {
      target.setBytes(numbers[column], bytes, offset, length);
    }
  }

  @Override
  public void setDecimal(int column, byte[] unscaled, int offset, int length) {
    if (numbers[column] != NOWHERE) {
      target.setDecimal(numbers[column], unscaled, offset, length);
    }
  }

  @Override
  public void setTimestamp(int column, long epochSecond, int nano) {
    if (numbers[column] != NOWHERE) {
      target.setTimestamp(numbers[column], epochSecond, nano);
    }
  }

  @Override
  public void unparsable(int column, byte[] raw, int offset, int length) {
    if (numbers[column] != NOWHERE) {
      target.unparsable(numbers[column], raw, offset, length);
    }
  }

  @Override
  public void endRow() {
    for (int number = 0; number < partitionColumns.length; number++) {
      if (partitionColumns[number] >= 0) {
        partition.give(partitionColumns[number], target, number);
      }
    }
    target.endRow();
  }

  @Override
  public void reject(long line, int column, String reason) {
    target.reject(line, column < 0 ? column : numbers[column], reason);
  }
}
