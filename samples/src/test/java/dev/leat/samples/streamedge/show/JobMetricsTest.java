package dev.leat.samples.streamedge.show;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.connector.source.lib.NumberSequenceSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The figures that the person sees are those that the join reports; here a stand-in reports some.
 */
class JobMetricsTest {

  @TempDir Path directory;

  @Test
  void countersAreSummedOverTheSubtasksAndGaugesAreNot() throws Exception {
    int port = LocalFlink.freePort();
    StreamExecutionEnvironment env = LocalFlink.environment(port, directory);
    env.fromSource(
            new NumberSequenceSource(0, Long.MAX_VALUE - 1),
            WatermarkStrategy.noWatermarks(),
            "numbers")
        .map(new JoinOfOneHit())
        .name("customers")
        .sinkTo(new DiscardingSink<>());
    JobClient job = env.executeAsync("a stand-in");
    try {
      JobMetrics metrics = new JobMetrics(port, job.getJobID().toString());
      await()
          .atMost(120, SECONDS)
          .ignoreExceptionsInstanceOf(IOException.class)
          .untilAsserted(
              () -> {
                JobMetrics.Snapshot snapshot = metrics.read();
                assertThat(snapshot.hits()).isEqualTo(2);
                assertThat(snapshot.rows()).isEqualTo(7);
                assertThat(snapshot.restarts()).isZero();
                assertThat(snapshot.tiers())
                    .containsExactly(new JobMetrics.Tier("alluxio", 5, 0, 0, 0, "left alone"));
              });
    } finally {
      job.cancel().get(120, SECONDS);
    }
  }

  /** Reports as the join does: counters of its own, gauges of the index that all share. */
  private static final class JoinOfOneHit extends RichMapFunction<Long, Long> {
    private static final long serialVersionUID = 1L;

    @Override
    public void open(OpenContext context) {
      MetricGroup group = getRuntimeContext().getMetricGroup().addGroup("leat", "customers");
      MetricGroup cache = group.addGroup("cache");
      Counter hits = cache.counter("hitCount");
      hits.inc();
      cache.gauge("numCachedRecords", (Gauge<Long>) () -> 7L);
      MetricGroup tier = group.addGroup("tier", "alluxio");
      tier.gauge("hits", (Gauge<Long>) () -> 5L);
      tier.gauge("breakerState", (Gauge<Integer>) () -> 1);
    }

    @Override
    public Long map(Long number) {
      return number;
    }
  }
}
