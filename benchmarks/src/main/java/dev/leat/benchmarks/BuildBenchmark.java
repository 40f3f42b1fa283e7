package dev.leat.benchmarks;

import dev.leat.internal.index.IndexManifest;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Set;

/** Builds Leat's index from local text, with parsing, beside the load of Flink's cache. */
final class BuildBenchmark {
  private BuildBenchmark() {}

  static void run(String[] args) throws Exception {
    Arguments arguments =
        new Arguments(args, 1, Set.of("rows", "rounds", "directory", "peer-rows"));
    CustomerTable table = new CustomerTable(arguments.number("rows", 1_000_000));
    int rounds = (int) arguments.number("rounds", 5);
    Path directory =
        Files.createDirectories(
            arguments
                .path("directory", Path.of(System.getProperty("java.io.tmpdir")))
                .toAbsolutePath());
    Path work = Files.createTempDirectory(directory, "leat-build-");
    Results results = new Results();
    results.put("rows", table.rows());
    try {
      Path text = work.resolve("text");
      long textBytes = table.write(text, 8);
      double[] rates = new double[rounds];
      double[] opens = new double[rounds];
      double indexBytes = 0;
      for (int round = -1; round < rounds; round++) {
        try (LeatStore store = new LeatStore(work.resolve("leat"), text)) {
          long start = System.nanoTime();
          IndexManifest manifest = store.build();
          long built = System.nanoTime();
          store.open();
          store.finder().find(table.key(table.id(0)));
          long opened = System.nanoTime();
          indexBytes = manifest.shardBytes();
          if (round >= 0) {
            rates[round] = table.rows() * 1e9 / (built - start);
            opens[round] = (opened - built) / 1e6;
          }
        }
      }
      Arrays.sort(rates);
      Arrays.sort(opens);
      results.put("leat_rows_per_s", rates[rounds / 2]);
      results.put("leat_text_mb_per_s", rates[rounds / 2] * textBytes / table.rows() / 1e6);
      results.put("open_ms", opens[rounds / 2]);
      results.put("leat_bytes_per_row", indexBytes / table.rows());
      results.put("text_bytes_per_row", (double) textBytes / table.rows());
      results.put("peak_heap_bytes", peakHeap());
      long peerRows = arguments.number("peer-rows", Math.min(table.rows(), 1_000_000));
      if (peerRows > 0) {
        results.put("flink_full_rows_per_s", peer(new CustomerTable(peerRows)));
        results.put("flink_full_rows", peerRows);
      }
      System.out.printf(
          Locale.ROOT,
          "Leat built %,d rows at %.2f M rows/s (%.1f bytes of index for %.1f of text per row) and opened them in %.1f ms%n",
          table.rows(),
          rates[rounds / 2] / 1e6,
          indexBytes / table.rows(),
          (double) textBytes / table.rows(),
          opens[rounds / 2]);
    } finally {
      LookupBenchmark.delete(work);
    }
    results.print();
  }

  private static double peer(CustomerTable table) throws Exception {
    double[] rates = new double[3];
    for (int i = 0; i < rates.length; i++) {
      try (Store store = MapStores.flinkFull()) {
        long start = System.nanoTime();
        store.load(table);
        rates[i] = table.rows() * 1e9 / (System.nanoTime() - start);
      }
    }
    Arrays.sort(rates);
    return rates[1];
  }

  /** The sum of the peaks of all parts of the heap since the process began. */
  static long peakHeap() {
    long sum = 0;
    for (MemoryPoolMXBean pool : ManagementFactory.getMemoryPoolMXBeans()) {
      if (pool.getType() == MemoryType.HEAP) {
        sum += pool.getPeakUsage().getUsed();
      }
    }
    return sum;
  }
}
