package dev.leat.benchmarks;

import dev.leat.benchmarks.Store.Finder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/** Lookups by key: Leat beside its peers, one after the other in this process. */
final class LookupBenchmark {
  private static final List<String> ALL =
      List.of(
          "leat", "flink_full", "flink_hive", "hashmap", "caffeine", "sparkey", "paldb", "rocksdb");

  private LookupBenchmark() {}

  static void run(String[] args) throws Exception {
    Arguments arguments =
        new Arguments(args, 1, Set.of("rows", "stores", "rounds", "lookups", "directory"));
    CustomerTable table = new CustomerTable(arguments.number("rows", 1_000_000));
    int rounds = (int) arguments.number("rounds", 5);
    Path directory =
        Files.createDirectories(
            arguments
                .path("directory", Path.of(System.getProperty("java.io.tmpdir")))
                .toAbsolutePath());
    Path work = Files.createTempDirectory(directory, "leat-lookup-");
    Results results = new Results();
    results.put("rows", table.rows());
    try {
      Path text = work.resolve("text");
      results.put("text_bytes_per_row", (double) table.write(text, 8) / table.rows());
      Measure measure = new Measure(table, (int) arguments.number("lookups", 2_000_000), rounds);
      results.put("keys_alone_per_s", measure.keysAlone());
      System.out.printf(
          Locale.ROOT,
          "%-11s %10s %10s %10s %10s %10s %8s %9s %10s%n",
          "M/s",
          "hits",
          "dependent",
          "misses",
          "batched",
          "2 threads",
          "alloc B",
          "bytes/row",
          "load M/s");
      for (String name : arguments.list("stores", ALL)) {
        measureStore(store(name, work, text), table, measure, results);
      }
    } finally {
      delete(work);
    }
    results.print();
  }

  private static Store store(String name, Path work, Path text) {
    return switch (name) {
      case "leat" -> new LeatStore(work.resolve("leat"), text);
      case "flink_full" -> MapStores.flinkFull();
      case "flink_hive" -> MapStores.flinkHive();
      case "hashmap" -> MapStores.hashMap();
      case "caffeine" -> MapStores.caffeine();
      case "sparkey" -> FileStores.sparkey(work.resolve("sparkey"));
      case "paldb" -> FileStores.palDb(work.resolve("paldb"));
      case "rocksdb" -> FileStores.rocksDb(work.resolve("rocksdb"));
      default ->
          throw new IllegalArgumentException("there is no store '" + name + "'; there are " + ALL);
    };
  }

  private static void measureStore(
      Store opened, CustomerTable table, Measure measure, Results results) throws Exception {
    try (Store store = opened) {
      long heapBefore = usedHeap();
      long start = System.nanoTime();
      store.load(table);
      double loadRate = table.rows() * 1e9 / (System.nanoTime() - start);
      double bytesPerRow =
          (double) (usedHeap() - heapBefore + store.bytesOutsideHeap()) / table.rows();
      Finder finder = store.finder();
      measure.check(finder);
      String name = store.name();
      double hits = measure.hits(finder);
      double dependent = measure.dependent(finder);
      double misses = measure.misses(finder);
      double batched = finder.batches() ? measure.batched(finder) : Double.NaN;
      double twoThreads = measure.twoThreads(finder, store.finder());
      double allocation = measure.allocation(finder);
      results.put(name + "_hits_per_s", hits);
      results.put(name + "_dependent_per_s", dependent);
      results.put(name + "_misses_per_s", misses);
      if (finder.batches()) {
        results.put(name + "_batched_hits_per_s", batched);
      }
      results.put(name + "_two_threads_per_s", twoThreads);
      results.put(name + "_bytes_per_row", bytesPerRow);
      results.put(name + "_alloc_bytes", allocation);
      System.out.printf(
          Locale.ROOT,
          "%-11s %10.2f %10.2f %10.2f %10.2f %10.2f %8.0f %9.1f %10.2f%n",
          name,
          hits / 1e6,
          dependent / 1e6,
          misses / 1e6,
          batched / 1e6,
          twoThreads / 1e6,
          allocation,
          bytesPerRow,
          loadRate / 1e6);
    }
  }

  /** The heap in use after collections. */
  static long usedHeap() {
    Runtime runtime = Runtime.getRuntime();
    for (int i = 0; i < 3; i++) {
      System.gc();
    }
    return runtime.totalMemory() - runtime.freeMemory();
  }

  static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
