package dev.leat.internal.engine;

import dev.leat.event.DimensionStatistics;
import dev.leat.event.DimensionStatistics.Health;
import dev.leat.event.DimensionStatistics.Lookups;
import dev.leat.event.DimensionStatistics.Served;
import dev.leat.event.DimensionStatistics.Tier;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.engine.tier.TierCounters;
import dev.leat.internal.index.IndexManifest;
import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What a service and its readers have counted, put together for whoever asks. Thread-safe. */
final class ServiceStatistics {
  /** The name of the source among the tiers. */
  static final String SOURCE = "source";

  /** The name of the local disk among the tiers. */
  static final String LOCAL_DISK = "local-disk";

  private final Clock clock;
  private final LoadStatistics loads;
  private final TierCounters localCounters;
  private final Set<PinnedReader<?, ?>> readers = ConcurrentHashMap.newKeySet();
  private final ReaderCounters closedReaders = new ReaderCounters();
  private volatile @Nullable ServiceClients clients;

  ServiceStatistics(Clock clock, LoadStatistics loads, TierCounters localCounters) {
    this.clock = clock;
    this.loads = loads;
    this.localCounters = localCounters;
  }

  /** Counts for the clients from now on. */
  void opened(ServiceClients opened) {
    clients = opened;
  }

  void entered(PinnedReader<?, ?> reader) {
    readers.add(reader);
  }

  /** Keeps what a reader has counted. */
  void left(PinnedReader<?, ?> reader) {
    synchronized (closedReaders) {
      if (readers.remove(reader)) {
        closedReaders.addHits(reader.counters().hits());
        closedReaders.addMisses(reader.counters().misses());
        closedReaders.addNullKeys(reader.counters().nullKeys());
      }
    }
  }

  /** All that is known, while a version is served, or none. */
  DimensionStatistics with(@Nullable ServedVersion version) {
    Map<String, Tier> byTier = new LinkedHashMap<>();
    byTier.put(LOCAL_DISK, localDisk());
    ServiceClients opened = clients;
    if (opened != null) {
      for (TierClient tier : opened.tiers()) {
        byTier.put(tier.name(), tier.client().statistics());
      }
      byTier.put(SOURCE, opened.source().client().statistics());
    }
    return new DimensionStatistics(
        Optional.ofNullable(version).map(this::served), lookups(), loads.snapshot(), byTier);
  }

  private Tier localDisk() {
    long hits = localCounters.hits();
    long misses = localCounters.misses();
    return new Tier(
        hits + misses,
        0,
        0,
        hits,
        misses,
        localCounters.fallbacks(),
        localCounters.damagedIndexes(),
        Health.CLOSED);
  }

  private Lookups lookups() {
    synchronized (closedReaders) {
      long hits = closedReaders.hits();
      long misses = closedReaders.misses();
      long nullKeys = closedReaders.nullKeys();
      for (PinnedReader<?, ?> reader : readers) {
        hits += reader.counters().hits();
        misses += reader.counters().misses();
        nullKeys += reader.counters().nullKeys();
      }
      return new Lookups(hits, misses, nullKeys);
    }
  }

  private Served served(ServedVersion version) {
    IndexManifest manifest = version.local().index().manifest();
    Duration age = version.age(clock.instant());
    return new Served(
        version.version(),
        age,
        manifest.rows(),
        version.local().index().bytes(),
        manifest.rejectedRows(),
        manifest.unparsableCells(),
        manifest.duplicateKeys(),
        manifest.nullKeyRows(),
        manifest.filteredRows());
  }
}
