package dev.leat.benchmarks;

import dev.leat.benchmarks.Store.Finder;
import dev.leat.internal.index.IndexManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;

/**
 * A table as large as one machine should serve: built, opened and looked up with a small heap,
 * beside a table of ten million rows.
 */
final class ScaleBenchmark {
  private static final long SMALL = 10_000_000;

  private ScaleBenchmark() {}

  static void run(String[] args) throws Exception {
    Arguments arguments = new Arguments(args, 1, Set.of("rows", "rounds", "lookups", "directory"));
    long rows = arguments.number("rows", 100_000_000);
    int rounds = (int) arguments.number("rounds", 5);
    int lookups = (int) arguments.number("lookups", 2_000_000);
    Path directory =
        Files.createDirectories(
            arguments
                .path("directory", Path.of(System.getProperty("java.io.tmpdir")))
                .toAbsolutePath());
    Results results = new Results();
    results.put("rows", rows);
    double small =
        serve(new CustomerTable(Math.min(rows, SMALL)), directory, rounds, lookups, new Results());
    double large = serve(new CustomerTable(rows), directory, rounds, lookups, results);
    results.put("ten_million_hits_per_s", small);
    System.out.printf(
        Locale.ROOT,
        "%,d rows: %.2f M hits/s, %.0f %% of the rate at %,d rows%n",
        rows,
        large / 1e6,
        100 * large / small,
        Math.min(rows, SMALL));
    results.print();
  }

  private static double serve(
      CustomerTable table, Path directory, int rounds, int lookups, Results results)
      throws Exception {
    Path work = Files.createTempDirectory(directory, "leat-scale-");
    try {
      Path text = work.resolve("text");
      table.write(text, 16);
      try (LeatStore store = new LeatStore(work.resolve("leat"), text)) {
        long start = System.nanoTime();
        IndexManifest manifest = store.build();
        double seconds = (System.nanoTime() - start) / 1e9;
        store.open();
        Measure measure = new Measure(table, lookups, rounds);
        Finder finder = store.finder();
        measure.check(finder);
        double hits = measure.hits(finder);
        results.put("hits_per_s", hits);
        results.put("dependent_per_s", measure.dependent(finder));
        results.put("batched_hits_per_s", measure.batched(finder));
        results.put("misses_per_s", measure.misses(finder));
        results.put("build_s", seconds);
        results.put("build_rows_per_s", table.rows() / seconds);
        results.put("disk_bytes", manifest.shardBytes());
        results.put("bytes_per_row", (double) manifest.shardBytes() / table.rows());
        results.put("heap_bytes", LookupBenchmark.usedHeap());
        results.put("max_heap_bytes", Runtime.getRuntime().maxMemory());
        results.put("rss_bytes", residentBytes());
        return hits;
      }
    } finally {
      LookupBenchmark.delete(work);
    }
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
