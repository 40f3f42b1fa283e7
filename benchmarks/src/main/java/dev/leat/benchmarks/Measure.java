package dev.leat.benchmarks;

import com.sun.management.ThreadMXBean;
import dev.leat.benchmarks.Store.Finder;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;
import java.util.function.LongSupplier;

/**
 * Measures lookups of random keys in several stores that take turns in each round. A key is made
 * from an array that does not fit the processor's caches, and every result is used. Each round has
 * keys of its own, so that the rows of one are not in the caches for the next. Rates are per second
 * of the measuring thread's CPU time.
 */
final class Measure<K, D> {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int CHECKED = 20_000;

  private final Dataset<K, D> dataset;
  private final int lookups;
  private final int rounds;
  private final byte[] present;
  private final byte[] absent;

  Measure(Dataset<K, D> dataset, int lookups, int rounds) {
    this.dataset = dataset;
    this.lookups = lookups;
    this.rounds = rounds;
    // The first round warms up.
    int keys = Math.multiplyExact(lookups, rounds + 1);
    int length = dataset.packedBytes();
    this.present = new byte[Math.multiplyExact(keys, length)];
    this.absent = new byte[keys * length];
    Random random = new Random(42);
    LongSupplier rows = dataset.stream(random);
    for (int i = 0; i < keys; i++) {
      dataset.pack(present, i * length, Dataset.id(rows.getAsLong()));
      dataset.pack(
          absent, i * length, Dataset.absentId((long) (random.nextDouble() * dataset.rows())));
    }
  }

  /** A store that takes part, under a name. */
  record Contestant<K, D>(String name, Finder<K, D> finder, Finder<K, D> second) {}

  /** Checks 20,000 keys that are there and 20,000 that are not. */
  void check(String name, Finder<K, D> finder) {
    Random random = new Random(7);
    for (int i = 0; i < CHECKED; i++) {
      long row = (long) (random.nextDouble() * dataset.rows());
      D expected = dataset.row(row);
      D found = finder.find(dataset.key(Dataset.id(row)));
      if (!expected.equals(found)) {
        throw new IllegalStateException(name + " gives " + found + " for " + expected);
      }
      K missing = dataset.key(Dataset.absentId(row));
      D wrong = finder.find(missing);
      if (wrong != null) {
        throw new IllegalStateException(name + " gives " + wrong + " for " + missing);
      }
    }
  }

  /** Making the keys alone: what is in every other figure, too. */
  double keysAlone() {
    Medians medians = new Medians();
    Loops loops = new LookupLoops.Factory().loops(dataset, key -> null);
    for (int round = 0; round <= rounds; round++) {
      double rate = rate(() -> loops.independent(present, 0, lookups), 0);
      if (round > 0) {
        medians.add("keys", rate);
      }
    }
    return medians.of("keys");
  }

  /**
   * Measures some stores together.
   *
   * @return the values under {@code <name>_hits_per_s}, {@code <name>_dependent_per_s}, {@code
   *     <name>_misses_per_s}, {@code <name>_two_threads_per_s}, {@code <name>_alloc_bytes} and, of
   *     stores that batch, {@code <name>_batched_hits_per_s}
   */
  Medians together(List<Contestant<K, D>> contestants) throws Exception {
    Medians medians = new Medians();
    List<Loops> loops = contestants.stream().map(c -> loops(c.finder())).toList();
    List<Loops> second = contestants.stream().map(c -> loops(c.second())).toList();
    for (int round = 0; round <= rounds; round++) {
      int from = round * lookups;
      for (int i = 0; i < contestants.size(); i++) {
        String name = contestants.get(i).name();
        Loops own = loops.get(i);
        Loops other = second.get(i);
        Medians target = round == 0 ? new Medians() : medians;
        target.add(
            name + "_hits_per_s", rate(() -> own.independent(present, from, lookups), lookups));
        target.add(
            name + "_dependent_per_s", rate(() -> own.dependent(present, from, lookups), lookups));
        target.add(name + "_misses_per_s", rate(() -> own.independent(absent, from, lookups), 0));
        if (contestants.get(i).finder().batches()) {
          target.add(
              name + "_batched_hits_per_s",
              rate(() -> own.batched(present, from, lookups), lookups));
        }
        target.add(name + "_two_threads_per_s", twoThreads(own, other, from));
      }
    }
    Loops none = loops(key -> null);
    long keys = allocated(none);
    for (int i = 0; i < contestants.size(); i++) {
      medians.add(
          contestants.get(i).name() + "_alloc_bytes",
          // Below that of the keys where the JIT compiler can leave a key out.
          (double) Math.max(0, allocated(loops.get(i)) - keys) / lookups);
    }
    return medians;
  }

  private Loops loops(Finder<K, D> finder) {
    return new LookupLoops.Factory().loops(dataset, finder);
  }

  /** The sum of the rates of two threads that run at the same time. */
  private double twoThreads(Loops own, Loops other, int from) throws Exception {
    FutureTask<Double> task =
        new FutureTask<>(() -> rate(() -> other.independent(present, from, lookups), lookups));
    Thread thread = new Thread(task, "second");
    thread.start();
    double rate = rate(() -> own.independent(present, from, lookups), lookups);
    thread.join();
    return rate + task.get();
  }

  private long allocated(Loops loops) {
    long thread = Thread.currentThread().getId();
    long before = THREADS.getThreadAllocatedBytes(thread);
    loops.independent(present, 0, lookups);
    return THREADS.getThreadAllocatedBytes(thread) - before;
  }

  private double rate(Callable<Integer> loop, int expected) {
    try {
      long start = THREADS.getCurrentThreadCpuTime();
      int found = loop.call();
      long nanos = THREADS.getCurrentThreadCpuTime() - start;
      if (found != expected) {
        throw new IllegalStateException(
            found + " of " + lookups + " keys were found instead of " + expected);
      }
      return lookups * 1e9 / nanos;
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
