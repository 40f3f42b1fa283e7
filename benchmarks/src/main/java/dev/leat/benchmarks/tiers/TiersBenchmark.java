package dev.leat.benchmarks.tiers;

import dev.leat.Dimension;
import dev.leat.benchmarks.Arguments;
import dev.leat.benchmarks.LocalIndex;
import dev.leat.benchmarks.Medians;
import dev.leat.benchmarks.Results;
import dev.leat.benchmarks.WorkDirectory;
import dev.leat.benchmarks.tiers.TierServers.Customer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The tiers on real servers, all on this machine, so that the network costs almost nothing. */
public final class TiersBenchmark {
  private static final String KEY = "customers";
  private static final int FILES = 32;

  private TiersBenchmark() {}

  /**
   * Runs the benchmark.
   *
   * @param args {@code --rows N} (1,000,000), {@code --reads N} (1,000) point reads of each tier,
   *     {@code --rounds N} (5) starts of each kind, {@code --changes N} (100) of the version, each
   *     met by two subtasks, {@code --s3-latency-ms N} (0) that S3 takes longer for each request
   */
  public static Results run(String[] args) throws Exception {
    Arguments arguments =
        new Arguments(
            args,
            Set.of("rows", "keys", "reads", "rounds", "changes", "s3-latency-ms", "directory"));
    if (!arguments.text("keys", "ids").equals("ids")) {
      throw new IllegalArgumentException("the table of tiers has --keys ids only");
    }
    long rows = arguments.number("rows", 1_000_000);
    int reads = (int) arguments.number("reads", 1_000);
    int rounds = (int) arguments.number("rounds", 5);
    int changes = (int) arguments.number("changes", 100);
    long latency = arguments.number("s3-latency-ms", 0);
    Results results = new Results();
    results.put("rows", rows);
    results.put("s3_latency_ms", latency);
    Medians medians = new Medians();
    try (WorkDirectory work = WorkDirectory.of(arguments, "tiers");
        TierServers servers = TierServers.start(Duration.ofMillis(latency));
        LocalIndex index = LocalIndex.build(rows, work.path(), FILES)) {
      servers.put(index.text(), KEY);
      pointReads(servers, index, reads, medians);
      Starts starts = new Starts(servers, KEY, index.someKey(), work);
      for (int round = 0; round <= rounds; round++) {
        starts.round(round, round == 0 ? new Medians() : medians);
      }
      Dimension<String, Customer> dimension = servers.customers("cached-0", KEY);
      for (int round = 0; round <= rounds; round++) {
        FirstEvent.round(
            servers,
            dimension,
            index.someKey(),
            work.resolve("disk-0"),
            round == 0 ? new Medians() : medians);
      }
      ReloadStall.leat(servers, work.resolve("changing-disk"), changes, medians);
      ReloadStall.hiveStyle(work.path(), changes, medians);
    }
    report(medians, results);
    return results;
  }

  private static void pointReads(TierServers servers, LocalIndex index, int reads, Medians medians)
      throws Exception {
    String inS3 = "s3a://" + TierServers.BUCKET + "/" + KEY + "/";
    Path path = Path.of("/s3", TierServers.BUCKET, KEY);
    String inAlluxio = servers.alluxio().uri() + path + "/";
    // What the clients do when they are first used is not measured.
    PointReads.firstOfEach(servers, inS3, new Medians(), "unused");
    PointReads.firstOfEach(servers, inS3, medians, "s3_cold_get");
    PointReads.random(servers, inS3, reads, medians, "s3_get");
    PointReads.firstOfEach(servers, inAlluxio, new Medians(), "unused");
    servers.alluxio().free(path.toString());
    PointReads.firstOfEach(servers, inAlluxio, medians, "alluxio_cold_pread");
    PointReads.random(servers, inAlluxio, reads, medians, "alluxio_pread");
    index.lookups(Math.max(reads, 100_000), medians, "index");
  }

  private static void report(Medians medians, Results results) {
    System.out.printf(Locale.ROOT, "%-44s %12s %12s%n", "one row, us", "p50", "p99");
    for (String tier :
        List.of("s3_get", "s3_cold_get", "alluxio_pread", "alluxio_cold_pread", "index")) {
      results.put(tier + "_p50_us", medians.of(tier));
      results.put(tier + "_p99_us", medians.quantile(tier, 0.99));
      System.out.printf(
          Locale.ROOT,
          "%-44s %12.2f %12.2f%n",
          tier,
          medians.of(tier),
          medians.quantile(tier, 0.99));
    }
    System.out.printf(Locale.ROOT, "%n%-44s %12s%n", "start to the first row, s", "median");
    for (String start :
        List.of("s3_start_s", "cold_start_s", "warm_restart_s", "local_restart_s")) {
      results.put(start, medians.of(start));
      System.out.printf(Locale.ROOT, "%-44s %12.3f%n", start, medians.of(start));
    }
    results.put("first_event_no_join_s", medians.of("no_join"));
    results.put("first_event_local_restart_s", medians.of("join"));
    results.put("first_event_delay_s", medians.of("join") - medians.of("no_join"));
    System.out.printf(
        Locale.ROOT,
        "%-44s %12.3f%n%-44s %12.3f%n",
        "job to its first event, no join",
        medians.of("no_join"),
        "job to its first event, index on local disk",
        medians.of("join"));
    System.out.printf(
        Locale.ROOT, "%n%-44s %12s %12s%n", "stall at a change of version, ms", "p50", "p99");
    results.put("reload_stall_p50_ms", medians.of("leat"));
    results.put("reload_stall_p99_ms", medians.quantile("leat", 0.99));
    results.put("hive_reload_stall_p50_ms", medians.of("hive"));
    results.put("hive_reload_stall_p99_ms", medians.quantile("hive", 0.99));
    for (String name : List.of("leat", "hive")) {
      System.out.printf(
          Locale.ROOT,
          "%-44s %12.2f %12.2f%n",
          name.equals("leat") ? "Leat" : "as Flink's Hive lookup reloads",
          medians.of(name),
          medians.quantile(name, 0.99));
    }
    System.out.printf(Locale.ROOT, "%n%-44s %12s%n", "less than reading S3, percent", "");
    saving(results, "hot_latency_saving_percent", medians.of("index"), medians.of("s3_get"));
    saving(
        results,
        "alluxio_hot_latency_saving_percent",
        medians.of("alluxio_pread"),
        medians.of("s3_get"));
    saving(
        results,
        "alluxio_cold_latency_saving_percent",
        medians.of("alluxio_cold_pread"),
        medians.of("s3_cold_get"));
    saving(
        results,
        "hot_load_saving_percent",
        medians.of("local_restart_s"),
        medians.of("s3_start_s"));
    saving(
        results,
        "warm_load_saving_percent",
        medians.of("warm_restart_s"),
        medians.of("s3_start_s"));
    saving(
        results, "cold_load_saving_percent", medians.of("cold_start_s"), medians.of("s3_start_s"));
  }

  private static void saving(Results results, String name, double ours, double s3) {
    double percent = 100 * (1 - ours / s3);
    results.put(name, percent);
    System.out.printf(Locale.ROOT, "%-44s %12.2f%n", name, percent);
  }
}
