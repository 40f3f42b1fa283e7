package dev.leat.benchmarks;

import dev.leat.benchmarks.Measure.Contestant;
import dev.leat.internal.index.IndexManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A table as large as one machine should serve: built, opened and looked up with a small heap, in
 * turns with a table of ten million rows.
 */
final class ScaleBenchmark {
  private static final long SMALL = 10_000_000;

  private ScaleBenchmark() {}

  static Results run(String[] args) throws Exception {
    Arguments arguments =
        new Arguments(args, Set.of("rows", "keys", "rounds", "lookups", "directory"));
    KeyKind keys = KeyKind.of(arguments.text("keys", "ids"));
    long rows = arguments.number("rows", 100_000_000);
    return run(keys.table(Math.min(rows, SMALL)), keys.table(rows), arguments);
  }

  /** Both tables have keys of the same kind. */
  @SuppressWarnings("unchecked")
  private static <K, D> Results run(Dataset<K, D> small, Dataset<?, ?> other, Arguments arguments)
      throws Exception {
    Dataset<K, D> large = (Dataset<K, D>) other;
    int rounds = (int) arguments.number("rounds", 5);
    int lookups = (int) arguments.number("lookups", 1_000_000);
    Results results = new Results();
    results.put("rows", large.rows());
    try (WorkDirectory work = WorkDirectory.of(arguments, "scale");
        LeatStore<K, D> smallStore = store(small, work, "small");
        LeatStore<K, D> largeStore = store(large, work, "large")) {
      build(smallStore, small, work.resolve("small-text"), new Results());
      build(largeStore, large, work.resolve("large-text"), results);
      // Without the keys that are asked for, which belong to the measurement.
      results.put("heap_bytes", Heap.collect().bytes());
      Measure<K, D> forSmall = new Measure<>(small, lookups, rounds);
      Measure<K, D> forLarge = new Measure<>(large, lookups, rounds);
      forSmall.check("leat", smallStore.finder());
      forLarge.check("leat", largeStore.finder());
      // In turns, since the keys of the one table are not those of the other.
      Medians ofSmall =
          forSmall.together(
              List.of(new Contestant<>("leat", smallStore.finder(), smallStore.finder())));
      Medians ofLarge =
          forLarge.together(
              List.of(new Contestant<>("leat", largeStore.finder(), largeStore.finder())));
      results.put("hits_per_s", ofLarge.of("leat_hits_per_s"));
      results.put("ten_million_hits_per_s", ofSmall.of("leat_hits_per_s"));
      for (String figure : List.of("dependent_per_s", "batched_hits_per_s", "misses_per_s")) {
        results.put(figure, ofLarge.of("leat_" + figure));
        results.put("ten_million_" + figure, ofSmall.of("leat_" + figure));
      }
      results.put("two_threads_per_s", ofLarge.of("leat_two_threads_per_s"));
      results.put("max_heap_bytes", Heap.max());
      results.put("rss_bytes", residentBytes());
      print(results, small.rows());
    }
    return results;
  }

  private static <K, D> LeatStore<K, D> store(
      Dataset<K, D> dataset, WorkDirectory work, String name) {
    return new LeatStore<>(dataset, work.resolve(name), work.resolve(name + "-text"));
  }

  private static <K, D> void build(
      LeatStore<K, D> store, Dataset<K, D> dataset, Path text, Results results) throws Exception {
    long textBytes = dataset.write(text, 16);
    long start = System.nanoTime();
    IndexManifest manifest = store.build();
    double seconds = (System.nanoTime() - start) / 1e9;
    WorkDirectory.delete(text);
    start = System.nanoTime();
    store.open();
    store.finder().find(dataset.key(Dataset.id(0)));
    results.put("open_ms", (System.nanoTime() - start) / 1e6);
    results.put("build_s", seconds);
    results.put("build_rows_per_s", dataset.rows() / seconds);
    results.put("disk_bytes", manifest.shardBytes());
    results.put("bytes_per_row", (double) manifest.shardBytes() / dataset.rows());
    results.put("text_bytes_per_row", (double) textBytes / dataset.rows());
  }

  private static void print(Results results, long smallRows) {
    System.out.printf(Locale.ROOT, "%-28s %14s %14s%n", "M/s", "10 million", "all");
    for (String figure :
        List.of("hits_per_s", "dependent_per_s", "batched_hits_per_s", "misses_per_s")) {
      System.out.printf(
          Locale.ROOT,
          "%-28s %14.2f %14.2f%n",
          figure,
          results.of("ten_million_" + figure) / 1e6,
          results.of(figure) / 1e6);
    }
    System.out.printf(
        Locale.ROOT,
        "%,d rows: %.0f %% of the rate at %,d rows; built in %.1f s, opened in %.0f ms;%n"
            + "%.1f bytes per row on disk, heap in use %.0f MB of %.0f, resident %.0f MB with the mapped files%n",
        results.rows(),
        100 * results.of("hits_per_s") / results.of("ten_million_hits_per_s"),
        smallRows,
        results.of("build_s"),
        results.of("open_ms"),
        results.of("bytes_per_row"),
        results.of("heap_bytes") / 1e6,
        results.of("max_heap_bytes") / 1e6,
        results.of("rss_bytes") / 1e6);
  }

  /**
   * The memory that the system counts for this process, mapped files included; 0 where it does not
   * tell.
   */
  private static long residentBytes() throws IOException {
    Path status = Path.of("/proc/self/status");
    if (!Files.exists(status)) {
      return 0;
    }
    for (String line : Files.readAllLines(status)) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024;
      }
    }
    return 0;
  }
}
