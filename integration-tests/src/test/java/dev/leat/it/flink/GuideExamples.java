package dev.leat.it.flink;

import dev.leat.BlackOut;
import dev.leat.DataSize;
import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.DuplicateKeys;
import dev.leat.Guard;
import dev.leat.LocalDisk;
import dev.leat.Partitions;
import dev.leat.Refresh;
import dev.leat.RequestRate;
import dev.leat.RowFilter;
import dev.leat.Schedule;
import dev.leat.Staleness;
import dev.leat.VersionGone;
import dev.leat.VersionRetention;
import dev.leat.alluxio.Alluxio;
import dev.leat.flink.Enrichment;
import dev.leat.flink.LookupMode;
import dev.leat.flink.MissPolicy;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.DelimitedText;
import dev.leat.format.Formats;
import java.io.Serializable;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.flink.api.common.typeinfo.TypeHint;
import org.apache.flink.api.java.tuple.Tuple2;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.util.OutputTag;

/**
 * The snippets of {@code docs/guide.md}: each stands between the comments {@code region} and {@code
 * end}, and is the same there, which {@link GuideTest} checks.
 */
public final class GuideExamples {

  // region: dimension
  public record Customer(String customerId, String subscriptionTier, String accountStatus)
      implements Serializable {}

  static final Dimension<String, Customer> CUSTOMERS =
      Dimension.named("customers")
          .at("s3a://streamedge-datalake/customers/")
          .rows(
              Customer.class,
              DelimitedText.separatedBy('|')
                  .columns("customer_id", "subscription_tier", "country_code", "account_status"))
          .keyedBy(String.class, "customer_id");

  // end

  private static final Alluxio ALLUXIO =
      Alluxio.at("alluxio://master:19998")
          .mapping("s3a://streamedge-datalake", "/s3/streamedge-datalake");

  private GuideExamples() {}

  /** An event. */
  public record VideoPlay(String customerId, String videoId, long seconds)
      implements Serializable {}

  /** An output. */
  public record EnrichedPlay(String videoId, String tier) implements Serializable {
    public static EnrichedPlay of(VideoPlay play, Optional<Customer> customer) {
      return new EnrichedPlay(
          play.videoId(), customer.map(Customer::subscriptionTier).orElse("unknown"));
    }
  }

  static SingleOutputStreamOperator<EnrichedPlay> firstJoin(DataStream<VideoPlay> plays) {
    // region: first-join
    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .join(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(
                Alluxio.at("alluxio://master:19998")
                    .mapping("s3a://streamedge-datalake", "/s3/streamedge-datalake"))
            .combine(
                (play, customer) -> new EnrichedPlay(play.videoId(), customer.subscriptionTier()),
                EnrichedPlay.class);
    // end
    return enriched;
  }

  static SingleOutputStreamOperator<EnrichedPlay> allOptions(DataStream<VideoPlay> plays) {
    // region: all-options
    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .leftJoin(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .refresh(Refresh.every(Duration.ofMinutes(1)))
            .whenStale(Staleness.failAfter(Duration.ofHours(6)))
            .onMiss(MissPolicy.keep())
            .onDuplicateKey(DuplicateKeys.FAIL)
            .lookup(LookupMode.local())
            .named("add the customer")
            .uid("add-customer")
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    // end
    return enriched;
  }

  static SingleOutputStreamOperator<Tuple2<String, Customer>> typeHint(
      DataStream<VideoPlay> plays) {
    // region: type-hint
    SingleOutputStreamOperator<Tuple2<String, Customer>> pairs =
        Enrichment.from(plays)
            .join(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .combine(
                (play, customer) -> Tuple2.of(play.videoId(), customer),
                new TypeHint<Tuple2<String, Customer>>() {});
    // end
    return pairs;
  }

  static SingleOutputStreamOperator<EnrichedPlay> leftJoin(DataStream<VideoPlay> plays) {
    // region: left-join
    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .leftJoin(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .combine(
                (play, customer) ->
                    new EnrichedPlay(
                        play.videoId(), customer.map(Customer::subscriptionTier).orElse("unknown")),
                EnrichedPlay.class);
    // end
    return enriched;
  }

  static DataStream<VideoPlay> sideOutput(DataStream<VideoPlay> plays) {
    // region: side-output
    OutputTag<VideoPlay> unknownCustomers = new OutputTag<>("unknown-customers") {};

    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .join(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .onMiss(MissPolicy.toSideOutput(unknownCustomers))
            .combine(
                (play, customer) -> new EnrichedPlay(play.videoId(), customer.subscriptionTier()),
                EnrichedPlay.class);
    DataStream<VideoPlay> misses = enriched.getSideOutput(unknownCustomers);
    // end
    return misses;
  }

  public record PriceKey(String country, String productId) implements Serializable {}

  public record Price(LocalDate dt, BigDecimal price, String currency) implements Serializable {}

  // region: filter-and-partitions
  static final Dimension<PriceKey, Price> PRICES =
      Dimension.named("prices")
          .at("s3a://streamedge-datalake/prices/") // country=DE/dt=2026-11-29/part-0 …
          .partitionedBy(
              Partitions.inDirectories(
                      new Column("country", ColumnType.STRING), new Column("dt", ColumnType.DATE))
                  .latestByTime("$dt"))
          .rows(
              Price.class,
              DelimitedText.separatedBy('|').columns("product_id", "price", "currency", "state"))
          .keyedBy(PriceKey.class, "country", "product_id")
          .where(
              RowFilter.column("state")
                  .equalTo("active")
                  .and(RowFilter.column("country").notEqualTo("XX")));

  // end

  // region: run-time-columns
  static final Dimension<DimensionKey, DimensionRow> ANY =
      Dimension.named("customers")
          .at("s3a://streamedge-datalake/customers/")
          .rows(
              List.of(
                  new Column("customer_id", ColumnType.STRING),
                  new Column("visits", ColumnType.INT)),
              Formats.create(
                  "text",
                  List.of(
                      new Column("customer_id", ColumnType.STRING),
                      new Column("country_code", ColumnType.STRING),
                      new Column("visits", ColumnType.INT)),
                  Map.of("field-delimiter", "|")))
          .keyedBy("customer_id");

  // end

  // region: composite-key
  public record DeviceKey(String vendor, int model) implements Serializable {}

  public record Device(String vendor, int model, String displayName) implements Serializable {}

  static final Dimension<DeviceKey, Device> DEVICES =
      Dimension.named("devices")
          .at("s3a://streamedge-datalake/devices/")
          .rows(
              Device.class,
              DelimitedText.separatedBy('|').columns("vendor", "model", "display_name"))
          .keyedBy(DeviceKey.class, "vendor", "model");

  // end

  static SingleOutputStreamOperator<String> keepAll(DataStream<VideoPlay> plays) {
    // region: keep-all
    SingleOutputStreamOperator<String> tiers =
        Enrichment.from(plays)
            .join(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .onDuplicateKey(DuplicateKeys.KEEP_ALL)
            .combine((play, customer) -> customer.subscriptionTier(), String.class);
    // end
    return tiers;
  }

  static SingleOutputStreamOperator<EnrichedPlay> refresh(DataStream<VideoPlay> plays) {
    // region: refresh
    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .leftJoin(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .refresh(Refresh.every(Duration.ofSeconds(30)))
            .whenStale(Staleness.failAfter(Duration.ofHours(1)))
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    // end
    return enriched;
  }

  static SingleOutputStreamOperator<EnrichedPlay> schedule(DataStream<VideoPlay> plays) {
    // region: schedule
    ZoneId berlin = ZoneId.of("Europe/Berlin");
    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .leftJoin(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .refresh(
                Refresh.on(Schedule.cron("*/15 6-22 * * MON-FRI", berlin))
                    .exceptDuring(
                        BlackOut.beginning("0 12 * * *", berlin).lasting(Duration.ofMinutes(90)))
                    .spreadOver(Duration.ofMinutes(2)))
            .guardedBy(Guard.standard().minRows(1_000_000).maxShrink(0.2))
            .retaining(VersionRetention.keep(10).forAtLeast(Duration.ofDays(7)))
            .limitSource(RequestRate.perSecond(50))
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    // end
    return enriched;
  }

  static SingleOutputStreamOperator<EnrichedPlay> versionGone(DataStream<VideoPlay> plays) {
    // region: version-gone
    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .leftJoin(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .whenVersionGone(VersionGone.USE_NEWER)
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    // end
    return enriched;
  }

  static SingleOutputStreamOperator<String> withVersion(DataStream<VideoPlay> plays) {
    // region: with-version
    SingleOutputStreamOperator<String> stamped =
        Enrichment.from(plays)
            .join(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .withVersion()
            .combine(
                (play, match) ->
                    match.row().subscriptionTier() + " as of version " + match.version().id(),
                String.class);
    // end
    return stamped;
  }

  static SingleOutputStreamOperator<EnrichedPlay> localDisk(DataStream<VideoPlay> plays) {
    // region: local-disk
    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .leftJoin(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(
                LocalDisk.at(Path.of("/data/leat")).budget(DataSize.ofGibibytes(200)), ALLUXIO)
            .combine(EnrichedPlay::of, EnrichedPlay.class);
    // end
    return enriched;
  }

  static SingleOutputStreamOperator<String> twoJoins(
      DataStream<VideoPlay> plays, Dimension<String, Customer> referrers) {
    // region: two-joins
    SingleOutputStreamOperator<EnrichedPlay> enriched =
        Enrichment.from(plays)
            .leftJoin(CUSTOMERS)
            .on(VideoPlay::customerId)
            .cachedIn(ALLUXIO)
            .combine(EnrichedPlay::of, EnrichedPlay.class);

    SingleOutputStreamOperator<String> named =
        Enrichment.from(enriched)
            .join(referrers)
            .on(EnrichedPlay::videoId)
            .cachedIn(ALLUXIO)
            .combine((play, referrer) -> play.tier() + referrer.accountStatus(), String.class);
    // end
    return named;
  }
}
