package dev.leat.benchmarks;

import dev.leat.benchmarks.Measure.Contestant;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Lookups by key: Leat beside its peers. Stores that fit the heap together take turns in each
 * round; a peer that needs most of the heap takes turns with Leat alone.
 */
final class LookupBenchmark<K, D> {
  private static final String HEADER =
      String.format(
          Locale.ROOT,
          "%-11s %8s %10s %8s %8s %10s %8s %10s %9s %8s",
          "M/s",
          "hits",
          "dependent",
          "misses",
          "batched",
          "2 threads",
          "alloc B",
          "bytes/row",
          "load M/s",
          "GC ms");

  private final Dataset<K, D> dataset;
  private final Measure<K, D> measure;
  private final WorkDirectory work;
  private final Results results;
  private final List<String> leftOut = new ArrayList<>();

  private LookupBenchmark(
      Dataset<K, D> dataset, Measure<K, D> measure, WorkDirectory work, Results results) {
    this.dataset = dataset;
    this.measure = measure;
    this.work = work;
    this.results = results;
  }

  static Results run(String[] args) throws Exception {
    Arguments arguments =
        new Arguments(args, Set.of("rows", "keys", "stores", "rounds", "lookups", "directory"));
    KeyKind keys = KeyKind.of(arguments.text("keys", "ids"));
    return run(keys.table(arguments.number("rows", 1_000_000)), keys, arguments);
  }

  private static <K, D> Results run(Dataset<K, D> dataset, KeyKind keys, Arguments arguments)
      throws Exception {
    Results results = new Results();
    results.put("rows", dataset.rows());
    int lookups = (int) arguments.number("lookups", 500_000);
    int rounds = (int) arguments.number("rounds", 5);
    List<StoreKind> kinds =
        arguments.list("stores", StoreKind.labels()).stream().map(StoreKind::of).toList();
    try (WorkDirectory work = WorkDirectory.of(arguments, "lookup")) {
      Path text = work.resolve("text");
      results.put("text_bytes_per_row", (double) dataset.write(text, 8) / dataset.rows());
      Measure<K, D> measure = new Measure<>(dataset, lookups, rounds);
      System.out.printf(
          Locale.ROOT,
          "%,d rows, keys: %s, medians of %d rounds of %,d lookups, heap %,d MB%n%s%n",
          dataset.rows(),
          keys.label(),
          rounds,
          lookups,
          Heap.max() >> 20,
          HEADER);
      results.put("keys_alone_per_s", measure.keysAlone());
      new LookupBenchmark<>(dataset, measure, work, results).all(kinds);
    }
    return results;
  }

  private void all(List<StoreKind> kinds) throws Exception {
    List<StoreKind> small = new ArrayList<>();
    List<StoreKind> alone = new ArrayList<>();
    long free = Heap.max() - Heap.collect().bytes();
    long needed = 0;
    for (StoreKind kind : kinds) {
      long own = kind.heapPerRow(dataset) * dataset.rows();
      if (kind != StoreKind.LEAT && own > free * 9 / 10) {
        leaveOut(kind, "would need about " + (own >> 20) + " MB of heap");
      } else if (needed + own <= free * 6 / 10) {
        needed += own;
        small.add(kind);
      } else {
        alone.add(kind);
      }
    }
    try (OpenStores<K, D> leat = new OpenStores<>();
        OpenStores<K, D> together = new OpenStores<>()) {
      List<Contestant<K, D>> contestants = new ArrayList<>();
      for (StoreKind kind : small) {
        load(kind, kind == StoreKind.LEAT ? leat : together, contestants);
      }
      report(measure.together(contestants), contestants, true);
      contestants.removeIf(contestant -> !contestant.name().equals(StoreKind.LEAT.label()));
      together.close();
      for (StoreKind kind : alone) {
        List<Contestant<K, D>> pair = new ArrayList<>(contestants);
        try (OpenStores<K, D> one = new OpenStores<>()) {
          load(kind, one, pair);
          report(measure.together(pair), pair, false);
        }
      }
    }
    leftOut.forEach(System.out::println);
  }

  private void leaveOut(StoreKind kind, String why) {
    leftOut.add(
        String.format(
            Locale.ROOT,
            "%s does not hold %,d rows here: it %s, the heap has %,d MB",
            kind.label(),
            dataset.rows(),
            why,
            Heap.max() >> 20));
    results.put(kind.label() + "_does_not_fit", 1);
  }

  private void load(StoreKind kind, OpenStores<K, D> target, List<Contestant<K, D>> contestants)
      throws Exception {
    String name = kind.label();
    Heap.Collected before = Heap.collect();
    Store<K, D> store = target.add(kind.open(dataset, work.path(), work.resolve("text")));
    long start = System.nanoTime();
    try {
      store.load();
    } catch (OutOfMemoryError e) {
      leaveOut(kind, "ran out of memory");
      return;
    }
    results.put(name + "_load_rows_per_s", dataset.rows() * 1e9 / (System.nanoTime() - start));
    Heap.Collected after = Heap.collect();
    results.put(
        name + "_bytes_per_row",
        (double) (Math.max(0, after.bytes() - before.bytes()) + store.bytesOutsideHeap())
            / dataset.rows());
    results.put(name + "_full_gc_ms", Math.max(0, after.millis() - before.millis()));
    Contestant<K, D> contestant = new Contestant<>(name, store.finder(), store.finder());
    measure.check(name, contestant.finder());
    contestants.add(contestant);
  }

  private void report(Medians medians, List<Contestant<K, D>> contestants, boolean withLeat) {
    for (Contestant<K, D> contestant : contestants) {
      String name = contestant.name();
      boolean leat = name.equals(StoreKind.LEAT.label());
      if (!leat || withLeat) {
        for (String figure :
            List.of(
                "hits_per_s",
                "dependent_per_s",
                "misses_per_s",
                "batched_hits_per_s",
                "two_threads_per_s",
                "alloc_bytes")) {
          if (medians.has(name + "_" + figure)) {
            results.put(name + "_" + figure, medians.of(name + "_" + figure));
          }
        }
      }
      if (!leat && medians.has("leat_hits_per_s")) {
        for (String figure : List.of("hits", "dependent", "misses")) {
          results.put(
              "leat_to_" + name + "_" + figure,
              medians.of("leat_" + figure + "_per_s") / medians.of(name + "_" + figure + "_per_s"));
        }
      }
      System.out.printf(
          Locale.ROOT,
          "%-11s %8.2f %10.2f %8.2f %8s %10.2f %8.0f %10.1f %9.2f %8.0f%n",
          name,
          medians.of(name + "_hits_per_s") / 1e6,
          medians.of(name + "_dependent_per_s") / 1e6,
          medians.of(name + "_misses_per_s") / 1e6,
          medians.has(name + "_batched_hits_per_s")
              ? String.format(Locale.ROOT, "%.2f", medians.of(name + "_batched_hits_per_s") / 1e6)
              : "–",
          medians.of(name + "_two_threads_per_s") / 1e6,
          medians.of(name + "_alloc_bytes"),
          results.of(name + "_bytes_per_row"),
          results.of(name + "_load_rows_per_s") / 1e6,
          results.of(name + "_full_gc_ms"));
    }
  }

  /** Stores that are closed together. */
  private static final class OpenStores<K, D> implements AutoCloseable {
    private final List<Store<K, D>> stores = new ArrayList<>();

    Store<K, D> add(Store<K, D> store) {
      stores.add(store);
      return store;
    }

    @Override
    public void close() throws Exception {
      for (Store<K, D> store : stores) {
        store.close();
      }
      stores.clear();
    }
  }
}
