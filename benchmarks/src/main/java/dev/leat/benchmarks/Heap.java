package dev.leat.benchmarks;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.util.List;

/** The heap of this process. */
final class Heap {
  private Heap() {}

  /** The bytes in use after a collection, and how long that took. */
  record Collected(long bytes, double millis) {}

  static Collected collect() {
    long start = System.nanoTime();
    System.gc();
    double millis = (System.nanoTime() - start) / 1e6;
    Runtime runtime = Runtime.getRuntime();
    return new Collected(runtime.totalMemory() - runtime.freeMemory(), millis);
  }

  static long max() {
    return Runtime.getRuntime().maxMemory();
  }

  private static List<MemoryPoolMXBean> pools() {
    return ManagementFactory.getMemoryPoolMXBeans().stream()
        .filter(pool -> pool.getType() == MemoryType.HEAP)
        .toList();
  }

  static void resetPeak() {
    pools().forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** The sum of the peaks of all parts of the heap, garbage included. */
  static long peak() {
    return pools().stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }
}
