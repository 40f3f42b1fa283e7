package dev.leat.benchmarks;

import dev.leat.internal.index.IndexManifest;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/**
 * Builds Leat's index from local text, with parsing, in this process, whose heap is small; has the
 * engine build a version of which one file has changed; and loads Flink's maps in another process,
 * whose heap is large, without parsing.
 */
final class BuildBenchmark {
  private static final Set<String> FLAGS =
      Set.of("rows", "keys", "rounds", "directory", "peer-rows", "peer-heap-mb");

  private BuildBenchmark() {}

  static Results run(String[] args) throws Exception {
    Arguments arguments = new Arguments(args, FLAGS);
    KeyKind keys = KeyKind.of(arguments.text("keys", "ids"));
    Results results = new Results();
    leat(keys.table(arguments.number("rows", 1_000_000)), arguments, results);
    long peerRows = arguments.number("peer-rows", Math.min(results.rows(), 1_000_000));
    if (peerRows > 0) {
      Dataset<?, ?> table = keys.table(peerRows);
      long heap =
          arguments.number(
              "peer-heap-mb",
              512 + (StoreKind.FLINK_FULL.heapPerRow(table) * peerRows * 5 / 4 >> 20));
      results.putAll(
          ChildJvm.run(
              heap,
              "build-peer",
              "--keys",
              keys.label(),
              "--rows",
              Long.toString(peerRows),
              "--rounds",
              Long.toString(arguments.number("rounds", 5))));
    }
    print(results, peerRows);
    return results;
  }

  private static <K, D> void leat(Dataset<K, D> table, Arguments arguments, Results results)
      throws Exception {
    int rounds = (int) arguments.number("rounds", 5);
    results.put("rows", table.rows());
    try (WorkDirectory work = WorkDirectory.of(arguments, "build")) {
      Path text = work.resolve("text");
      long textBytes = table.write(text, 8);
      Medians medians = new Medians();
      double indexBytes = 0;
      Heap.collect();
      Heap.resetPeak();
      for (int round = 0; round <= rounds; round++) {
        try (LeatStore<K, D> store = new LeatStore<>(table, work.resolve("leat"), text)) {
          long start = System.nanoTime();
          IndexManifest manifest = store.build();
          long built = System.nanoTime();
          store.open();
          if (store.finder().find(table.key(Dataset.id(0))) == null) {
            throw new IllegalStateException("the first row is not in the index");
          }
          long opened = System.nanoTime();
          indexBytes = manifest.shardBytes();
          if (round > 0) {
            medians.add("rows_per_s", table.rows() * 1e9 / (built - start));
            medians.add("open_ms", (opened - built) / 1e6);
          }
        }
      }
      double rate = medians.of("rows_per_s");
      results.put("leat_rows_per_s", rate);
      results.put("leat_text_mb_per_s", rate * textBytes / table.rows() / 1e6);
      results.put("open_ms", medians.of("open_ms"));
      results.put("leat_bytes_per_row", indexBytes / table.rows());
      results.put("text_bytes_per_row", (double) textBytes / table.rows());
      results.put("peak_heap_bytes", Heap.peak());
      results.put("max_heap_bytes", Heap.max());
      ChangedFile changed = new ChangedFile(table, text, work.path());
      for (int round = 0; round <= rounds; round++) {
        changed.measure(round, round > 0 ? medians : new Medians());
      }
      results.put("full_build_s", medians.of("full_build_s"));
      results.put("one_file_changed_build_s", medians.of("one_file_changed_build_s"));
    }
  }

  /** The peers, in a process of their own. */
  static Results runPeer(String[] args) throws Exception {
    Arguments arguments = new Arguments(args, FLAGS);
    Dataset<?, ?> table =
        KeyKind.of(arguments.text("keys", "ids")).table(arguments.number("rows", 1_000_000));
    int rounds = (int) arguments.number("rounds", 5);
    Results results = new Results();
    results.put("flink_full_rows", table.rows());
    for (StoreKind kind : new StoreKind[] {StoreKind.FLINK_FULL, StoreKind.FLINK_HIVE}) {
      Medians medians = new Medians();
      for (int round = 0; round <= rounds; round++) {
        try (Store<?, ?> store = kind.open(table, Path.of("unused"), Path.of("unused"))) {
          long start = System.nanoTime();
          store.load();
          if (round > 0) {
            medians.add("rows_per_s", table.rows() * 1e9 / (System.nanoTime() - start));
          }
        }
      }
      results.put(kind.label() + "_rows_per_s", medians.of("rows_per_s"));
    }
    return results;
  }

  private static void print(Results results, long peerRows) {
    System.out.printf(
        Locale.ROOT,
        "%-30s %12s%n%-30s %12.2f%n%-30s %12.1f%n%-30s %12.1f%n%-30s %12.1f%n%-30s %12.1f%n%-30s %12.1f%n%-30s %12.2f%n%-30s %12.2f%n",
        String.format(Locale.ROOT, "%,d rows", results.rows()),
        "",
        "Leat, M rows/s",
        results.of("leat_rows_per_s") / 1e6,
        "Leat, MB of text/s",
        results.of("leat_text_mb_per_s"),
        "open and first lookup, ms",
        results.of("open_ms"),
        "index, bytes per row",
        results.of("leat_bytes_per_row"),
        "text, bytes per row",
        results.of("text_bytes_per_row"),
        "peak of the heap, MB",
        results.of("peak_heap_bytes") / 1e6,
        "the engine's first version, s",
        results.of("full_build_s"),
        "one of eight files changed, s",
        results.of("one_file_changed_build_s"));
    if (peerRows > 0) {
      System.out.printf(
          Locale.ROOT,
          "%-30s %12.2f%n%-30s %12.2f%n",
          "Flink FULL cache, M rows/s",
          results.of("flink_full_rows_per_s") / 1e6,
          "Flink Hive map, M rows/s",
          results.of("flink_hive_rows_per_s") / 1e6);
    }
  }
}
