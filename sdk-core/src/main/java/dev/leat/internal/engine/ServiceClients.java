package dev.leat.internal.engine;

import dev.leat.Dimension;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.RequestRate;
import dev.leat.internal.engine.repository.LocalRepository;
import dev.leat.internal.engine.repository.Pins;
import dev.leat.internal.engine.source.Source;
import dev.leat.internal.engine.source.SourceErrors;
import dev.leat.internal.engine.tier.StoreClient;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.index.IndexManifest;
import dev.leat.internal.store.ImmutableResilienceSettings;
import dev.leat.internal.store.RoutingStore;
import dev.leat.spi.CacheTier;
import dev.leat.spi.RemoteTier;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the service's thread talks to: the source, the remote tiers, the local disk, and the loader
 * over them. Belongs to that thread.
 */
record ServiceClients(
    String dimension,
    Source source,
    List<TierClient> tiers,
    LocalRepository local,
    RetainedVersions retained,
    VersionLoader loader,
    VersionGate gate,
    Pins pins)
    implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ServiceClients.class);

  /**
   * Opens them; what was opened before one fails is closed again.
   *
   * @param closing whether the service is to end, which long waits look at
   */
  static ServiceClients open(Workplace place, BooleanSupplier closing) throws InterruptedException {
    ServiceRequest<?, ?> request = place.request();
    ServiceEnvironment environment = place.environment();
    EngineSettings settings = place.settings();
    EventStream events = place.events();
    Dimension<?, ?> dimension = request.dimension();
    Map<String, String> properties = new HashMap<>(environment.properties());
    properties.putAll(dimension.storeSettings().map(StoreSettings::properties).orElse(Map.of()));
    StoreContext context = new StoreContext(properties);
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      List<TierClient> tierClients = new ArrayList<>();
      LocalDisk disk = LocalDisk.defaults();
      for (CacheTier tier : request.tiers()) {
        if (tier instanceof RemoteTier remote) {
          TierClient client = openTier(dimension.name(), remote, context, settings, events);
          opened.add(client);
          tierClients.add(client);
        } else if (tier instanceof LocalDisk localDisk) {
          disk = localDisk;
        } else {
          throw new LeatException(
              ErrorCode.INVALID_DEFINITION,
              "Dimension '"
                  + dimension.name()
                  + "': the cache tier "
                  + tier.tierName()
                  + " is a "
                  + tier.getClass().getName()
                  + "; use LocalDisk or a RemoteTier such as Alluxio");
        }
      }
      Path root =
          disk.directory().orElseGet(() -> environment.temporaryDirectory().resolve("leat"));
      LocalRepository local = LocalRepository.open(root, dimension.name(), disk.budget());
      opened.add(local);
      URI location = Source.locate(dimension, tierClients);
      StoreClient client =
          openSource(dimension.name(), location, context, settings, request.sourceRate(), events);
      Source source =
          new Source(
              dimension,
              request.duplicates(),
              location,
              tierClients,
              client,
              IndexManifest.FORMAT_VERSION);
      opened.add(source);
      RetainedVersions retained =
          new RetainedVersions(local, request.retention(), environment.clock());
      VersionLoader loader =
          new VersionLoader(
              dimension,
              request.duplicates(),
              source,
              tierClients,
              local,
              retained,
              place.localCounters(),
              place.loads(),
              events,
              settings,
              closing);
      return new ServiceClients(
          dimension.name(),
          source,
          List.copyOf(tierClients),
          local,
          retained,
          loader,
          new VersionGate(dimension.name(), request.guard(), place.loads(), events, loader),
          new Pins(dimension.name(), local, loader.remotes()));
    } catch (InterruptedException | RuntimeException | Error e) {
      for (AutoCloseable each : opened) {
        closeQuietly(each, e);
      }
      throw e;
    }
  }

  static TierClient openTier(
      String dimension,
      RemoteTier tier,
      StoreContext context,
      EngineSettings settings,
      EventStream events)
      throws InterruptedException {
    try {
      return TierClient.open(tier, context, settings.tier(), settings.storeTime(), events);
    } catch (IOException e) {
      VersionLoader.checkInterrupt(e);
      throw new LeatException(
          ErrorCode.TIER_UNAVAILABLE,
          "Dimension '"
              + dimension
              + "': the cache tier "
              + tier.tierName()
              + " cannot be opened ("
              + e.getMessage()
              + "); check its configuration",
          e);
    }
  }

  static StoreClient openSource(
      String dimension,
      URI location,
      StoreContext context,
      EngineSettings settings,
      RequestRate rate,
      EventStream events)
      throws InterruptedException {
    try {
      return new StoreClient(
          ServiceStatistics.SOURCE,
          RoutingStore.open(location, uri -> settings.stores().open(uri, context)),
          ImmutableResilienceSettings.copyOf(settings.source()).withRequestSpacing(rate.spacing()),
          settings.storeTime(),
          events);
    } catch (IOException e) {
      throw SourceErrors.of(dimension, location, e);
    }
  }

  /** Closes all of them, whatever one of them says to that. */
  @Override
  public void close() {
    List<AutoCloseable> all = new ArrayList<>();
    all.add(loader::releaseLease);
    all.add(source);
    all.addAll(tiers);
    all.add(local);
    RuntimeException failure = new RuntimeException("not all could be closed");
    for (AutoCloseable each : all) {
      closeQuietly(each, failure);
    }
    if (failure.getSuppressed().length > 0) {
      LOG.warn("Dimension '{}': the service did not close as it should", dimension, failure);
    }
  }

  static void closeQuietly(AutoCloseable each, Throwable into) {
    try {
      each.close();
    } catch (Exception e) {
      into.addSuppressed(e);
    }
  }
}
