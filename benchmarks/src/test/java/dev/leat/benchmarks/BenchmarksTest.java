package dev.leat.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tables too small to time: what is checked is that each figure is there and can be true. */
class BenchmarksTest {
  @TempDir Path directory;

  private Results run(String... args) throws Exception {
    String[] here = {"--directory", directory.toString()};
    return Benchmarks.run(
        Stream.concat(Arrays.stream(args), Arrays.stream(here)).toArray(String[]::new));
  }

  private static void assertPositive(Results results, String... names) {
    for (String name : names) {
      assertThat(results.of(name)).as(name).isPositive();
    }
  }

  @ParameterizedTest
  @EnumSource(KeyKind.class)
  void lookupFindsEveryKeyInEveryStoreAndTellsAllFigures(KeyKind keys) throws Exception {
    Results results =
        run(
            "lookup",
            "--keys",
            keys.label(),
            "--rows",
            "3000",
            "--lookups",
            "2000",
            "--rounds",
            "1");

    assertThat(results.rows()).isEqualTo(3000);
    for (String store : StoreKind.labels()) {
      assertPositive(
          results,
          store + "_hits_per_s",
          store + "_dependent_per_s",
          store + "_misses_per_s",
          store + "_two_threads_per_s",
          store + "_load_rows_per_s");
      assertThat(results.of(store + "_bytes_per_row")).isNotNegative();
      assertThat(results.of(store + "_alloc_bytes")).isNotNegative();
    }
    assertPositive(
        results,
        "keys_alone_per_s",
        "leat_bytes_per_row",
        "leat_batched_hits_per_s",
        "leat_to_flink_full_hits",
        "leat_to_sparkey_dependent");
    assertThat(results.of("text_bytes_per_row")).isBetween(20.0, 250.0);
    assertThat(results.toString()).startsWith("RESULT rows=3000 ").doesNotContain("NaN");
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void aPeerThatCannotHoldTheRowsIsNamed() throws Exception {
    Results results = run("lookup", "--rows", "1000", "--rounds", "1", "--lookups", "100");
    assertThat(results.toString()).doesNotContain("does_not_fit");

    long rows = Heap.max() / StoreKind.FLINK_FULL.heapPerRow(KeyKind.IDS.table(1));
    Results full =
        run(
            "lookup",
            "--stores",
            "leat,flink_full",
            "--rows",
            Long.toString(rows),
            "--rounds",
            "1",
            "--lookups",
            "1000");
    assertThat(full.of("flink_full_does_not_fit")).isEqualTo(1);
    assertPositive(full, "leat_hits_per_s");
  }

  @Test
  void buildTellsTheRatesOfLeatAndOfItsPeers() throws Exception {
    Results results = run("build", "--rows", "20000", "--peer-rows", "5000", "--rounds", "1");

    assertThat(results.rows()).isEqualTo(20_000);
    assertThat(results.of("flink_full_rows")).isEqualTo(5_000);
    assertThat(results.of("text_bytes_per_row")).isCloseTo(31.5, within(0.5));
    assertPositive(
        results,
        "leat_rows_per_s",
        "flink_full_rows_per_s",
        "flink_hive_rows_per_s",
        "open_ms",
        "leat_bytes_per_row",
        "full_build_s",
        "one_file_changed_build_s");
    assertThat(results.of("peak_heap_bytes")).isBetween(1e6, (double) Heap.max());
  }

  @Test
  void scaleTellsWhatALargeTableNeeds() throws Exception {
    Results results = run("scale", "--rows", "20000", "--lookups", "5000", "--rounds", "1");

    assertThat(results.rows()).isEqualTo(20_000);
    assertPositive(
        results,
        "hits_per_s",
        "ten_million_hits_per_s",
        "batched_hits_per_s",
        "dependent_per_s",
        "misses_per_s",
        "heap_bytes",
        "rss_bytes",
        "build_s",
        "open_ms");
    assertThat(results.of("disk_bytes")).isBetween(20_000.0, 20_000 * 31.5);
  }

  @Test
  void pipelineTellsTheCpuTimeOfEachJob() throws Exception {
    Results results = run("pipeline", "--rows", "2000", "--events", "12000", "--rounds", "1");

    // The process's time comes in steps that are longer than so few events take.
    assertThat(results.of("sql_leat_cpu_us")).isNotNegative();
    assertPositive(
        results,
        "datastream_none_task_cpu_us",
        "datastream_hashmap_task_cpu_us",
        "datastream_leat_task_cpu_us",
        "sql_none_task_cpu_us",
        "sql_function_task_cpu_us",
        "sql_partial_task_cpu_us",
        "sql_full_task_cpu_us",
        "sql_leat_task_cpu_us");
  }

  @Test
  void theJmhBenchmarkFindsWhatIsThere() throws Exception {
    for (String store : List.of("leat", "sparkey", "hashmap")) {
      SingleLookup benchmark = new SingleLookup();
      benchmark.rows = 500;
      benchmark.store = store;
      benchmark.open();
      try {
        assertThat(benchmark.hit()).isNotNull();
        assertThat(benchmark.miss()).isNull();
      } finally {
        benchmark.close();
      }
    }
  }

  @Test
  void aFewKeysOfAZipfStreamComeOften() {
    ZipfStream ranks = new ZipfStream(1_000_000, new Random(1));
    int first = 0;
    for (int i = 0; i < 100_000; i++) {
      long rank = ranks.getAsLong();
      assertThat(rank).isBetween(1L, 1_000_000L);
      first += rank == 1 ? 1 : 0;
    }
    // 1 / the 1,000,000th harmonic number.
    assertThat(first / 100_000.0).isCloseTo(1 / 14.39, within(0.005));
  }

  @Test
  void aBarChartHasABarForEachValue() {
    String svg =
        BarChart.logarithmic("Bytes", 1).bar("leat", 10, true).bar("flink_full", 1000, false).svg();

    assertThat(svg).contains(">leat<", ">10.00<", ">flink_full<", ">1,000<", "width=\"140.0\"");
  }

  @Test
  void whatIsNotKnownIsRefusedWithWhatThereIs() {
    assertThatThrownBy(() -> Benchmarks.run("lookups"))
        .hasMessageContaining("lookup, build, scale, pipeline or tiers");
    assertThatThrownBy(() -> Benchmarks.run("lookup", "--row", "5"))
        .hasMessageContaining("--row")
        .hasMessageContaining("--rows");
    assertThatThrownBy(() -> Benchmarks.run("lookup", "--keys", "int"))
        .hasMessageContaining("'int'")
        .hasMessageContaining("integer");
    assertThatThrownBy(() -> Benchmarks.run("lookup", "--rows", "0"))
        .hasMessageContaining("0 rows");
  }
}
