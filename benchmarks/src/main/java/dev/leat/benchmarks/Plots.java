package dev.leat.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * Draws the figures of a file of results: lines {@code run: RESULT name=value …}, where a run is
 * named by what was measured. A plot whose runs are not all there is an error.
 */
final class Plots {
  private final Map<String, Results> runs = new LinkedHashMap<>();

  private Plots(Path file) throws IOException {
    for (String line : Files.readAllLines(file)) {
      int colon = line.indexOf(": RESULT ");
      if (colon > 0) {
        Results results = new Results();
        results.putAll(line.substring(colon + 2));
        runs.put(line.substring(0, colon), results);
      }
    }
  }

  /** Reads {@code results.txt} in a directory, and writes the plots beside it. */
  static void draw(Path directory) throws IOException {
    Plots plots = new Plots(directory.resolve("results.txt"));
    for (Map.Entry<String, BarChart> plot : plots.charts().entrySet()) {
      Files.writeString(directory.resolve(plot.getKey() + ".svg"), plot.getValue().svg());
    }
  }

  private Map<String, BarChart> charts() {
    Map<String, BarChart> charts = new LinkedHashMap<>();
    String lookup = "lookup-ids-10m";
    charts.put(
        "lookup",
        stores(
            BarChart.linear("Lookups that hit, 10 million rows, million per second of CPU"),
            lookup,
            "_hits_per_s",
            1e-6));
    charts.put(
        "bytes",
        stores(
            BarChart.logarithmic(
                "Bytes per row, 10 million rows, everything counted (logarithmic)", 1),
            lookup,
            "_bytes_per_row",
            1));
    BarChart keys =
        BarChart.linear("Lookups that hit by kind of key, 1 million rows, million per second");
    for (KeyKind kind : KeyKind.values()) {
      for (StoreKind store :
          new StoreKind[] {StoreKind.LEAT, StoreKind.SPARKEY, StoreKind.HASHMAP}) {
        keys.bar(
            kind.label() + ", " + store.label(),
            value("lookup-" + kind.label() + "-1m", store.label() + "_hits_per_s") / 1e6,
            store == StoreKind.LEAT);
      }
    }
    charts.put("keys", keys);
    for (String rows : new String[] {"1m", "10m"}) {
      BarChart pipeline =
          BarChart.linear("CPU per event of a Flink job in all, " + rows + " rows, microseconds");
      for (String job :
          new String[] {
            "datastream_none",
            "datastream_hashmap",
            "datastream_leat",
            "sql_none",
            "sql_function",
            "sql_partial",
            "sql_full",
            "sql_leat"
          }) {
        Results results = run("pipeline-" + rows);
        if (results.has(job + "_cpu_us")) {
          pipeline.bar(job, results.of(job + "_cpu_us"), job.endsWith("leat"));
        }
      }
      charts.put("pipeline-" + rows, pipeline);
    }
    BarChart tiers =
        BarChart.logarithmic("One row of each tier, median, microseconds (logarithmic)", 0.01);
    for (String tier :
        new String[] {"s3_cold_get", "s3_get", "alluxio_cold_pread", "alluxio_pread", "index"}) {
      tiers.bar(tier, value("tiers", tier + "_p50_us"), tier.equals("index"));
    }
    charts.put("tiers", tiers);
    return charts;
  }

  private BarChart stores(BarChart chart, String run, String figure, double factor) {
    for (StoreKind store : StoreKind.values()) {
      if (run(run).has(store.label() + figure)) {
        chart.bar(
            store.label(), value(run, store.label() + figure) * factor, store == StoreKind.LEAT);
      }
    }
    return chart;
  }

  private Results run(String name) {
    Results results = runs.get(name);
    if (results == null) {
      throw new IllegalArgumentException(
          String.format(Locale.ROOT, "there is no run '%s', only %s", name, runs.keySet()));
    }
    return results;
  }

  private double value(String run, String figure) {
    return run(run).of(figure);
  }
}
