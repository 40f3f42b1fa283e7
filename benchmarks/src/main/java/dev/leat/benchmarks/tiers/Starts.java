package dev.leat.benchmarks.tiers;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.benchmarks.Medians;
import dev.leat.benchmarks.WorkDirectory;
import dev.leat.benchmarks.tiers.TierServers.Customer;
import dev.leat.event.DimensionStatistics.Loads;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.internal.store.Stores;
import dev.leat.spi.BlobStore;
import dev.leat.spi.CacheTier;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** How long it takes from nothing in memory to the first row, with more and more that is there. */
final class Starts {
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final TierServers servers;
  private final String key;
  private final String customer;
  private final WorkDirectory work;

  Starts(TierServers servers, String key, String customer, WorkDirectory work) {
    this.servers = servers;
    this.key = key;
    this.customer = customer;
    this.work = work;
  }

  /** The ways in which a version may come. */
  private enum Way {
    BUILT,
    FETCHED,
    REUSED
  }

  /**
   * One start of each kind.
   *
   * @param round used in names, so that nothing of another round is there
   */
  void round(int round, Medians target) throws IOException, InterruptedException {
    Path disk = work.resolve("disk-" + round);
    Path otherDisk = work.resolve("other-disk-" + round);
    Dimension<String, Customer> fromS3 = servers.customers("plain-" + round, key);
    target.add("s3_start_s", start(fromS3, work.resolve("s3-disk-" + round), List.of(), Way.BUILT));
    Dimension<String, Customer> cached = servers.customers("cached-" + round, key);
    List<CacheTier> tiers = List.of(servers.tier());
    servers.alluxio().free("/s3/" + TierServers.BUCKET + "/" + key);
    target.add("cold_start_s", start(cached, disk, tiers, Way.BUILT));
    awaitPublication("cached-" + round);
    target.add("warm_restart_s", start(cached, otherDisk, tiers, Way.FETCHED));
    target.add("local_restart_s", start(cached, disk, tiers, Way.REUSED));
  }

  private double start(
      Dimension<String, Customer> dimension, Path disk, List<CacheTier> tiers, Way way)
      throws InterruptedException {
    List<CacheTier> all = new ArrayList<>(List.of(LocalDisk.at(disk)));
    all.addAll(tiers);
    ServiceRequest<String, Customer> request =
        new ServiceRequest<>(
            dimension, DuplicateKeys.KEEP_LAST, all, Refresh.never(), Staleness.serveForever());
    long start = System.nanoTime();
    try (DimensionService<String, Customer> service =
        DimensionServices.acquire(
            request,
            new ServiceEnvironment(
                servers.properties(), work.resolve("temporary"), Clock.systemUTC()))) {
      service.awaitFirstVersion();
      try (DimensionReader<String, Customer> reader = service.reader()) {
        if (reader.find(customer) == null) {
          throw new IllegalStateException(customer + " is not there");
        }
      }
      double seconds = (System.nanoTime() - start) / 1e9;
      Loads loads = service.statistics().loads();
      long came =
          switch (way) {
            case BUILT -> loads.built();
            case FETCHED -> loads.fetched();
            case REUSED -> loads.reused();
          };
      if (came != 1) {
        throw new IllegalStateException("the version was not " + way + " but: " + loads);
      }
      if (way == Way.BUILT && !tiers.isEmpty()) {
        // Closing the service would end the publication.
        awaitPublication(dimension.name());
      }
      return seconds;
    }
  }

  private void awaitPublication(String dimension) {
    URI root = URI.create(servers.alluxio().uri() + "/leat/indexes/" + dimension + "/");
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    try (BlobStore store = Stores.open(root, new StoreContext(servers.properties()))) {
      while (store.list(root).stream()
          .noneMatch(blob -> blob.uri().getPath().endsWith("/manifest.json"))) {
        if (System.nanoTime() > deadline) {
          throw new IllegalStateException(dimension + " was not published within " + PATIENCE);
        }
        LockSupport.parkNanos(50_000_000);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
