package dev.leat.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.leat.benchmarks.Store.Finder;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * Measures lookups of random keys. A key is made a String of its own from an array that does not
 * fit the CPU's caches, as a deserialiser makes it, and every result is used. Rates are per CPU
 * second of the measuring thread, the median of the rounds.
 */
final class Measure {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int BATCH = 64;

  private final CustomerTable table;
  private final int lookups;
  private final int rounds;
  private final byte[] present;
  private final byte[] absent;

  Measure(CustomerTable table, int lookups, int rounds) {
    this.table = table;
    this.lookups = lookups;
    this.rounds = rounds;
    this.present = new byte[lookups * table.keyLength()];
    this.absent = new byte[lookups * table.keyLength()];
    Random random = new Random(42);
    for (int i = 0; i < lookups; i++) {
      long row = (long) (random.nextDouble() * table.rows());
      table.putKey(present, i * table.keyLength(), table.id(row));
      table.putKey(
          absent,
          i * table.keyLength(),
          table.absentId((long) (random.nextDouble() * table.rows())));
    }
  }

  /** Checks 20,000 present and 20,000 absent keys. */
  void check(Finder finder) {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      long row = (long) (random.nextDouble() * table.rows());
      Customer expected = table.row(row);
      if (!expected.equals(finder.find(expected.customerId()))) {
        throw new IllegalStateException(
            "for " + expected + " there is " + finder.find(expected.customerId()));
      }
      String missing = table.key(table.absentId(row));
      if (finder.find(missing) != null) {
        throw new IllegalStateException("there is a row for " + missing);
      }
    }
  }

  /** Independent keys that are all there. */
  double hits(Finder finder) {
    return median(() -> loop(finder, present, 100));
  }

  /** Keys each of whose addresses depends on the last result. */
  double dependent(Finder finder) {
    return median(() -> dependentLoop(finder));
  }

  /** Independent keys of which none is there. */
  double misses(Finder finder) {
    return median(() -> loop(finder, absent, 0));
  }

  double batched(Finder finder) {
    return median(() -> batches(finder));
  }

  /** Making the keys alone: what is in every other figure, too. */
  double keysAlone() {
    Finder none = key -> key.length() == 0 ? new Customer(key, key, key, key) : null;
    return median(() -> loop(none, present, 0));
  }

  /** Two threads at a time, the sum of their rates. */
  double twoThreads(Finder first, Finder second) {
    return median(
        () -> {
          double[] other = new double[1];
          Thread thread = new Thread(() -> other[0] = loop(second, present, 100));
          thread.start();
          double own = loop(first, present, 100);
          try {
            thread.join();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return own + other[0];
        });
  }

  /** The bytes that a lookup allocates beside its key. */
  double allocation(Finder finder) {
    long keys = allocated(key -> null);
    return (double) (allocated(finder) - keys) / lookups;
  }

  private long allocated(Finder finder) {
    long before = THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    loop(finder, present, -1);
    return THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
  }

  private interface Round {
    double rate();
  }

  private double median(Round round) {
    round.rate();
    double[] rates = new double[rounds];
    for (int i = 0; i < rounds; i++) {
      rates[i] = round.rate();
    }
    Arrays.sort(rates);
    return rates[rounds / 2];
  }

  private double loop(Finder finder, byte[] keys, int expectedHits) {
    int length = table.keyLength();
    long used = 0;
    int hits = 0;
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < lookups; i++) {
      Customer row = finder.find(new String(keys, i * length, length, StandardCharsets.ISO_8859_1));
      if (row != null) {
        used += row.used();
        hits++;
      }
    }
    return rate(start, used, hits, expectedHits);
  }

  private double dependentLoop(Finder finder) {
    int length = table.keyLength();
    long used = 0;
    int hits = 0;
    int at = 0;
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < lookups; i++) {
      Customer row =
          finder.find(new String(present, at * length, length, StandardCharsets.ISO_8859_1));
      int own = row == null ? 0 : row.used();
      used += own;
      hits += row == null ? 0 : 1;
      // Always one further, which the processor cannot know before the row is there.
      at = i + 1 + (own >>> 20);
      at = at == lookups ? 0 : at;
    }
    return rate(start, used, hits, 100);
  }

  private double batches(Finder finder) {
    int length = table.keyLength();
    String[] keys = new String[BATCH];
    @Nullable Customer[] rows = new Customer[BATCH];
    long used = 0;
    int hits = 0;
    long start = THREADS.getCurrentThreadCpuTime();
    for (int i = 0; i < lookups; i += BATCH) {
      int count = Math.min(BATCH, lookups - i);
      for (int j = 0; j < count; j++) {
        keys[j] = new String(present, (i + j) * length, length, StandardCharsets.ISO_8859_1);
      }
      finder.findBatch(keys, rows, count);
      for (int j = 0; j < count; j++) {
        Customer row = rows[j];
        if (row != null) {
          used += row.used();
          hits++;
        }
      }
    }
    return rate(start, used, hits, 100);
  }

  private double rate(long start, long used, int hits, int expectedPercent) {
    long nanos = THREADS.getCurrentThreadCpuTime() - start;
    if (used < 0 || (expectedPercent >= 0 && hits != (long) lookups * expectedPercent / 100)) {
      throw new IllegalStateException(hits + " of " + lookups + " keys were found");
    }
    return lookups * 1e9 / nanos;
  }
}
