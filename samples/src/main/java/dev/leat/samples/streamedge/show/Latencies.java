package dev.leat.samples.streamedge.show;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The times that single events took, in nanoseconds, sorted. */
record Latencies(long[] sortedNanos) {

  static Latencies of(List<Long> nanos) {
    long[] sorted = nanos.stream().mapToLong(Long::longValue).sorted().toArray();
    return new Latencies(sorted);
  }

  int count() {
    return sortedNanos.length;
  }

  /** The time within which the given share of the events was done, in microseconds. */
  double micros(double share) {
    int rank = (int) Math.ceil(share * sortedNanos.length);
    return sortedNanos[Math.max(0, rank - 1)] / 1e3;
  }

  static String text(double micros) {
    return micros < 100
        ? String.format(Locale.ROOT, "%.2f µs", micros)
        : String.format(Locale.ROOT, "%,.0f µs", micros);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Latencies that && Arrays.equals(sortedNanos, that.sortedNanos);
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(sortedNanos);
  }

  @Override
  public String toString() {
    return "Latencies[" + count() + " events]";
  }
}
