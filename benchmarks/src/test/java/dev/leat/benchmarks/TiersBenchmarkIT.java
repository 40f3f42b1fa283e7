package dev.leat.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TiersBenchmarkIT {
  @TempDir Path directory;

  @Test
  void tiersTellWhatEachTierGivesOnRealServers() throws Exception {
    Results results =
        Benchmarks.run(
            "tiers",
            "--rows",
            "5000",
            "--reads",
            "20",
            "--rounds",
            "1",
            "--changes",
            "2",
            "--directory",
            directory.toString());

    for (String name :
        new String[] {
          "s3_get_p50_us",
          "s3_get_p99_us",
          "alluxio_pread_p50_us",
          "alluxio_pread_p99_us",
          "index_p50_us",
          "index_p99_us",
          "s3_start_s",
          "cold_start_s",
          "warm_restart_s",
          "local_restart_s",
          "reload_stall_p99_ms",
          "hive_reload_stall_p99_ms",
          "first_event_local_restart_s"
        }) {
      assertThat(results.of(name)).as(name).isPositive();
    }
    assertThat(results.of("hot_latency_saving_percent")).isBetween(50.0, 100.0);
    assertThat(results.toString())
        .contains("hot_load_saving_percent=", "warm_load_saving_percent=");
  }
}
