package dev.leat.internal.engine;

import static org.awaitility.Awaitility.await;

import dev.leat.DataSize;
import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.event.DimensionEvent;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.SharedService.Following;
import dev.leat.internal.store.ImmutableResilienceSettings;
import dev.leat.internal.store.ResilienceSettings;
import dev.leat.internal.store.StoreTime;
import dev.leat.spi.CacheTier;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A source, a remote tier, a clock and local disks, all in the hands of a test. Closes the services
 * that it opened.
 */
final class EngineWorld implements AutoCloseable {
  static final String TABLE = "s3a://bucket/customers/";
  static final Duration INTERVAL = Duration.ofMinutes(10);

  final MemoryStore source = new MemoryStore();
  final MemoryStore cache = new MemoryStore();
  final HandClock clock = new HandClock();
  final Path disk;
  final List<DimensionEvent> events = new CopyOnWriteArrayList<>();
  private final EngineSettings settings;
  private volatile CountDownLatch gate = new CountDownLatch(0);
  private final List<ServedDimension<?, ?>> opened = new ArrayList<>();

  record Customer(String id, String name) {}

  EngineWorld(Path disk) {
    this.disk = disk;
    ResilienceSettings quick =
        ImmutableResilienceSettings.builder()
            .attempts(2)
            .firstBackoff(Duration.ofMillis(1))
            .throttledBackoff(Duration.ofMillis(1))
            .callTimeout(Duration.ofSeconds(20))
            .breakerWindow(20)
            .breakerFailures(20)
            .breakerOpenFor(Duration.ofMillis(1))
            .build();
    this.settings =
        new EngineSettings(
            2,
            64,
            DataSize.ofMebibytes(16),
            3,
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(5),
            10,
            Duration.ofMillis(10),
            Duration.ZERO,
            quick,
            quick,
            StoreTime.system(),
            (location, context) -> {
              awaitGate();
              return source;
            });
  }

  static Dimension<String, Customer> customers() {
    return Dimension.named("customers")
        .at(TABLE)
        .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name"))
        .keyedBy(String.class, "id");
  }

  static Refresh strictly() {
    return Refresh.every(INTERVAL).withJitter(0);
  }

  MemoryTier tier() {
    return new MemoryTier(cache);
  }

  ServiceRequest<String, Customer> request(CacheTier... tiers) {
    return request(customers(), Staleness.serveForever(), tiers);
  }

  ServiceRequest<String, Customer> request(
      Dimension<String, Customer> dimension, Staleness staleness, CacheTier... tiers) {
    List<CacheTier> all = new ArrayList<>(List.of(tiers));
    if (all.stream().noneMatch(LocalDisk.class::isInstance)) {
      all.add(0, LocalDisk.at(disk));
    }
    return new ServiceRequest<>(dimension, DuplicateKeys.KEEP_LAST, all, strictly(), staleness);
  }

  /** A request that looks at other times. */
  ServiceRequest<String, Customer> request(Refresh refresh, CacheTier... tiers) {
    ServiceRequest<String, Customer> usual = request(tiers);
    return new ServiceRequest<>(
        usual.dimension(), usual.duplicates(), usual.tiers(), refresh, usual.staleness());
  }

  ServiceEnvironment environment(Map<String, String> properties) {
    return new ServiceEnvironment(properties, disk, clock);
  }

  /** A service that is not waited for. */
  <K, D> DimensionService<K, D> begin(ServiceRequest<K, D> request) {
    return begin(request, Map.of());
  }

  /** The same in a place of its own: another process would see other properties. */
  <K, D> DimensionService<K, D> begin(
      ServiceRequest<K, D> request, Map<String, String> properties) {
    return heard(() -> DimensionServices.acquire(request, environment(properties), settings));
  }

  /** A handle that follows orders. */
  <K, D> SteeredDimension<K, D> steer(ServiceRequest<K, D> request) {
    return steer(request, Map.of());
  }

  /** The same in a place of its own. */
  <K, D> SteeredDimension<K, D> steer(
      ServiceRequest<K, D> request, Map<String, String> properties) {
    return heard(() -> DimensionServices.steer(request, environment(properties), settings));
  }

  /** What comes of an order. */
  static <T> T get(CompletableFuture<T> outcome) throws Exception {
    return outcome.get(60, TimeUnit.SECONDS);
  }

  /** What handles of {@link #request} would share. The caller closes it. */
  SharedService<String, Customer> startShared(Following following) {
    return SharedService.start(request(), environment(Map.of()), settings, following);
  }

  private <S extends ServedDimension<?, ?>> S heard(Supplier<S> acquired) {
    // No store is opened before the listener is there, so that no event goes unheard.
    gate = new CountDownLatch(1);
    try {
      S service = acquired.get();
      opened.add(service);
      service.addListener(events::add);
      return service;
    } finally {
      gate.countDown();
    }
  }

  private void awaitGate() throws InterruptedIOException {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted at the gate");
    }
  }

  /** A service that has its first version. */
  <K, D> DimensionService<K, D> open(ServiceRequest<K, D> request) throws InterruptedException {
    DimensionService<K, D> service = begin(request);
    service.awaitFirstVersion();
    return service;
  }

  /** Lets the refresh interval pass and waits until the look that follows has ended. */
  void refresh(DimensionService<?, ?> service) {
    refresh(service, INTERVAL);
  }

  /** Lets a time pass and waits until the look that follows has ended. */
  void refresh(DimensionService<?, ?> service, Duration time) {
    long before = looks(service);
    clock.move(time);
    await().until(() -> looks(service) > before);
  }

  static long looks(DimensionService<?, ?> service) {
    var loads = service.statistics().loads();
    return loads.loads() + loads.failures() + loads.unchanged();
  }

  <E extends DimensionEvent> List<E> events(Class<E> type) {
    return events.stream().filter(type::isInstance).map(type::cast).toList();
  }

  <E extends DimensionEvent> E awaitEvent(Class<E> type) {
    await().until(() -> !events(type).isEmpty());
    return events(type).get(0);
  }

  /** The names in the dimension's directory on the local disk. */
  List<String> onDisk() {
    try (Stream<Path> paths = Files.list(disk.resolve("customers"))) {
      return paths.map(path -> String.valueOf(path.getFileName())).sorted().toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    opened.forEach(ServedDimension::close);
  }
}
