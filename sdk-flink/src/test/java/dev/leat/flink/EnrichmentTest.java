package dev.leat.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DataSize;
import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.spi.CacheTier;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.flink.api.common.InvalidProgramException;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamGraph;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.apache.flink.util.OutputTag;
import org.junit.jupiter.api.Test;

class EnrichmentTest {
  private static final Dimension<String, Customer> CUSTOMERS =
      Dimension.named("customers")
          .at("s3a://lake/customers/")
          .rows(Customer.class, new UnreadFormat())
          .keyedBy(String.class, "customer_id");
  private static final OutputTag<Play> MISSES = new OutputTag<>("misses") {};

  private final StreamExecutionEnvironment environment =
      StreamExecutionEnvironment.getExecutionEnvironment();
  private final DataStream<Play> plays = environment.fromData(new Play("anna", "v1", 1));

  @Test
  void eachStepRefusesNullAndNamesTheParameter() {
    Enrichment.FromStage<Play> from = Enrichment.from(plays);
    Enrichment.JoinStage<Play, String, Customer> joined = from.join(CUSTOMERS);
    Enrichment.OnStage<Play, Customer> on = joined.on(Play::customerId);
    Enrichment<Play, Customer> join = inner();

    refusesNull("events", () -> Enrichment.from(nothing()));
    refusesNull("dimension", () -> from.join(EnrichmentTest.<Dimension<String, Play>>nothing()));
    refusesNull(
        "dimension", () -> from.leftJoin(EnrichmentTest.<Dimension<String, Play>>nothing()));
    refusesNull("key", () -> joined.on(nothing()));
    refusesNull("first", () -> on.cachedIn(nothing()));
    refusesNull("further", () -> on.cachedIn(LocalDisk.defaults(), (CacheTier) nothing()));
    refusesNull("further", () -> on.cachedIn(LocalDisk.defaults(), (CacheTier[]) nothing()));
    refusesNull("refresh", () -> join.refresh(nothing()));
    refusesNull("staleness", () -> join.whenStale(nothing()));
    refusesNull("policy", () -> join.onMiss(nothing()));
    refusesNull("policy", () -> join.onDuplicateKey(nothing()));
    refusesNull("mode", () -> join.lookup(nothing()));
    refusesNull("name", () -> join.named(nothing()));
    refusesNull("uid", () -> join.uid(nothing()));
    refusesNull("combiner", () -> join.combine(nothing(), EnrichedPlay.class));
    refusesNull("combiner", () -> join.combine(nothing(), new TypeHint<EnrichedPlay>() {}));
    refusesNull("combiner", () -> join.combine(nothing(), TypeInformation.of(EnrichedPlay.class)));
    refusesNull(
        "outputType",
        () -> join.combine(EnrichedPlay::of, EnrichmentTest.<Class<EnrichedPlay>>nothing()));
    refusesNull(
        "outputType",
        () -> join.combine(EnrichedPlay::of, EnrichmentTest.<TypeHint<EnrichedPlay>>nothing()));
    refusesNull(
        "outputType",
        () ->
            join.combine(
                EnrichedPlay::of, EnrichmentTest.<TypeInformation<EnrichedPlay>>nothing()));
    refusesNull("tag", () -> MissPolicy.toSideOutput(nothing()));
  }

  @Test
  void aTierIsNamedOnceAndTheLocalDiskFirst() {
    Enrichment.OnStage<Play, Customer> on =
        Enrichment.from(plays).join(CUSTOMERS).on(Play::customerId);

    assertThatThrownBy(() -> on.cachedIn(LocalDisk.defaults(), LocalDisk.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the tier 'local-disk' is named twice")
        .hasMessageContaining("name each tier once");
    assertThatThrownBy(() -> on.cachedIn(new NamedTier("alluxio"), LocalDisk.defaults()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("cannot stand behind 'alluxio'; name it first");
  }

  @Test
  void anInnerJoinCannotKeepAnEventWithoutARow() {
    assertThatThrownBy(() -> inner().onMiss(MissPolicy.keep()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(
            "an inner join cannot keep an event without a row of dimension 'customers'")
        .hasMessageContaining("use leftJoin");
    assertThat(left().onMiss(MissPolicy.keep())).isNotNull();
    assertThat(left().onMiss(MissPolicy.drop())).isNotNull();
  }

  @Test
  void aStalenessLimitMustBeLongerThanTheTimeBetweenTwoLooks() {
    Staleness limit = Staleness.failAfter(Duration.ofMinutes(1));
    Refresh slower = Refresh.every(Duration.ofMinutes(2));

    for (UnaryOperator<Enrichment<Play, Customer>> contradiction :
        List.<UnaryOperator<Enrichment<Play, Customer>>>of(
            join -> join.whenStale(limit).refresh(slower),
            join -> join.refresh(slower).whenStale(limit),
            join -> join.refresh(Refresh.every(Duration.ofMinutes(1))).whenStale(limit))) {
      assertThatThrownBy(() -> contradiction.apply(inner()))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("the staleness limit PT1M must be longer")
          .hasMessageContaining("refresh more often, or accept a greater age");
    }
    assertThatThrownBy(() -> inner().refresh(Refresh.never()).whenStale(limit))
        .hasMessageContaining("the refresh is never");
    assertThatThrownBy(() -> inner().whenStale(limit).combine(EnrichedPlay::of, EnrichedPlay.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the refresh is every PT5M (the default)");
    assertThat(inner().whenStale(limit).refresh(Refresh.every(Duration.ofSeconds(30)))).isNotNull();
  }

  @Test
  void hotRowsThatKeepNothingOrOneRowOfSeveralAreRefusedInAnyOrder() {
    DataSize size = DataSize.ofMebibytes(1);
    assertThatThrownBy(() -> inner().hotRows(DataSize.ofBytes(0)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("hot rows of 0 bytes keep nothing");
    assertThatThrownBy(() -> inner().hotRows(size).onDuplicateKey(DuplicateKeys.KEEP_ALL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("KEEP_ALL gives all of them");
    assertThatThrownBy(() -> inner().onDuplicateKey(DuplicateKeys.KEEP_ALL).hotRows(size))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(inner().hotRows(size).onDuplicateKey(DuplicateKeys.KEEP_FIRST)).isNotNull();
  }

  @Test
  void namesAndUidsAreNotBlank() {
    assertThatThrownBy(() -> inner().named(" "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the name ' ' is blank");
    assertThatThrownBy(() -> inner().uid(""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the uid '' is blank");
  }

  @Test
  void anOutputClassThatDoesNotSayItsWholeTypeIsRefusedWithTheWayOut() {
    assertThatThrownBy(
            () -> inner().combine((play, customer) -> new Tuple2<>("a", "b"), Tuple2.class))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("org.apache.flink.api.java.tuple.Tuple2")
        .hasMessageContaining("new TypeHint<Tuple2<...>>() {}");
  }

  @Test
  void theTypeOfTheOutputCanBeGivenAsAClassAHintOrATypeInformation() {
    TypeInformation<Tuple2<String, String>> pair =
        new TypeHint<Tuple2<String, String>>() {}.getTypeInfo();
    JoinFunction<Play, Customer, Tuple2<String, String>> combiner =
        (play, customer) -> Tuple2.of(play.video(), customer.tier());

    assertThat(inner().combine(EnrichedPlay::of, EnrichedPlay.class).getType())
        .isEqualTo(TypeInformation.of(EnrichedPlay.class));
    assertThat(inner().combine(combiner, new TypeHint<Tuple2<String, String>>() {}).getType())
        .isEqualTo(pair);
    assertThat(inner().combine(combiner, pair).getType()).isEqualTo(pair);
  }

  @Test
  void functionsThatCannotTravelAreRefusedAtTheCall() {
    Object unserializable = new Object();
    KeySelector<Play, String> key = play -> play.customerId() + unserializable;
    JoinFunction<Play, Customer, EnrichedPlay> combiner =
        (play, customer) -> new EnrichedPlay(play.video(), unserializable.toString());

    assertThatThrownBy(() -> inner().combine(combiner, EnrichedPlay.class))
        .isInstanceOf(InvalidProgramException.class);
    assertThatThrownBy(
            () ->
                Enrichment.from(plays)
                    .join(CUSTOMERS)
                    .on(key)
                    .cachedIn(LocalDisk.defaults())
                    .combine(EnrichedPlay::of, EnrichedPlay.class))
        .isInstanceOf(InvalidProgramException.class);
  }

  @Test
  void aStepLeavesTheFormerOneAsItWasSoThatPrefixesCanBeShared() {
    Enrichment<Play, Customer> shared = inner().named("shared");
    SingleOutputStreamOperator<EnrichedPlay> first =
        shared.named("first").uid("first").combine(EnrichedPlay::of, EnrichedPlay.class);
    SingleOutputStreamOperator<EnrichedPlay> second =
        shared.uid("second").combine(EnrichedPlay::of, EnrichedPlay.class);

    assertThat(first.getName()).isEqualTo("first");
    assertThat(second.getName()).isEqualTo("shared");
    assertThat(uid(first)).isEqualTo("first");
    assertThat(uid(second)).isEqualTo("second");
  }

  @Test
  void nameAndUidAreDerivedFromTheDimension() {
    SingleOutputStreamOperator<EnrichedPlay> inner =
        inner().combine(EnrichedPlay::of, EnrichedPlay.class);
    SingleOutputStreamOperator<EnrichedPlay> left =
        left().combine(EnrichedPlay::ofMaybe, EnrichedPlay.class);

    assertThat(inner.getName()).isEqualTo("Leat join customers");
    assertThat(left.getName()).isEqualTo("Leat left join customers");
    assertThat(uid(inner)).isEqualTo("leat-customers");
    assertThat(uid(left)).isEqualTo("leat-customers-2");
  }

  @Test
  void severalJoinsInARowStandInTheJobGraphByTheirNames() {
    DataStream<Play> again = inner().combine((play, customer) -> play, Play.class);
    Enrichment.from(again)
        .leftJoin(CUSTOMERS)
        .on(Play::customerId)
        .cachedIn(LocalDisk.defaults())
        .named("second look")
        .onDuplicateKey(DuplicateKeys.KEEP_ALL)
        .lookup(LookupMode.local())
        .combine(EnrichedPlay::ofMaybe, EnrichedPlay.class)
        .sinkTo(new DiscardingSink<>());
    StreamGraph graph = environment.getStreamGraph();

    assertThat(graph.getStreamNodes())
        .extracting(StreamNode::getOperatorName)
        .contains("Leat join customers", "second look");
    assertThat(graph.getStreamNodes())
        .extracting(StreamNode::getOperatorDescription)
        .contains(
            "Leat join customers [key [customer_id], misses drop, refresh every PT5M]",
            "second look [key [customer_id], misses keep, refresh every PT5M]");
    assertThat(graph.getJobGraph().getVerticesSortedTopologicallyFromSources())
        .as("both joins and the sink are one chain")
        .anySatisfy(
            vertex ->
                assertThat(vertex.getName())
                    .contains("Leat join customers", "second look", "Sink"));
  }

  @Test
  void missesAreReadFromTheSideOutputWithTheirType() {
    SingleOutputStreamOperator<EnrichedPlay> out =
        inner()
            .onMiss(MissPolicy.toSideOutput(MISSES))
            .combine(EnrichedPlay::of, EnrichedPlay.class);

    assertThat(out.getSideOutput(MISSES).getType()).isEqualTo(TypeInformation.of(Play.class));
    assertThat(MissPolicy.toSideOutput(MISSES)).hasToString("to side output 'misses'");
  }

  private static String uid(SingleOutputStreamOperator<?> stream) {
    Transformation<?> transformation = stream.getTransformation();
    return Optional.ofNullable(transformation.getUid()).orElseThrow();
  }

  private Enrichment<Play, Customer> inner() {
    return Enrichment.from(plays)
        .join(CUSTOMERS)
        .on(Play::customerId)
        .cachedIn(LocalDisk.defaults());
  }

  private Enrichment<Play, Optional<Customer>> left() {
    return Enrichment.from(plays)
        .leftJoin(CUSTOMERS)
        .on(Play::customerId)
        .cachedIn(LocalDisk.defaults());
  }

  private static void refusesNull(
      String parameter, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).isInstanceOf(NullPointerException.class).hasMessage(parameter);
  }

  /** The null that a caller without null checks would pass. */
  @SuppressWarnings({"NullAway", "TypeParameterUnusedInFormals"})
  private static <T> T nothing() {
    return null;
  }

  private record NamedTier(String tierName) implements CacheTier {}
}
