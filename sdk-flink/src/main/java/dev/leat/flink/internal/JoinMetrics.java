package dev.leat.flink.internal;

import dev.leat.event.DimensionStatistics;
import dev.leat.event.DimensionStatistics.Building;
import dev.leat.event.DimensionStatistics.Served;
import dev.leat.event.DimensionStatistics.Tier;
import java.time.Duration;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of one subtask's join; {@code docs/metrics.md} lists them all.
 *
 * <p>What the subtask itself did is counted here, on its own thread. What the shared service did is
 * read from its statistics, so that it is the same in all subtasks of a TaskManager.
 */
public final class JoinMetrics {
  private static final String GROUP = "leat";
  private static final String CACHE_GROUP = "cache";
  private static final String TIER_GROUP = "tier";

  private final Counter hits;
  private final Counter misses;
  private final Counter nullKeys;

  private JoinMetrics(Counter hits, Counter misses, Counter nullKeys) {
    this.hits = hits;
    this.misses = misses;
    this.nullKeys = nullKeys;
  }

  /** Registers the metrics below an operator's group. The first version must be there. */
  static JoinMetrics register(
      MetricGroup operator,
      String dimension,
      Supplier<DimensionStatistics> statistics,
      LongSupplier hotRowHits) {
    JoinMetrics metrics = register(operator, dimension, statistics);
    operator.addGroup(GROUP, dimension).gauge("hotRowHits", hotRowHits::getAsLong);
    return metrics;
  }

  private static JoinMetrics register(
      MetricGroup operator, String dimension, Supplier<DimensionStatistics> statistics) {
    Supplier<DimensionStatistics> recent = new RecentStatistics(statistics);
    MetricGroup group = operator.addGroup(GROUP, dimension);
    group.gauge("versionId", served(recent, "", served -> served.version().id()));
    group.gauge("versionAge", served(recent, -1L, served -> served.age().toMillis()));
    group.gauge("rejectedRows", served(recent, 0L, Served::rejectedRows));
    group.gauge("unparsableCells", served(recent, 0L, Served::unparsableCells));
    group.gauge("duplicateKeys", served(recent, 0L, Served::duplicateKeys));
    group.gauge("nullKeyRows", served(recent, 0L, Served::nullKeyRows));
    group.gauge("filteredRows", served(recent, 0L, Served::filteredRows));
    group.gauge("refreshFailuresInARow", gauge(recent, s -> s.loads().failuresInARow()));
    group.gauge("versionPinned", gauge(recent, s -> s.loads().pinned().orElse("")));
    group.gauge("versionHeldBack", gauge(recent, s -> s.loads().heldBack().isPresent() ? 1 : 0));
    group.gauge("unchangedCount", gauge(recent, s -> s.loads().unchanged()));
    group.gauge("builtCount", gauge(recent, s -> s.loads().built()));
    group.gauge("fetchedCount", gauge(recent, s -> s.loads().fetched()));
    group.gauge("reusedCount", gauge(recent, s -> s.loads().reused()));
    group.gauge("reusedFiles", gauge(recent, s -> s.loads().reusedFiles()));
    group.gauge("reusedRows", gauge(recent, s -> s.loads().reusedRows()));
    group.gauge("buildRows", building(recent, 0L, Building::rows));
    group.gauge("buildBytes", building(recent, 0L, Building::bytes));
    group.gauge("buildTotalBytes", building(recent, 0L, Building::totalBytes));
    group.gauge("buildTimeLeft", building(recent, 0L, build -> build.remaining().toMillis()));

    MetricGroup cache = group.addGroup(CACHE_GROUP);
    registerLoads(cache, recent);

    for (String tier : recent.get().tiers().keySet()) {
      MetricGroup tierGroup = group.addGroup(TIER_GROUP, tier);
      tierGroup.gauge("operations", tier(recent, tier, Tier::operations));
      tierGroup.gauge("failures", tier(recent, tier, Tier::failures));
      tierGroup.gauge("bytes", tier(recent, tier, Tier::bytes));
      tierGroup.gauge("hits", tier(recent, tier, Tier::hits));
      tierGroup.gauge("misses", tier(recent, tier, Tier::misses));
      tierGroup.gauge("fallbacks", tier(recent, tier, Tier::fallbacks));
      tierGroup.gauge("damaged", tier(recent, tier, Tier::damaged));
      tierGroup.gauge("breakerState", tier(recent, tier, t -> t.health().ordinal()));
    }
    return new JoinMetrics(
        cache.counter("hitCount"), cache.counter("missCount"), group.counter("nullKeyCount"));
  }

  /**
   * Registers the same for a lookup function of SQL, and the group {@code cache} once more where
   * Flink's own lookup caches have it (FLIP-221): directly below the operator's group.
   */
  public static JoinMetrics registerLookup(
      MetricGroup operator, String dimension, Supplier<DimensionStatistics> statistics) {
    JoinMetrics metrics = register(operator, dimension, statistics);
    MetricGroup cache = operator.addGroup(CACHE_GROUP);
    registerLoads(cache, new RecentStatistics(statistics));
    cache.counter("hitCount", metrics.hits);
    cache.counter("missCount", metrics.misses);
    return metrics;
  }

  /** Counts an event that found a row. */
  public void hit() {
    hits.inc();
  }

  /** Counts an event whose key has no row. */
  public void miss() {
    misses.inc();
  }

  /** Counts an event whose key has a null. */
  public void nullKey() {
    nullKeys.inc();
  }

  private static void registerLoads(MetricGroup cache, Supplier<DimensionStatistics> recent) {
    cache.gauge("loadCount", gauge(recent, s -> s.loads().loads()));
    cache.gauge("numLoadFailures", gauge(recent, s -> s.loads().failures()));
    cache.gauge("latestLoadTime", gauge(recent, s -> s.loads().latestTime().toMillis()));
    cache.gauge("numCachedRecords", served(recent, 0L, Served::rows));
    cache.gauge("numCachedBytes", served(recent, 0L, Served::bytes));
  }

  private static <T> Gauge<T> gauge(
      Supplier<DimensionStatistics> statistics, Function<DimensionStatistics, T> value) {
    return () -> value.apply(statistics.get());
  }

  private static <T> Gauge<T> served(
      Supplier<DimensionStatistics> statistics, T none, Function<Served, T> value) {
    return () -> statistics.get().served().map(value).orElse(none);
  }

  private static <T> Gauge<T> building(
      Supplier<DimensionStatistics> statistics, T none, Function<Building, T> value) {
    return () -> statistics.get().loads().building().map(value).orElse(none);
  }

  private static <T> Gauge<T> tier(
      Supplier<DimensionStatistics> statistics, String name, Function<Tier, T> value) {
    return () -> value.apply(statistics.get().tiers().get(name));
  }

  /**
   * The statistics as they were at most a moment ago: a report reads dozens of gauges, which should
   * tell of one moment and not take dozens of snapshots.
   */
  private static final class RecentStatistics implements Supplier<DimensionStatistics> {
    private static final long MOMENT = Duration.ofMillis(100).toNanos();

    private final Supplier<DimensionStatistics> source;
    private volatile Snapshot latest;

    RecentStatistics(Supplier<DimensionStatistics> source) {
      this.source = source;
      this.latest = new Snapshot(source.get(), System.nanoTime());
    }

    @Override
    public DimensionStatistics get() {
      Snapshot snapshot = latest;
      if (System.nanoTime() - snapshot.taken > MOMENT) {
        snapshot = new Snapshot(source.get(), System.nanoTime());
        latest = snapshot;
      }
      return snapshot.statistics;
    }

    private record Snapshot(DimensionStatistics statistics, long taken) {}
  }
}
