package dev.leat.internal.index;

/**
 * What is known of the values of a column that is no key column. Belongs to one thread until it is
 * merged.
 */
final class ColumnStatistics {
  private long nulls;
  private long values;
  private long min = Long.MAX_VALUE;
  private long max = Long.MIN_VALUE;
  private long maxNano;
  private boolean wide;
  private long totalLength;
  private int maxLength;

  void addNull() {
    nulls++;
  }

  void addNumber(long value) {
    values++;
    min = Math.min(min, value);
    max = Math.max(max, value);
  }

  void addTimestamp(long epochSecond, int nano) {
    addNumber(epochSecond);
    maxNano = Math.max(maxNano, nano);
  }

  /**
   * Notes how many bytes a decimal has that is held as a number, for the case that another one is
   * wide.
   */
  void addDecimalLength(int length) {
    totalLength += length;
    maxLength = Math.max(maxLength, length);
  }

  /** Counts a value that is held as bytes. */
  void addBytes(int length) {
    values++;
    totalLength += length;
    maxLength = Math.max(maxLength, length);
  }

  /** Says that a number does not fit 64 bits; all of the column are held as bytes then. */
  void addWide() {
    wide = true;
  }

  void merge(ColumnStatistics other) {
    nulls += other.nulls;
    values += other.values;
    min = Math.min(min, other.min);
    max = Math.max(max, other.max);
    maxNano = Math.max(maxNano, other.maxNano);
    wide |= other.wide;
    totalLength += other.totalLength;
    maxLength = Math.max(maxLength, other.maxLength);
  }

  /** Whether there is a NULL, or no value at all. */
  boolean nullable() {
    return nulls > 0 || values == 0;
  }

  long values() {
    return values;
  }

  /** The smallest number; 0 if there is none. */
  long min() {
    return min > max ? 0 : min;
  }

  /** The largest number less the smallest, unsigned. */
  long range() {
    return min > max ? 0 : max - min;
  }

  long maxNano() {
    return maxNano;
  }

  boolean wide() {
    return wide;
  }

  long totalLength() {
    return totalLength;
  }

  int maxLength() {
    return maxLength;
  }
}
