package dev.leat.internal.engine;

import dev.leat.DataSize;
import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.source.Source;
import dev.leat.internal.engine.tier.Announcer;
import dev.leat.internal.engine.tier.StoreClient;
import dev.leat.internal.index.IndexManifest;
import dev.leat.internal.store.ImmutableResilienceSettings;
import dev.leat.internal.store.ResilienceSettings;
import dev.leat.internal.store.StoreTime;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The engine for a simulation: one thread parses, nothing depends on the machine's time, and all
 * stores and waits are the simulation's.
 */
public final class SteppedEngine {
  private static final Duration NEVER = Duration.ofDays(36_500);

  private SteppedEngine() {}

  /**
   * A service in a place of its own.
   *
   * @param directory for temporary files
   * @param clock tells the time and waits
   * @param storeTime the time of the stores, and of every pause
   * @param source opens the source's store
   */
  public static <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request,
      Path directory,
      PacedClock clock,
      StoreTime storeTime,
      Function<URI, BlobStore> source) {
    return DimensionServices.acquire(
        request, new ServiceEnvironment(Map.of(), directory, clock), settings(storeTime, source));
  }

  /** The same for a dimension whose version is decided elsewhere. */
  public static <K, D> SteeredDimension<K, D> steer(
      ServiceRequest<K, D> request,
      Path directory,
      PacedClock clock,
      StoreTime storeTime,
      Function<URI, BlobStore> source) {
    return DimensionServices.steer(
        request, new ServiceEnvironment(Map.of(), directory, clock), settings(storeTime, source));
  }

  private static EngineSettings settings(StoreTime storeTime, Function<URI, BlobStore> source) {
    ResilienceSettings patient =
        ImmutableResilienceSettings.builder()
            .attempts(3)
            .concurrentCalls(3)
            .retryFor(NEVER)
            .callTimeout(Duration.ofSeconds(20))
            .bulkTimeout(Duration.ofSeconds(40))
            .breakerWindow(10)
            .breakerFailures(5)
            .build();
    return new EngineSettings(
        1,
        2048,
        DataSize.ofMebibytes(4),
        3,
        Duration.ofMillis(500),
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        5,
        NEVER,
        NEVER,
        patient,
        patient,
        storeTime,
        (location, context) -> source.apply(location));
  }

  /** The name that the engine gives to the version of a source that lists some files. */
  public static String versionId(
      Dimension<?, ?> dimension, DuplicateKeys duplicates, List<Blob> listed)
      throws InterruptedException {
    StoreClient client =
        new StoreClient(
            "listing",
            new Listing(listed),
            ResilienceSettings.defaults(),
            StoreTime.system(),
            new Silent(dimension.name()));
    try (Source source =
        new Source(
            dimension,
            duplicates,
            dimension.location(),
            List.of(),
            client,
            IndexManifest.FORMAT_VERSION)) {
      return source.look().id();
    }
  }

  private record Silent(String dimension) implements Announcer {
    @Override
    public void announce(DimensionEvent event) {
      throw new IllegalStateException("a listing in memory does not fail: " + event);
    }
  }

  /** A store that can only be listed. */
  private record Listing(List<Blob> listed) implements BlobStore {
    @Override
    public List<Blob> list(URI directory) {
      return listed;
    }

    @Override
    public Optional<Blob> find(URI uri) {
      throw new UnsupportedOperationException("find " + uri);
    }

    @Override
    public BlobReader open(Blob blob) {
      throw new UnsupportedOperationException("open " + blob.uri());
    }

    @Override
    public void publish(Path file, URI target) {
      throw new UnsupportedOperationException("publish " + target);
    }

    @Override
    public boolean publishIfAbsent(byte[] content, URI target) {
      throw new UnsupportedOperationException("publishIfAbsent " + target);
    }

    @Override
    public void delete(URI uri) {
      throw new UnsupportedOperationException("delete " + uri);
    }

    @Override
    public void close() {}
  }
}
