package dev.leat.it.kafka;

import static dev.leat.testkit.assertj.LeatAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.flink.Enrichment;
import dev.leat.format.DelimitedText;
import dev.leat.testkit.InMemoryS3;
import dev.leat.testkit.StoreFault;
import dev.leat.testkit.StoreOperation;
import dev.leat.testkit.flink.InMemoryTopic;
import dev.leat.testkit.flink.TopicRecord;
import dev.leat.testkit.junit5.LeatTestKit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The code of {@code docs/testing.md}. */
class TestingGuideIT {

  /** Somebody watched a video. */
  public record Play(String id, String customerId) {}

  /** What the job wants to know of a customer. */
  public record Customer(String customerId, String tier) {}

  /** A play with the customer's tier. */
  public record EnrichedPlay(String id, String tier) {}

  // tag::kit[]
  @RegisterExtension final LeatTestKit kit = LeatTestKit.create();

  // end::kit[]

  // tag::join[]
  @Test
  void playsMeetTheirCustomer() throws Exception {
    kit.s3().put("customers/part-0", "c1|GOLD\nc2|FREE\n");
    InMemoryTopic<Play> plays = kit.kafka().createTopic("plays", 2, Play.class);
    InMemoryTopic<EnrichedPlay> enriched =
        kit.kafka().createTopic("enriched", 2, EnrichedPlay.class);
    plays.produce(new Play("p1", "c1"), new Play("p2", "c2"), new Play("p3", "nobody"));

    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    enrich(environment, plays, enriched);
    environment.execute();

    assertThat(enriched).hasExactlyOnce(EnrichedPlay::id, "p1", "p2", "p3");
    assertThat(enriched.committedValues())
        .containsExactlyInAnyOrder(
            new EnrichedPlay("p1", "GOLD"),
            new EnrichedPlay("p2", "FREE"),
            new EnrichedPlay("p3", "unknown"));
  }

  // end::join[]

  // tag::job[]
  private void enrich(
      StreamExecutionEnvironment environment,
      InMemoryTopic<Play> plays,
      InMemoryTopic<EnrichedPlay> enriched) {
    Dimension<String, Customer> customers =
        Dimension.named("customers")
            .at(kit.s3().uri("customers/").toString())
            .rows(Customer.class, DelimitedText.separatedBy('|').columns("customer_id", "tier"))
            .keyedBy(String.class, "customer_id");
    DataStream<Play> stream =
        environment.fromSource(plays.source().bounded(), WatermarkStrategy.noWatermarks(), "plays");
    Enrichment.from(stream)
        .leftJoin(customers)
        .on(Play::customerId)
        .cachedIn(kit.localDisk(), kit.alluxio().tier())
        .combine(
            (Play play, Optional<Customer> customer) ->
                new EnrichedPlay(play.id(), customer.map(Customer::tier).orElse("unknown")),
            EnrichedPlay.class)
        .sinkTo(enriched.sink(play -> TopicRecord.of(play).withKey(play.id())));
  }

  // end::job[]

  // tag::faults[]
  @Test
  void aThrottlingBucketAndAnAlluxioThatIsAwayCostNoRecord() throws Exception {
    InMemoryS3 s3 = kit.s3();
    s3.put("customers/part-0", "c1|GOLD\n");
    s3.inject(StoreFault.slowDown().at(StoreOperation.LIST).times(2));
    kit.alluxio().stopMaster();
    InMemoryTopic<Play> plays = kit.kafka().createTopic("plays", 1, Play.class);
    InMemoryTopic<EnrichedPlay> enriched =
        kit.kafka().createTopic("enriched", 1, EnrichedPlay.class);
    plays.produce(new Play("p1", "c1"));

    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    enrich(environment, plays, enriched);
    environment.execute();

    assertThat(enriched.committedValues()).containsExactly(new EnrichedPlay("p1", "GOLD"));
  }

  // end::faults[]

  @Test
  void thePageShowsThisCode() throws IOException {
    Path root = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(root.resolve("sdk-testkit"))) {
      root = root.getParent();
    }
    String source =
        Files.readString(
            root.resolve("integration-tests/src/test/java/dev/leat/it/kafka/TestingGuideIT.java"));
    String page = Files.readString(root.resolve("docs/testing.md"));
    Matcher regions =
        Pattern.compile("// tag::(\\w+)\\[]\n(.*?)\n *// end::\\1\\[]", Pattern.DOTALL)
            .matcher(source);
    int count = 0;
    for (; regions.find(); count++) {
      String region = regions.group(2).stripTrailing().stripIndent();
      assertThat(page)
          .as("the region %s", regions.group(1))
          .contains("```java\n" + region + "\n```");
    }
    assertThat(count).isEqualTo(List.of("kit", "join", "job", "faults").size());
  }
}
