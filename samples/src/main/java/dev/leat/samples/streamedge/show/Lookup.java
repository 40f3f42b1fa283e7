package dev.leat.samples.streamedge.show;

import java.io.Serializable;

/**
 * An event of the {@link LatencyProbe}: a customer that is looked up.
 *
 * @param customerId the key
 * @param file the position of the file in which the row stands
 * @param offset the row's first byte
 * @param length the row's bytes
 * @param startedNanos when the event came to the join
 */
public record Lookup(String customerId, int file, long offset, int length, long startedNanos)
    implements Serializable {

  static Lookup of(String customerId, RowLocation row) {
    return new Lookup(customerId, row.file(), row.offset(), row.length(), 0);
  }

  Lookup startedNow() {
    return new Lookup(customerId, file, offset, length, System.nanoTime());
  }

  /** The event after the join, with the customer of the row that the join has found. */
  FoundRow found(String customerOfTheRow) {
    if (!customerOfTheRow.equals(customerId)) {
      throw new IllegalStateException(
          "looked for " + customerId + " and found '" + customerOfTheRow + "'");
    }
    return new FoundRow(startedNanos, customerOfTheRow);
  }

  /**
   * An event after the join.
   *
   * @param startedNanos when it came to the join
   * @param customerId the customer of the row
   */
  public record FoundRow(long startedNanos, String customerId) {}
}
