package dev.leat.it.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.Dimension;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.Refresh;
import dev.leat.alluxio.Alluxio;
import dev.leat.flink.Enrichment;
import dev.leat.format.DelimitedText;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreContext;
import dev.leat.testserver.RealAlluxio;
import dev.leat.testserver.RealS3;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose dimension is in a real S3, behind a real Alluxio. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class JoinOnRealServersIT {
  private static final String BUCKET = "lake";
  private static final Duration SOON = Duration.ofSeconds(180);

  @TempDir private Path directory;
  private RealS3 s3;
  private RealAlluxio alluxio;

  @BeforeAll
  void startServers() {
    s3 = RealS3.start(BUCKET);
    alluxio = RealAlluxio.start(s3, BUCKET);
  }

  @AfterAll
  void stopServers() {
    alluxio.close();
    s3.close();
  }

  @Test
  void anIndexThatOneHostHasBuiltIsFetchedFromAlluxioByTheNextAndReusedByARestart()
      throws Exception {
    put("shared/part-0", "anna|gold\nboris|free\n");
    for (Map.Entry<String, String> run :
        List.of(
            Map.entry("host-1", "builtCount"),
            Map.entry("host-2", "fetchedCount"),
            Map.entry("host-2", "reusedCount"))) {
      try (Host host = new Host(run.getKey(), s3.hadoopProperties());
          CloseableIterator<String> out =
              host.tiers(customers("shared"), "anna", "nobody", "boris").executeAndCollect()) {
        readUntil(out, "gold");
        readUntil(out, "none");
        readUntil(out, "free");

        assertThat(host.gauges(run.getValue()))
            .as("%s of %s", run.getValue(), run.getKey())
            .isNotEmpty()
            .containsOnly(1L);
        assertThat(host.gauges("cache.loadCount")).containsOnly(1L);
        awaitPublication("customers-shared");
      }
    }
  }

  @Test
  void whileAlluxioIsAwayNewVersionsComeFromS3AndTheStreamGoesOn() throws Exception {
    put("outage/part-0", "anna|gold\n");
    try (Host host = new Host("host-3", s3.hadoopProperties())) {
      try (CloseableIterator<String> out =
          host.tiers(customers("outage"), "anna").executeAndCollect()) {
        readUntil(out, "gold");
        alluxio.stopWorker();
        alluxio.stopMaster();
        try {
          put("outage/part-0", "anna|silver\n");
          readUntil(out, "silver");
          assertThat(host.gauges("tier.alluxio.failures"))
              .isNotEmpty()
              .allSatisfy(failures -> assertThat((Long) failures).isPositive());
        } finally {
          alluxio.startMaster();
          alluxio.startWorker();
        }
        put("outage/part-0", "anna|platinum\n");
        readUntil(out, "platinum");
      }
    }
  }

  @Test
  void wrongCredentialsFailTheStartWithoutShowingThem() throws Exception {
    put("closed/part-0", "anna|gold\n");
    Map<String, String> wrong = new HashMap<>(s3.hadoopProperties());
    wrong.put("fs.s3a.secret.key", "NotTheSecretAtAll");
    try (Host host = new Host("host-4", wrong)) {
      assertThatThrownBy(
              () -> {
                try (CloseableIterator<String> out =
                    host.tiers(customers("closed"), "anna").executeAndCollect()) {
                  out.next();
                }
              })
          .satisfies(
              thrown -> {
                assertThat(leatException(thrown).errorCode()).isEqualTo(ErrorCode.ACCESS_DENIED);
                for (Throwable t = thrown; t != null; t = t.getCause()) {
                  assertThat(t.toString()).doesNotContain("NotTheSecretAtAll");
                }
              });
    }
  }

  /** Publishing goes on behind the stream; a host that ends early leaves it to the next. */
  private void awaitPublication(String dimension) throws IOException {
    try (RemoteTierStore store = tier().open(new StoreContext(Map.of()))) {
      await()
          .atMost(SOON)
          .until(
              () ->
                  store.blobs().list(store.indexRoot()).stream()
                      .map(blob -> blob.uri().getPath())
                      .anyMatch(
                          path ->
                              path.contains("/" + dimension + "/")
                                  && path.endsWith("/manifest.json")));
    }
  }

  private static LeatException leatException(Throwable thrown) {
    LeatException found = null;
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      found = t instanceof LeatException leat ? leat : found;
    }
    return Optional.ofNullable(found).orElseThrow();
  }

  private void put(String key, String text) {
    s3.put(BUCKET, key, text.getBytes(StandardCharsets.UTF_8));
  }

  private Alluxio tier() {
    return Alluxio.at(alluxio.uri()).mapping("s3a://" + BUCKET, "/s3/" + BUCKET);
  }

  private static Dimension<String, Customer> customers(String prefix) {
    return Dimension.named("customers-" + prefix)
        .at("s3a://" + BUCKET + "/" + prefix + "/")
        .rows(Customer.class, DelimitedText.separatedBy('|').columns("customer_id", "tier"))
        .keyedBy(String.class, "customer_id");
  }

  /** Reads on until an event has the tier; fails where none has it soon. */
  private static void readUntil(CloseableIterator<String> out, String tier) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!out.next().equals(tier)) {
      assertThat(System.nanoTime())
          .as("an event of tier %s comes in time", tier)
          .isLessThan(deadline);
    }
  }

  /** A row. */
  public record Customer(String customerId, String tier) implements Serializable {}

  /** A local Flink with a disk and a configuration of its own. */
  private final class Host implements AutoCloseable {
    private final InMemoryReporter metrics = InMemoryReporter.createWithRetainedMetrics();
    private final StreamExecutionEnvironment environment;

    Host(String name, Map<String, String> properties) throws IOException {
      Configuration configuration = Configuration.fromMap(properties);
      configuration.setString(
          "io.tmp.dirs", Files.createDirectories(directory.resolve(name)).toString());
      configuration.setString("restart-strategy.type", "none");
      metrics.addToConfiguration(configuration);
      environment = StreamExecutionEnvironment.createLocalEnvironment(2, configuration);
    }

    /** The tiers of keys that come again and again. */
    DataStream<String> tiers(Dimension<String, Customer> dimension, String... keys) {
      DataStream<String> endless =
          environment.fromSource(
              new DataGeneratorSource<>(
                  index -> keys[(int) (index % keys.length)],
                  Long.MAX_VALUE,
                  RateLimiterStrategy.perSecond(200),
                  TypeInformation.of(String.class)),
              WatermarkStrategy.noWatermarks(),
              "plays");
      return Enrichment.from(endless)
          .leftJoin(dimension)
          .on(key -> key)
          .cachedIn(tier())
          .refresh(Refresh.every(Duration.ofMillis(200)))
          .combine((key, customer) -> customer.map(Customer::tier).orElse("none"), String.class);
    }

    /** The values that a gauge of the join has in all subtasks. */
    List<Object> gauges(String name) {
      List<Object> values = new ArrayList<>();
      metrics
          .getMetricsByGroup()
          .forEach(
              (group, byName) ->
                  byName.forEach(
                      (metric, value) -> {
                        String identifier = group.getMetricIdentifier(metric);
                        if (identifier.contains(".leat.customers-")
                            && identifier.endsWith("." + name)) {
                          values.add(((Gauge<?>) value).getValue());
                        }
                      }));
      return values;
    }

    @Override
    public void close() throws Exception {
      environment.close();
      metrics.close();
    }
  }
}
