package dev.leat.flink.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.DataSize;
import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.VersionGone;
import dev.leat.flink.Customer;
import dev.leat.flink.EnrichedPlay;
import dev.leat.flink.Match;
import dev.leat.flink.Play;
import dev.leat.flink.UnreadFormat;
import dev.leat.internal.engine.ServiceRequest;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichJoinFunction;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

class EnrichmentOperatorTest {
  private static final Dimension<String, Customer> CUSTOMERS =
      Dimension.named("customers")
          .at("s3a://lake/customers/")
          .rows(Customer.class, new UnreadFormat())
          .keyedBy(String.class, "customer_id");
  private static final OutputTag<Play> MISSES = new OutputTag<>("misses") {};
  private static final Customer ANNA = new Customer("anna", "gold", "DE");
  private static final Customer ANNA_TWICE = new Customer("anna", "silver", "FR");
  private static final Customer BORIS = new Customer("boris", "free", null);

  private final FakeServices services = new FakeServices();

  @Test
  void anInnerJoinCombinesEventsThatHaveARowAndDropsTheOthers() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA), "boris", List.of(BORIS)));
    try (var join = inner(new Misses.Drop<>())) {
      join.open();
      join.processElement(new Play("anna", "v1", 1), 10);
      join.processElement(new Play("nobody", "v2", 1), 20);
      join.processElement(new Play(null, "v3", 1), 30);
      join.processElement(new Play("boris", "v4", 1), 40);

      assertThat(join.getOutput())
          .containsExactly(
              new StreamRecord<>(new EnrichedPlay("v1", "gold"), 10),
              new StreamRecord<>(new EnrichedPlay("v4", "free"), 40));
    }
  }

  @Test
  void aLeftJoinKeepsEventsWithoutARow() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = left(new Misses.Keep<>(), DuplicateKeys.KEEP_LAST)) {
      join.open();
      join.processElement(new Play("anna", "v1", 1), 10);
      join.processElement(new Play("nobody", "v2", 1), 20);
      join.processElement(new Play(null, "v3", 1), 30);

      assertThat(join.getOutput())
          .containsExactly(
              new StreamRecord<>(new EnrichedPlay("v1", "gold"), 10),
              new StreamRecord<>(new EnrichedPlay("v2", "none"), 20),
              new StreamRecord<>(new EnrichedPlay("v3", "none"), 30));
    }
  }

  @Test
  void missesGoToTheSideOutputWithTheirTimestampAndNotToTheMainOne() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = inner(new Misses.ToSideOutput<>(MISSES))) {
      join.open();
      join.processElement(new Play("nobody", "v1", 1), 10);
      join.processElement(new StreamRecord<>(new Play(null, "v2", 1)));
      join.processElement(new Play("anna", "v3", 1), 30);

      assertThat(join.getSideOutput(MISSES))
          .containsExactly(
              new StreamRecord<>(new Play("nobody", "v1", 1), 10),
              new StreamRecord<>(new Play(null, "v2", 1)));
      assertThat(join.getOutput())
          .containsExactly(new StreamRecord<>(new EnrichedPlay("v3", "gold"), 30));
    }
  }

  @Test
  void aLeftJoinCanSendMissesToTheSideOutputToo() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = left(new Misses.ToSideOutput<>(MISSES), DuplicateKeys.KEEP_LAST)) {
      join.open();
      join.processElement(new Play("nobody", "v1", 1), 10);

      assertThat(join.getSideOutput(MISSES)).hasSize(1);
      assertThat(join.getOutput()).isEmpty();
    }
  }

  @Test
  void whereAllRowsAreKeptAnEventGivesOneOutputPerRowWithTheTimestampOfTheEvent() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA, ANNA_TWICE)));
    try (var join = left(new Misses.Keep<>(), DuplicateKeys.KEEP_ALL)) {
      join.open();
      join.processElement(new Play("anna", "v1", 1), 10);
      join.processElement(new StreamRecord<>(new Play("anna", "v2", 1)));
      join.processElement(new Play("nobody", "v3", 1), 30);

      assertThat(join.getOutput())
          .containsExactly(
              new StreamRecord<>(new EnrichedPlay("v1", "gold"), 10),
              new StreamRecord<>(new EnrichedPlay("v1", "silver"), 10),
              new StreamRecord<>(new EnrichedPlay("v2", "gold")),
              new StreamRecord<>(new EnrichedPlay("v2", "silver")),
              new StreamRecord<>(new EnrichedPlay("v3", "none"), 30));
    }
  }

  @Test
  void watermarksPassBetweenTheEventsThatTheyStoodBetween() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = inner(new Misses.Drop<>())) {
      join.open();
      join.processElement(new Play("anna", "v1", 1), 10);
      join.processWatermark(new Watermark(10));
      join.processElement(new Play("anna", "v2", 1), 20);
      join.processWatermark(new Watermark(20));

      assertThat(join.getOutput())
          .containsExactly(
              new StreamRecord<>(new EnrichedPlay("v1", "gold"), 10),
              new Watermark(10),
              new StreamRecord<>(new EnrichedPlay("v2", "gold"), 20),
              new Watermark(20));
    }
  }

  @Test
  void aNewVersionServesFromTheNextEventOn() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = inner(new Misses.Drop<>())) {
      join.open();
      join.processElement(new Play("anna", "v1", 1), 10);
      services.publish(Map.of("anna", List.of(ANNA_TWICE)));
      join.processElement(new Play("anna", "v2", 1), 20);

      assertThat(join.extractOutputValues())
          .containsExactly(new EnrichedPlay("v1", "gold"), new EnrichedPlay("v2", "silver"));
    }
  }

  @Test
  void anIdleSubtaskLetsGoOfAnOldVersionByATimer() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = inner(new Misses.Drop<>())) {
      join.setProcessingTime(1_000);
      join.open();
      for (int version = 2; version <= 4; version++) {
        services.publish(Map.of());
        assertThat(reader().at()).isEqualTo(version - 1);
        join.setProcessingTime(
            join.getProcessingTime() + EnrichmentOperator.IDLE_ADVANCE.toMillis());
        assertThat(reader().at()).isEqualTo(version);
      }
      assertThat(reader().lookups()).isZero();
    }
  }

  @Test
  void aStaleVersionFailsTheTaskAtTheNextEvent() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = inner(new Misses.Drop<>())) {
      join.open();
      services.failAtAdvance(new LeatException(ErrorCode.STALE, "too old"));

      assertThatThrownBy(() -> join.processElement(new Play("anna", "v1", 1), 10))
          .isInstanceOf(LeatException.class)
          .hasMessage("LEAT-5001: too old");
    }
  }

  @Test
  void aStaleVersionFailsAnIdleTaskByTheTimer() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = inner(new Misses.Drop<>())) {
      join.setProcessingTime(0);
      join.open();
      services.failAtAdvance(new LeatException(ErrorCode.STALE, "too old"));

      assertThatThrownBy(() -> join.setProcessingTime(EnrichmentOperator.IDLE_ADVANCE.toMillis()))
          .isInstanceOf(LeatException.class)
          .hasMessage("LEAT-5001: too old");
    }
  }

  @Test
  void openingFailsWithTheEnginesOwnErrorAndGivesTheServiceBack() throws Exception {
    LeatException failure = new LeatException(ErrorCode.SOURCE_NOT_FOUND, "nothing there");
    services.failAtStart(failure);
    try (var join = inner(new Misses.Drop<>())) {
      assertThatThrownBy(join::open).isSameAs(failure);
    }
    assertThat(handle().closed()).isTrue();
    assertThat(handle().readers()).isEmpty();
  }

  @Test
  void openingWaitsForTheFirstVersionAndCanBeInterrupted() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch closed = new CountDownLatch(1);
    Thread task =
        new Thread(
            () -> {
              try (var join = inner(new Misses.Drop<>())) {
                join.open();
              } catch (Throwable t) {
                thrown.set(t);
              }
              closed.countDown();
            });
    task.start();
    await().atMost(Duration.ofMinutes(1)).until(services::isWaitedFor);
    task.interrupt();
    closed.await();

    assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    assertThat(handle().closed()).isTrue();
  }

  @Test
  void closingGivesBackTheReaderAndThenTheService() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = inner(new Misses.Drop<>())) {
      join.open();
      assertThat(handle().closed()).isFalse();
    }
    assertThat(reader().closed()).isTrue();
    assertThat(handle().closed()).isTrue();
  }

  @Test
  void theServiceGetsTheRequestAndTheEnvironmentOfTheTaskManager() throws Exception {
    services.publish(Map.of());
    Configuration configuration = new Configuration();
    configuration.setString("s3.endpoint", "http://localhost:9");
    try (MockEnvironment environment =
            new MockEnvironmentBuilder()
                .setTaskManagerRuntimeInfo(new TestingTaskManagerRuntimeInfo(configuration))
                .build();
        var join =
            new OneInputStreamOperatorTestHarness<>(
                factory(
                    EnrichedPlay::of,
                    new RowView.Bare<>(),
                    new Misses.Drop<>(),
                    DuplicateKeys.KEEP_FIRST),
                environment)) {
      join.open();
    }
    assertThat(handle().request().duplicates()).isEqualTo(DuplicateKeys.KEEP_FIRST);
    assertThat(handle().request().dimension().name()).isEqualTo("customers");
    assertThat(handle().environment().properties())
        .containsEntry("fs.s3a.endpoint", "http://localhost:9");
  }

  @Test
  void aCombinerThatReturnsNullIsRefusedWithTheNameOfTheDimension() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join =
        harness(
            factory(
                (play, customer) -> null,
                new RowView.Bare<>(),
                new Misses.Drop<>(),
                DuplicateKeys.KEEP_LAST))) {
      join.open();
      assertThatThrownBy(() -> join.processElement(new Play("anna", "v1", 1), 10))
          .isInstanceOf(NullPointerException.class)
          .hasMessageContaining("dimension 'customers' returned null");
    }
  }

  @Test
  void anExceptionOfTheCombinerComesOutAsItIsWithTheNameOfTheDimension() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    for (DuplicateKeys duplicates : List.of(DuplicateKeys.KEEP_LAST, DuplicateKeys.KEEP_ALL)) {
      try (var join =
          harness(
              factory(
                  (play, customer) -> {
                    throw new IOException("the user's own");
                  },
                  new RowView.Bare<>(),
                  new Misses.Drop<>(),
                  duplicates))) {
        join.open();
        assertThatThrownBy(() -> join.processElement(new Play("anna", "v1", 1), 10))
            .isInstanceOf(IOException.class)
            .hasMessage("the user's own")
            .satisfies(
                e ->
                    assertThat(e.getSuppressed())
                        .singleElement()
                        .asString()
                        .contains("the combiner of the join with dimension 'customers'"));
      }
    }
  }

  @Test
  void anExceptionOfTheKeySelectorComesOutWithTheNameOfTheDimension() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    try (var join = inner(new Misses.Drop<>())) {
      join.open();
      assertThatThrownBy(() -> join.processElement(new StreamRecord<>(null)))
          .isInstanceOf(NullPointerException.class)
          .satisfies(
              e ->
                  assertThat(e.getSuppressed())
                      .singleElement()
                      .asString()
                      .contains("the key selector of the join with dimension 'customers'"));
    }
  }

  @Test
  void aRichCombinerIsOpenedAndClosed() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    RichCombiner combiner = new RichCombiner();
    try (var join =
        harness(
            factory(
                combiner, new RowView.Bare<>(), new Misses.Drop<>(), DuplicateKeys.KEEP_LAST))) {
      join.open();
      join.processElement(new Play("anna", "v1", 1), 10);
      assertThat(combiner.calls).containsExactly("open", "join");
    }
    assertThat(combiner.calls).containsExactly("open", "join", "close");
  }

  @Test
  void anEventThatUpstreamUsesAgainIsNotKept() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA), "boris", List.of(BORIS)));
    try (var join = left(new Misses.Keep<>(), DuplicateKeys.KEEP_ALL)) {
      join.getExecutionConfig().enableObjectReuse();
      join.open();
      StreamRecord<Play> reused = new StreamRecord<>(null);
      join.processElement(reused.replace(new Play("anna", "v1", 1), 10));
      join.processElement(reused.replace(new Play("boris", "v2", 1), 20));
      assertThat(join.getOutput())
          .containsExactly(
              new StreamRecord<>(new EnrichedPlay("v1", "gold"), 10),
              new StreamRecord<>(new EnrichedPlay("v2", "free"), 20));
    }
  }

  @Test
  void theOperatorIsChainedToItsNeighbours() {
    assertThat(
            factory(
                    EnrichedPlay::of,
                    new RowView.Bare<>(),
                    new Misses.Drop<>(),
                    DuplicateKeys.KEEP_LAST)
                .getChainingStrategy())
        .isEqualTo(ChainingStrategy.ALWAYS);
  }

  private FakeServices.Handle<?, ?> handle() {
    assertThat(services.handles()).hasSize(1);
    return services.handles().get(0);
  }

  private FakeServices.Handle<?, ?>.Reader reader() {
    assertThat(handle().readers()).hasSize(1);
    return handle().readers().get(0);
  }

  private OneInputStreamOperatorTestHarness<Play, EnrichedPlay> inner(Misses<Play> misses)
      throws Exception {
    return harness(
        factory(EnrichedPlay::of, new RowView.Bare<>(), misses, DuplicateKeys.KEEP_LAST));
  }

  @Test
  void hotRowsAreAskedOfTheEngineWithTheirSize() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    JoinFunction<Play, Customer, EnrichedPlay> combiner = EnrichedPlay::of;
    JoinPlan<Play, String, Customer, Customer, EnrichedPlay> plan =
        new JoinPlan<>(
            request(DuplicateKeys.KEEP_LAST),
            Play::customerId,
            new RowView.Bare<>(),
            new Misses.Drop<>(),
            combiner,
            VersionGone.FAIL,
            DataSize.ofMebibytes(3));
    try (var harness = harness(new EnrichmentOperatorFactory<>(plan, services))) {
      harness.open();
      assertThat(services.handles().get(0).hotBytes()).isEqualTo(DataSize.ofMebibytes(3));
    }
    try (var harness = inner(new Misses.Drop<>())) {
      harness.open();
      assertThat(services.handles().get(1).hotBytes()).isNull();
    }
  }

  @Test
  void theVersionStandsBesideTheRowWhereItIsAskedFor() throws Exception {
    services.publish(Map.of("anna", List.of(ANNA)));
    JoinFunction<Play, Match<Optional<Customer>>, EnrichedPlay> combiner =
        (play, match) ->
            new EnrichedPlay(
                play.video(),
                match.row().map(Customer::tier).orElse("none")
                    + " of "
                    + match.version().id()
                    + ", "
                    + match.ageAt(Instant.EPOCH.plusSeconds(5)));
    RowView<Customer, Match<Optional<Customer>>> rows =
        new RowView.Versioned<>(new RowView.Maybe<>());
    try (var join =
        harness(factory(combiner, rows, new Misses.Keep<>(), DuplicateKeys.KEEP_LAST))) {
      join.open();
      join.processElement(new Play("anna", "v1", 1), 10);
      join.processElement(new Play("nobody", "v2", 1), 20);

      assertThat(join.extractOutputValues())
          .containsExactly(
              new EnrichedPlay("v1", "gold of version-1, PT5S"),
              new EnrichedPlay("v2", "none of version-1, PT5S"));
    }
    assertThat(rows.needsRow()).isFalse();
    assertThat(new RowView.Versioned<>(new RowView.Bare<>()).needsRow()).isTrue();
    assertThat(rows.joinName()).isEqualTo("left join");
  }

  private OneInputStreamOperatorTestHarness<Play, EnrichedPlay> left(
      Misses<Play> misses, DuplicateKeys duplicates) throws Exception {
    JoinFunction<Play, Optional<Customer>, EnrichedPlay> combiner = EnrichedPlay::ofMaybe;
    return harness(factory(combiner, new RowView.Maybe<>(), misses, duplicates));
  }

  private <R> EnrichmentOperatorFactory<Play, String, Customer, R, EnrichedPlay> factory(
      JoinFunction<Play, R, EnrichedPlay> combiner,
      RowView<Customer, R> rows,
      Misses<Play> misses,
      DuplicateKeys duplicates) {
    return new EnrichmentOperatorFactory<>(
        new JoinPlan<>(
            request(duplicates), Play::customerId, rows, misses, combiner, VersionGone.FAIL, null),
        services);
  }

  private static ServiceRequest<String, Customer> request(DuplicateKeys duplicates) {
    return new ServiceRequest<>(
        CUSTOMERS,
        duplicates,
        List.of(LocalDisk.defaults()),
        Refresh.never(),
        Staleness.serveForever());
  }

  private static OneInputStreamOperatorTestHarness<Play, EnrichedPlay> harness(
      EnrichmentOperatorFactory<Play, ?, ?, ?, EnrichedPlay> factory) throws Exception {
    var harness =
        new OneInputStreamOperatorTestHarness<>(
            factory, TypeInformation.of(Play.class).createSerializer(new SerializerConfigImpl()));
    harness.setup(
        TypeInformation.of(EnrichedPlay.class).createSerializer(new SerializerConfigImpl()));
    return harness;
  }

  private static final class RichCombiner extends RichJoinFunction<Play, Customer, EnrichedPlay> {
    private static final long serialVersionUID = 1L;
    private final List<String> calls = new ArrayList<>();

    @Override
    public void open(OpenContext context) {
      calls.add("open");
    }

    @Override
    public EnrichedPlay join(Play play, Customer customer) {
      assertThat(getRuntimeContext()).isNotNull();
      calls.add("join");
      return EnrichedPlay.of(play, customer);
    }

    @Override
    public void close() {
      calls.add("close");
    }
  }
}
