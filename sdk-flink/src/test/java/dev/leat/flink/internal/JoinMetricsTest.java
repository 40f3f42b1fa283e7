package dev.leat.flink.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.event.DimensionStatistics;
import dev.leat.flink.Customer;
import dev.leat.flink.UnreadFormat;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.junit.jupiter.api.Test;

class JoinMetricsTest {
  private static final Pattern DOCUMENTED =
      Pattern.compile("^\\| `([^`]+)` \\| (counter|gauge) \\|", Pattern.MULTILINE);

  /** The section of the metrics that the coordinator registers, which its own test compares. */
  private static final Pattern COORDINATORS =
      Pattern.compile("^## The whole job$.*?(?=^## )", Pattern.MULTILINE | Pattern.DOTALL);

  private final FakeServices services = new FakeServices();
  private final RecordingMetricGroup operator = new RecordingMetricGroup();

  @Test
  void thePageListsExactlyTheMetricsThatAreRegisteredWithTheirKinds() throws IOException {
    register();
    Map<String, String> registered = new TreeMap<>();
    operator
        .metrics()
        .forEach(
            (name, metric) ->
                registered.put(
                    name.replaceFirst("^leat\\.customers\\.", "")
                        .replaceFirst("^tier\\.(local-disk|source)\\.", "tier.<tier>."),
                    metric instanceof Counter ? "counter" : "gauge"));
    Map<String, String> documented =
        DOCUMENTED
            .matcher(COORDINATORS.matcher(Files.readString(page())).replaceFirst(""))
            .results()
            .collect(
                Collectors.toMap(
                    result -> result.group(1), (MatchResult result) -> result.group(2)));

    assertThat(registered).containsExactlyInAnyOrderEntriesOf(documented);
  }

  @Test
  void eachGaugeShowsItsOwnFigureOfTheStatistics() {
    register();

    assertThat(value("versionId")).isEqualTo("version-1");
    assertThat(value("versionAge")).isEqualTo(15_000L);
    assertThat(value("cache.numCachedRecords")).isEqualTo(2L);
    assertThat(value("cache.numCachedBytes")).isEqualTo(16L);
    assertThat(value("rejectedRows")).isEqualTo(17L);
    assertThat(value("unparsableCells")).isEqualTo(18L);
    assertThat(value("duplicateKeys")).isEqualTo(19L);
    assertThat(value("nullKeyRows")).isEqualTo(20L);
    assertThat(value("hotRowHits")).isEqualTo(33L);
    assertThat(value("filteredRows")).isEqualTo(32L);
    assertThat(value("cache.loadCount")).isEqualTo(24L);
    assertThat(value("cache.numLoadFailures")).isEqualTo(25L);
    assertThat(value("cache.latestLoadTime")).isEqualTo(26L);
    assertThat(value("builtCount")).isEqualTo(27L);
    assertThat(value("fetchedCount")).isEqualTo(28L);
    assertThat(value("reusedCount")).isEqualTo(29L);
    assertThat(value("unchangedCount")).isEqualTo(30L);
    assertThat(value("reusedFiles")).isEqualTo(33L);
    assertThat(value("reusedRows")).isEqualTo(34L);
    assertThat(value("buildRows")).isEqualTo(35L);
    assertThat(value("buildBytes")).isEqualTo(36L);
    assertThat(value("buildTotalBytes")).isEqualTo(37L);
    assertThat(value("buildTimeLeft")).isEqualTo(39L);
    assertThat(value("refreshFailuresInARow")).isEqualTo(31);
    assertThat(value("versionHeldBack")).isEqualTo(1);
    assertThat(value("versionPinned")).isEqualTo("the version that is pinned");
    assertThat(value("tier.local-disk.operations")).isEqualTo(1L);
    assertThat(value("tier.local-disk.failures")).isEqualTo(2L);
    assertThat(value("tier.local-disk.bytes")).isEqualTo(3L);
    assertThat(value("tier.local-disk.hits")).isEqualTo(4L);
    assertThat(value("tier.local-disk.misses")).isEqualTo(5L);
    assertThat(value("tier.local-disk.fallbacks")).isEqualTo(6L);
    assertThat(value("tier.local-disk.damaged")).isEqualTo(7L);
    assertThat(value("tier.local-disk.breakerState")).isEqualTo(0);
    assertThat(value("tier.source.breakerState")).isEqualTo(1);
  }

  @Test
  void countersCountWhatTheSubtaskDid() {
    JoinMetrics metrics = register();
    metrics.hit();
    metrics.miss();
    metrics.miss();
    metrics.nullKey();
    metrics.nullKey();
    metrics.nullKey();

    assertThat(count("cache.hitCount")).isEqualTo(1);
    assertThat(count("cache.missCount")).isEqualTo(2);
    assertThat(count("nullKeyCount")).isEqualTo(3);
  }

  @Test
  void theBreakerStatesKeepTheirDocumentedNumbers() {
    assertThat(DimensionStatistics.Health.values())
        .containsExactly(
            DimensionStatistics.Health.CLOSED,
            DimensionStatistics.Health.OPEN,
            DimensionStatistics.Health.HALF_OPEN);
  }

  private JoinMetrics register() {
    services.publish(Map.of("anna", List.of(new Customer("anna", "gold", null)), "b", List.of(1)));
    ServiceRequest<String, Customer> request =
        new ServiceRequest<>(
            Dimension.named("customers")
                .at("s3a://lake/customers/")
                .rows(Customer.class, new UnreadFormat())
                .keyedBy(String.class, "customer_id"),
            DuplicateKeys.KEEP_LAST,
            List.of(LocalDisk.defaults()),
            Refresh.never(),
            Staleness.serveForever());
    DimensionService<String, Customer> service =
        services.acquire(
            request, new ServiceEnvironment(Map.of(), Path.of("unused"), Clock.systemUTC()));
    return JoinMetrics.register(operator, "customers", service::statistics, () -> 33L);
  }

  private Object value(String name) {
    return ((Gauge<?>) metric(name)).getValue();
  }

  private long count(String name) {
    return ((Counter) metric(name)).getCount();
  }

  private Metric metric(String name) {
    return operator.metric("leat.customers." + name);
  }

  /** The page, found from the module that runs the tests. */
  private static Path page() {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve("docs/metrics.md"))) {
      Path parent = directory.getParent();
      assertThat(parent).as("a directory above that holds docs/metrics.md").isNotNull();
      directory = parent;
    }
    return directory.resolve("docs/metrics.md");
  }
}
