package dev.leat.samples.streamedge.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LatencyProbeTest {

  @TempDir Path directory;

  @Test
  void everyEventAfterTheWarmUpIsMeasured() throws Exception {
    LatencyProbe probe =
        new LatencyProbe(
            List.of(new Lookup("A", 0, 0, 1, 0), new Lookup("B", 0, 1, 1, 0)), directory);
    Latencies latencies =
        probe.measure(
            "nothing",
            1_000,
            started ->
                started
                    .map(lookup -> lookup.found(lookup.customerId()))
                    .returns(Lookup.FoundRow.class));
    assertThat(latencies.count()).isEqualTo(900);
    assertThat(latencies.micros(0.5)).isPositive().isLessThanOrEqualTo(latencies.micros(0.99));
  }

  @Test
  void aJoinThatFindsAnotherCustomerFails() {
    assertThatThrownBy(() -> new Lookup("A", 0, 0, 1, 0).found("B"))
        .hasMessageContaining("looked for A and found 'B'");
  }

  @Test
  void aPercentileIsTheTimeWithinWhichThatShareWasDone() {
    Latencies latencies =
        Latencies.of(LongStream.rangeClosed(1, 100).map(i -> i * 1_000).boxed().toList());
    assertThat(latencies.micros(0.5)).isCloseTo(50, within(1e-9));
    assertThat(latencies.micros(0.99)).isCloseTo(99, within(1e-9));
    assertThat(latencies.micros(1)).isCloseTo(100, within(1e-9));
  }
}
