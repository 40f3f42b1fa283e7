package dev.leat.samples.streamedge;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.Dimension;
import dev.leat.Refresh;
import dev.leat.testkit.flink.InMemoryTopic;
import dev.leat.testkit.junit5.LeatTestKit;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * The job's join without any server: Kafka, S3 and Alluxio are in memory, the rest is the real
 * thing.
 */
class StreamEdgeJobTest {

  @RegisterExtension final LeatTestKit kit = LeatTestKit.create();
  private InMemoryTopic<VideoPlay> plays;
  private InMemoryTopic<EnrichedPlay> enriched;

  @BeforeEach
  void firstEdition() {
    plays = kit.kafka().createTopic("plays", 2, VideoPlay.class);
    enriched = kit.kafka().createTopic("enriched-plays", 2, EnrichedPlay.class);
    kit.s3().put("customers/customer.dat", row("ANN", "free", "CL", 1) + row("BO", "basic", "", 1));
  }

  @Test
  void aPlayGetsTheColumnsOfItsCustomerAndAnUnknownOneGetsNone() throws Exception {
    plays.produce(play(1, "ANN"), play(2, "BO"), play(3, "GUEST"), play(4, null));
    plays.end();

    environment().execute();

    assertThat(enriched.committedValues())
        .containsExactlyInAnyOrder(
            new EnrichedPlay(1, "ANN", "video", 1_000, 60, "free", "CL", "active", 1),
            new EnrichedPlay(2, "BO", "video", 1_000, 60, "basic", null, "active", 1),
            new EnrichedPlay(3, "GUEST", "video", 1_000, 60, null, null, null, null),
            new EnrichedPlay(4, null, "video", 1_000, 60, null, null, null, null));
  }

  @Test
  void s3ServesWhereAlluxioIsAway() throws Exception {
    kit.alluxio().stopWorker();
    kit.alluxio().stopMaster();
    plays.produce(play(1, "ANN"));
    plays.end();

    environment().execute();

    assertThat(enriched.committedValues())
        .extracting(EnrichedPlay::subscriptionTier)
        .containsExactly("free");
  }

  @Test
  void aNewEditionIsServedWhileTheStreamRuns() throws Exception {
    JobClient job = environment().executeAsync("StreamEdge");
    try {
      awaitEdition(1);
      kit.s3().put("customers/customer.dat", row("ANN", "premium", "CL", 2));
      awaitEdition(2);
    } finally {
      job.cancel().get(120, SECONDS);
    }
    assertThat(enriched.committedValues())
        .filteredOn(play -> Integer.valueOf(2).equals(play.validVersion()))
        .extracting(EnrichedPlay::subscriptionTier)
        .containsOnly("premium");
  }

  /** Sends plays until one comes back with the given edition of its customer. */
  private void awaitEdition(int edition) {
    await()
        .atMost(180, SECONDS)
        .pollInterval(Duration.ofMillis(100))
        .until(
            () -> {
              plays.produce(play(edition, "ANN"));
              return enriched.committedValues().stream()
                  .anyMatch(play -> Integer.valueOf(edition).equals(play.validVersion()));
            });
  }

  private StreamExecutionEnvironment environment() {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    env.setParallelism(2);
    env.enableCheckpointing(200);
    DataStream<VideoPlay> source =
        env.fromSource(plays.source(), WatermarkStrategy.noWatermarks(), "plays");
    StreamEdgeJob.enrich(
            source,
            StreamEdgeJob.customers(
                Dimension.named("customers").at(kit.s3().uri("customers/").toString())),
            Refresh.every(Duration.ofMillis(200)),
            kit.localDisk(),
            kit.alluxio().tier())
        .sinkTo(enriched.sink());
    return env;
  }

  private static VideoPlay play(long eventId, @Nullable String customerId) {
    return new VideoPlay(eventId, customerId, "video", 1_000, 60);
  }

  /**
   * A row as the files have it: the columns of TPC-DS, of which the join wants one, and our four.
   */
  private static String row(String customerId, String tier, String country, int version) {
    return "1|" + customerId + "|".repeat(17) + tier + "|" + country + "|active|" + version + "|\n";
  }
}
