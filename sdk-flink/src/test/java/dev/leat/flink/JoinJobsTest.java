package dev.leat.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.Guard;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.format.DelimitedText;
import java.io.IOException;
import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.RichJoinFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.util.ratelimit.RateLimiterStrategy;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.client.JobCancellationException;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.transformations.OneInputTransformation;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.apache.flink.util.Collector;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Jobs on a local Flink over files of the local disk, with the real engine. */
class JoinJobsTest {
  private static final OutputTag<Play> MISSES = new OutputTag<>("misses") {};
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final Duration LONGER_THAN_A_BUSY_HOST_STANDS_STILL = Duration.ofSeconds(10);

  @TempDir private static Path host;
  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

  @RegisterExtension
  private static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          () -> {
            Configuration configuration = new Configuration();
            configuration.setString("io.tmp.dirs", host.toString());
            METRICS.addToConfiguration(configuration);
            return new MiniClusterResourceConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumberTaskManagers(1)
                .setNumberSlotsPerTaskManager(4)
                .build();
          });

  @TempDir private Path directory;
  private Path table;
  private String name;
  private StreamExecutionEnvironment environment;

  @BeforeEach
  void prepare() throws IOException {
    table = Files.createDirectory(directory.resolve("customers"));
    // Each test has a dimension of its own in the shared cluster, so that metrics do not mix.
    name = "customers-" + directory.getFileName();
    environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.configure(Configuration.fromMap(Map.of("restart-strategy.type", "none")));
  }

  @AfterEach
  void nothingIsLeft() {
    await().atMost(SOON).untilAsserted(() -> assertThat(leatThreads()).isEmpty());
  }

  @AfterAll
  static void closeReporter() {
    METRICS.close();
  }

  @Test
  void anInnerJoinGivesEventsThatHaveARowAndItsMissesToTheSideOutput() throws Exception {
    publish("part-0", "anna|gold|DE", "boris|free|\\N");
    SingleOutputStreamOperator<EnrichedPlay> out =
        Enrichment.from(
                plays(
                    new Play("anna", "v1", 1),
                    new Play("nobody", "v2", 2),
                    new Play(null, "v3", 3),
                    new Play("boris", "v4", 4)))
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .onMiss(MissPolicy.toSideOutput(MISSES))
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    CloseableIterator<EnrichedPlay> main = out.collectAsync();
    CloseableIterator<Play> side = out.getSideOutput(MISSES).collectAsync();
    environment.execute();

    assertThat(drain(main))
        .containsExactlyInAnyOrder(new EnrichedPlay("v1", "gold"), new EnrichedPlay("v4", "free"));
    assertThat(drain(side))
        .containsExactlyInAnyOrder(new Play("nobody", "v2", 2), new Play(null, "v3", 3));
    assertThat(sum("cache.hitCount")).isEqualTo(2);
    assertThat(sum("cache.missCount")).isEqualTo(1);
    assertThat(sum("nullKeyCount")).isEqualTo(1);
    assertThat(gauges("cache.numCachedRecords")).containsOnly(2L);
  }

  @Test
  void aLeftJoinKeepsEveryEvent() throws Exception {
    publish("part-0", "anna|gold|DE");

    assertThat(
            drain(
                Enrichment.from(
                        plays(
                            new Play("anna", "v1", 1),
                            new Play("nobody", "v2", 2),
                            new Play(null, "v3", 3)))
                    .leftJoin(customers())
                    .on(Play::customerId)
                    .cachedIn(LocalDisk.defaults())
                    .combine(EnrichedPlay::ofMaybe, EnrichedPlay.class)
                    .executeAndCollect()))
        .containsExactlyInAnyOrder(
            new EnrichedPlay("v1", "gold"),
            new EnrichedPlay("v2", "none"),
            new EnrichedPlay("v3", "none"));
  }

  @Test
  void eachDuplicatePolicyGivesItsRows() throws Exception {
    publish("part-0", "anna|gold|DE", "anna|silver|FR");
    publish("part-1", "anna|bronze|IT");

    assertThat(tiersOfAnna(DuplicateKeys.KEEP_FIRST)).containsExactly("gold");
    assertThat(tiersOfAnna(DuplicateKeys.KEEP_LAST)).containsExactly("bronze");
    assertThat(tiersOfAnna(DuplicateKeys.KEEP_ALL)).containsExactly("gold", "silver", "bronze");
    assertThatThrownBy(() -> tiersOfAnna(DuplicateKeys.FAIL))
        .satisfies(thrown -> assertLeat(thrown, ErrorCode.DUPLICATE_KEY));
  }

  @Test
  void severalJoinsStandInARow() throws Exception {
    publish("part-0", "anna|gold|DE", "boris|free|FR");
    Path countries = Files.createDirectory(directory.resolve("countries"));
    Files.writeString(countries.resolve("part-0"), "DE|Germany\nFR|France\n");
    Dimension<String, Country> countryNames =
        Dimension.named(name + "-countries")
            .at(countries.toUri().toString())
            .rows(Country.class, DelimitedText.separatedBy('|').columns("code", "name"))
            .keyedBy(String.class, "code");

    DataStream<Customer> players =
        Enrichment.from(plays(new Play("anna", "v1", 1), new Play("boris", "v2", 2)))
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .combine((play, customer) -> customer, Customer.class);
    assertThat(
            drain(
                Enrichment.from(players)
                    .join(countryNames)
                    .on(Customer::country)
                    .cachedIn(LocalDisk.defaults())
                    .combine(
                        (customer, country) -> customer.customerId() + " in " + country.name(),
                        String.class)
                    .executeAndCollect()))
        .containsExactlyInAnyOrder("anna in Germany", "boris in France");
  }

  @Test
  void eachOfSeveralJoinsInARowIsRefreshed() throws Exception {
    publish("part-0", "anna|gold|DE");
    Path countries = Files.createDirectory(directory.resolve("countries"));
    Path country = countries.resolve("part-0");
    Files.writeString(country, "DE|Germany\n");
    Dimension<String, Country> countryNames =
        Dimension.named(name + "-countries")
            .at(countries.toUri().toString())
            .rows(Country.class, DelimitedText.separatedBy('|').columns("code", "name"))
            .keyedBy(String.class, "code");
    Refresh often = Refresh.every(Duration.ofMillis(100));
    DataStream<Customer> players =
        Enrichment.from(endless("anna"))
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .refresh(often)
            .combine((play, customer) -> customer, Customer.class);
    DataStream<EnrichedPlay> stream =
        Enrichment.from(players)
            .join(countryNames)
            .on(Customer::country)
            .cachedIn(LocalDisk.defaults())
            .refresh(often)
            .combine(
                (customer, found) -> new EnrichedPlay(found.name(), customer.tier()),
                EnrichedPlay.class);
    try (CloseableIterator<EnrichedPlay> out = stream.executeAndCollect()) {
      readUntil(out, new EnrichedPlay("Germany", "gold"));
      publish("part-0", "anna|platinum|DE");
      readUntil(out, new EnrichedPlay("Germany", "platinum"));
      Path fresh = Files.writeString(directory.resolve("fresh"), "DE|Deutschland\n");
      Files.move(fresh, country, StandardCopyOption.ATOMIC_MOVE);
      readUntil(out, new EnrichedPlay("Deutschland", "platinum"));
    }
  }

  @Test
  void timestampsWatermarksAndTheOrderOfEventsStayAsTheyAre() throws Exception {
    publish("part-0", IntStream.range(0, 100).mapToObj(i -> "c" + i + "|gold|DE"));
    environment.setParallelism(1);
    DataStream<Play> timed =
        environment
            .fromData(
                LongStream.range(0, 5_000)
                    .mapToObj(i -> new Play("c" + i % 200, "v" + i, i))
                    .toList())
            .assignTimestampsAndWatermarks(
                WatermarkStrategy.<Play>forGenerator(context -> new EachEvent())
                    .withTimestampAssigner((play, former) -> play.seconds()));
    List<String> before = drain(timed.process(new Witness<>(Play::video)).executeAndCollect());
    List<String> after =
        drain(
            Enrichment.from(timed)
                .leftJoin(customers())
                .on(Play::customerId)
                .cachedIn(LocalDisk.defaults())
                .combine(EnrichedPlay::ofMaybe, EnrichedPlay.class)
                .process(new Witness<>(EnrichedPlay::video))
                .executeAndCollect());

    assertThat(before).hasSize(5_000).contains("v7 at 7 after 6");
    assertThat(after).isEqualTo(before);
  }

  @Test
  void allSlotsAndOperatorsOfATaskManagerShareOneServiceAndOneIndex() throws Exception {
    publish("part-0", "anna|gold|DE");
    DataStream<Play> stream = endless("anna");
    DataStream<Play> once =
        Enrichment.from(stream)
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .combine((play, customer) -> play, Play.class);
    DataStream<EnrichedPlay> twice =
        Enrichment.from(once.rebalance())
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    try (CloseableIterator<EnrichedPlay> out = twice.executeAndCollect()) {
      assertThat(out.next()).isEqualTo(new EnrichedPlay("v", "gold"));

      assertThat(leatThreads()).filteredOn(("leat-" + name)::equals).hasSize(1);
      List<Object> loads = gauges("cache.loadCount");
      assertThat(loads).as("two operators of four subtasks").hasSize(8).containsOnly(1L);
      assertThat(gauges("builtCount")).containsOnly(1L);
    }
  }

  @Test
  void aJobThatFailsResumesFromItsCheckpointWithTheIndexThatIsOnDisk() throws Exception {
    publish("part-0", "anna|gold|DE");
    environment.enableCheckpointing(50);
    environment.configure(
        Configuration.fromMap(
            Map.of(
                "restart-strategy.type", "fixed-delay",
                "restart-strategy.fixed-delay.attempts", "3",
                "restart-strategy.fixed-delay.delay", "10 ms")));
    List<EnrichedPlay> out =
        drain(
            Enrichment.from(generated(2_000, 4_000, "anna"))
                .join(customers())
                .on(Play::customerId)
                .cachedIn(LocalDisk.defaults())
                .combine(new FailsOnce(1_000), EnrichedPlay.class)
                .executeAndCollect());

    assertThat(out)
        .hasSize(2_000)
        .doesNotHaveDuplicates()
        .allSatisfy(play -> assertThat(play.tier()).isEqualTo("gold"));
    assertThat(gauges("reusedCount")).contains(1L);
  }

  @Test
  void rowsOfANewVersionAreSeenWhileTheJobRuns() throws Exception {
    publish("part-0", "anna|gold|DE");
    DataStream<EnrichedPlay> stream =
        Enrichment.from(endless("anna"))
            .leftJoin(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .refresh(Refresh.every(Duration.ofMillis(100)))
            .combine(EnrichedPlay::ofMaybe, EnrichedPlay.class);
    try (CloseableIterator<EnrichedPlay> out = stream.executeAndCollect()) {
      readUntil(out, "gold");
      publish("part-0", "anna|platinum|DE");
      readUntil(out, "platinum");
      publish("part-0", "boris|free|FR");
      readUntil(out, "none");
    }
  }

  @Test
  void versionsSwitchWhileNoEventComes() throws Exception {
    publish("part-0", "anna|gold|DE");
    DataStream<EnrichedPlay> stream =
        Enrichment.from(endless("anna").filter(play -> false))
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .refresh(Refresh.every(Duration.ofMillis(100)))
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    try (CloseableIterator<EnrichedPlay> out = stream.executeAndCollect()) {
      await().atMost(SOON).until(() -> !gauges("versionId").isEmpty());
      List<Object> before = gauges("versionId");
      publish("part-0", "anna|platinum|DE");
      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(gauges("versionId")).isNotEmpty().doesNotContainAnyElementsOf(before));
    }
  }

  @Test
  void aTableThatShrinksIsHeldBackUntilItIsCorrected() throws Exception {
    publish("part-0", "anna|gold|DE", "boris|free|FR", "cyd|gold|DE");
    DataStream<EnrichedPlay> stream =
        Enrichment.from(endless("anna"))
            .leftJoin(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .refresh(Refresh.every(Duration.ofMillis(100)))
            .guardedBy(Guard.standard().maxShrink(0.5))
            .combine(EnrichedPlay::ofMaybe, EnrichedPlay.class);
    try (CloseableIterator<EnrichedPlay> out = stream.executeAndCollect()) {
      readUntil(out, "gold");
      publish("part-0", "boris|free|FR");
      await().atMost(SOON).untilAsserted(() -> assertThat(gauges("versionHeldBack")).contains(1));
      for (int i = 0; i < 200; i++) {
        assertThat(out.next().tier()).isEqualTo("gold");
      }
      publish("part-0", "anna|platinum|DE", "boris|free|FR");
      readUntil(out, "platinum");
      await()
          .atMost(SOON)
          .untilAsserted(() -> assertThat(gauges("versionHeldBack")).containsOnly(0));
    }
  }

  @Test
  void aVersionThatIsTooOldFailsTheJob() throws Exception {
    publish("part-0", "anna|gold|DE");
    DataStream<EnrichedPlay> stream =
        Enrichment.from(endless("anna"))
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            // Not often: an order that meets a task which has just failed is a failure of its own
            // to
            // Flink, and may be told instead.
            .refresh(Refresh.every(Duration.ofSeconds(3)))
            .whenStale(Staleness.failAfter(LONGER_THAN_A_BUSY_HOST_STANDS_STILL))
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    try (CloseableIterator<EnrichedPlay> out = stream.executeAndCollect()) {
      assertThat(out.next().tier()).isEqualTo("gold");
      Files.delete(table.resolve("part-0"));
      Files.delete(table);

      assertThatThrownBy(() -> drain(out)).satisfies(thrown -> assertLeat(thrown, ErrorCode.STALE));
    }
  }

  @Test
  void anOldVersionIsServedForeverWhereThePolicySaysSo() throws Exception {
    publish("part-0", "anna|gold|DE");
    DataStream<EnrichedPlay> stream =
        Enrichment.from(endless("anna"))
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .refresh(Refresh.every(Duration.ofMillis(100)))
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    try (CloseableIterator<EnrichedPlay> out = stream.executeAndCollect()) {
      assertThat(out.next().tier()).isEqualTo("gold");
      Files.delete(table.resolve("part-0"));
      Files.delete(table);

      await()
          .atMost(SOON)
          .untilAsserted(
              () ->
                  assertThat(gauges("refreshFailuresInARow"))
                      .isNotEmpty()
                      .allSatisfy(failures -> assertThat((Integer) failures).isGreaterThan(2)));
      assertThat(out.next().tier()).isEqualTo("gold");
    }
  }

  @Test
  void aJobCanBeCancelledWhileItsDimensionIsBeingLoaded() throws Exception {
    Dimension<String, Customer> stuck = customersAt("stuck://" + directory.toAbsolutePath());
    Enrichment.from(endless("anna"))
        .join(stuck)
        .on(Play::customerId)
        .cachedIn(LocalDisk.defaults())
        .combine(EnrichedPlay::of, EnrichedPlay.class)
        .sinkTo(new DiscardingSink<>());
    JobClient job = environment.executeAsync();
    await().atMost(SOON).until(() -> Files.exists(directory.resolve(StuckStoreProvider.REACHED)));
    job.cancel().get();

    assertThatThrownBy(() -> job.getJobExecutionResult().get())
        .hasRootCauseInstanceOf(JobCancellationException.class);
    await().atMost(SOON).untilAsserted(() -> assertThat(leatThreads()).isEmpty());
  }

  @Test
  void theDimensionsOfAChainOfJoinsAreLoadedAtTheSameTime() throws Exception {
    Path first = Files.createDirectory(directory.resolve("first"));
    Path second = Files.createDirectory(directory.resolve("second"));
    DataStream<EnrichedPlay> joined =
        Enrichment.from(endless("anna"))
            .join(customersAt("stuck://" + first.toAbsolutePath()))
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    Enrichment.from(joined)
        .join(customersAt("stuck://" + second.toAbsolutePath()))
        .on(EnrichedPlay::video)
        .cachedIn(LocalDisk.defaults())
        .combine((play, customer) -> play, EnrichedPlay.class)
        .sinkTo(new DiscardingSink<>());
    JobClient job = environment.executeAsync();

    // Neither store ever answers: the second load does not wait for the first.
    await()
        .atMost(SOON)
        .until(
            () ->
                Files.exists(first.resolve(StuckStoreProvider.REACHED))
                    && Files.exists(second.resolve(StuckStoreProvider.REACHED)));
    job.cancel().get();
    await().atMost(SOON).untilAsserted(() -> assertThat(leatThreads()).isEmpty());
  }

  @Test
  void aStartThatFailsShowsTheErrorWithItsCodeAndLocation() {
    String nowhere = directory.resolve("nowhere").toUri().toString();

    assertThatThrownBy(() -> run(customersAt(nowhere)))
        .satisfies(
            thrown ->
                assertThat(assertLeat(thrown, ErrorCode.SOURCE_NOT_FOUND))
                    .hasMessageContaining("Dimension '" + name + "'")
                    .hasMessageContaining("nowhere"));
    assertThatThrownBy(() -> run(customersAt("gopher://host/customers")))
        .satisfies(thrown -> assertLeat(thrown, ErrorCode.NO_STORE_FOR_SCHEME));
  }

  @Test
  void aRowTypeThatDoesNotFitTheColumnsFailsTheStart() throws Exception {
    publish("part-0", "anna|gold|DE");
    DelimitedText format = DelimitedText.separatedBy('|').columns("customer_id", "tier", "country");
    Dimension<String, Country> wrongColumn =
        Dimension.named(name)
            .at(table.toUri().toString())
            .rows(Country.class, format)
            .keyedBy(String.class, "customer_id");
    Dimension<String, Unfit> wrongType =
        Dimension.named(name)
            .at(table.toUri().toString())
            .rows(Unfit.class, format)
            .keyedBy(String.class, "customer_id");

    assertThatThrownBy(() -> run(wrongColumn))
        .satisfies(thrown -> assertLeat(thrown, ErrorCode.COLUMN_NOT_FOUND));
    assertThatThrownBy(() -> run(wrongType))
        .satisfies(thrown -> assertLeat(thrown, ErrorCode.TYPE_MISMATCH));
  }

  @Test
  void whatTravelsIsTheDefinitionAndNoSecretOfTheEnvironment() throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("fs.s3a.secret.key", "VerySecretIndeed");
    try (StreamExecutionEnvironment secretive =
        StreamExecutionEnvironment.getExecutionEnvironment(configuration)) {
      SingleOutputStreamOperator<EnrichedPlay> out =
          Enrichment.from(secretive.fromData(new Play("anna", "v1", 1)))
              .join(customersAt("s3a://lake/customers/"))
              .on(Play::customerId)
              .cachedIn(LocalDisk.defaults())
              .combine(EnrichedPlay::of, EnrichedPlay.class);
      byte[] shipped =
          InstantiationUtil.serializeObject(
              ((OneInputTransformation<?, ?>) out.getTransformation()).getOperatorFactory());

      assertThat(new String(shipped, StandardCharsets.ISO_8859_1))
          .contains("s3a://lake/customers/")
          .doesNotContain("VerySecretIndeed");
    }
  }

  private <D> void run(Dimension<String, D> dimension) throws Exception {
    Enrichment.from(plays(new Play("anna", "v1", 1)))
        .join(dimension)
        .on(Play::customerId)
        .cachedIn(LocalDisk.defaults())
        .combine((play, row) -> play, Play.class)
        .sinkTo(new DiscardingSink<>());
    environment.execute();
  }

  private List<String> tiersOfAnna(DuplicateKeys policy) throws Exception {
    return drain(
        Enrichment.from(plays(new Play("anna", "v1", 1)))
            .join(customers())
            .on(Play::customerId)
            .cachedIn(LocalDisk.defaults())
            .onDuplicateKey(policy)
            .combine((play, customer) -> customer.tier(), String.class)
            .executeAndCollect());
  }

  private Dimension<String, Customer> customers() {
    return customersAt(table.toUri().toString());
  }

  private Dimension<String, Customer> customersAt(String location) {
    return Dimension.named(name)
        .at(location)
        .rows(
            Customer.class,
            DelimitedText.separatedBy('|').columns("customer_id", "tier", "country"))
        .keyedBy(String.class, "customer_id");
  }

  private void publish(String file, String... lines) throws IOException {
    Path hidden = Files.writeString(directory.resolve("." + file), String.join("\n", lines) + "\n");
    Files.move(
        hidden,
        table.resolve(file),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private void publish(String file, Stream<String> lines) throws IOException {
    publish(file, lines.toArray(String[]::new));
  }

  private DataStream<Play> plays(Play... plays) {
    return environment.fromData(plays);
  }

  private DataStream<Play> endless(String customer) {
    return environment.fromSource(
        new DataGeneratorSource<>(
            index -> new Play(customer, "v", index),
            Long.MAX_VALUE,
            RateLimiterStrategy.perSecond(400),
            TypeInformation.of(Play.class)),
        WatermarkStrategy.noWatermarks(),
        "plays");
  }

  private DataStream<Play> generated(long count, double perSecond, String customer) {
    return environment.fromSource(
        new DataGeneratorSource<>(
            index -> new Play(customer, "v" + index, index),
            count,
            RateLimiterStrategy.perSecond(perSecond),
            TypeInformation.of(Play.class)),
        WatermarkStrategy.noWatermarks(),
        "plays");
  }

  /** Reads on until an event has the tier; fails where none has it soon. */
  private static void readUntil(CloseableIterator<EnrichedPlay> out, String tier) {
    readUntil(out, "of tier " + tier, event -> event.tier().equals(tier));
  }

  private static void readUntil(CloseableIterator<EnrichedPlay> out, EnrichedPlay wanted) {
    readUntil(out, wanted.toString(), wanted::equals);
  }

  private static void readUntil(
      CloseableIterator<EnrichedPlay> out, String what, Predicate<EnrichedPlay> wanted) {
    long deadline = System.nanoTime() + SOON.toNanos();
    while (!wanted.test(out.next())) {
      assertThat(System.nanoTime()).as("an event %s comes in time", what).isLessThan(deadline);
    }
  }

  private static <T> List<T> drain(CloseableIterator<T> iterator) throws Exception {
    try (iterator) {
      List<T> all = new ArrayList<>();
      iterator.forEachRemaining(all::add);
      return all;
    }
  }

  private static LeatException assertLeat(Throwable thrown, ErrorCode code) {
    Optional<LeatException> found = Optional.empty();
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof LeatException leat) {
        found = Optional.of(leat);
      }
    }
    assertThat(found)
        .as(
            () ->
                "a LeatException among the causes of " + ExceptionUtils.stringifyException(thrown))
        .isPresent();
    assertThat(found.get().errorCode()).isEqualTo(code);
    return found.get();
  }

  private static List<String> leatThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith("leat-"))
        .toList();
  }

  private long sum(String metricName) {
    return metrics(metricName).stream().mapToLong(metric -> ((Counter) metric).getCount()).sum();
  }

  private List<Object> gauges(String metricName) {
    return metrics(metricName).stream()
        .<Object>map(metric -> ((Gauge<?>) metric).getValue())
        .toList();
  }

  private List<Metric> metrics(String metricName) {
    List<Metric> found = new ArrayList<>();
    METRICS
        .getMetricsByGroup()
        .forEach(
            (group, byName) ->
                byName.forEach(
                    (metric, value) -> {
                      if (group
                          .getMetricIdentifier(metric)
                          .endsWith(".leat." + name + "." + metricName)) {
                        found.add(value);
                      }
                    }));
    return found;
  }

  /** A row of another dimension. */
  public record Country(String code, String name) implements Serializable {}

  /** A row type with a component that no column can fill. */
  public record Unfit(String customerId, Iterator<String> tier) implements Serializable {}

  private static final class FailsOnce extends RichJoinFunction<Play, Customer, EnrichedPlay> {
    private static final long serialVersionUID = 1L;
    private final long at;

    FailsOnce(long at) {
      this.at = at;
    }

    @Override
    public EnrichedPlay join(Play play, Customer customer) {
      if (play.seconds() == at && getRuntimeContext().getTaskInfo().getAttemptNumber() == 0) {
        throw new IllegalStateException("the first attempt fails here");
      }
      return EnrichedPlay.of(play, customer);
    }
  }

  private static final class EachEvent implements WatermarkGenerator<Play> {
    @Override
    public void onEvent(Play play, long timestamp, WatermarkOutput output) {
      output.emitWatermark(new Watermark(timestamp));
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  /** Says at which event time, and after which watermark, each event comes. */
  private static final class Witness<T> extends ProcessFunction<T, String> {
    private static final long serialVersionUID = 1L;
    private final KeySelector<T, String> name;

    Witness(KeySelector<T, String> name) {
      this.name = name;
    }

    @Override
    public void processElement(T value, Context context, Collector<String> out) throws Exception {
      out.collect(
          name.getKey(value)
              + " at "
              + context.timestamp()
              + " after "
              + context.timerService().currentWatermark());
    }
  }
}
