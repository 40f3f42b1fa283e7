package dev.leat.flink.internal;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.DimensionVersion;
import dev.leat.event.DimensionListener;
import dev.leat.event.DimensionStatistics;
import dev.leat.event.DimensionStatistics.Building;
import dev.leat.event.DimensionStatistics.Health;
import dev.leat.event.DimensionStatistics.Loads;
import dev.leat.event.DimensionStatistics.Lookups;
import dev.leat.event.DimensionStatistics.Served;
import dev.leat.event.DimensionStatistics.Tier;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.internal.engine.SteeredDimension;
import dev.leat.internal.index.KeyShape;
import dev.leat.internal.index.RowShape;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A strict double of the engine: rows stand in a map, versions and failures come when the test says
 * so. It fails where a caller breaks the engine's contract: a reader before the first version, from
 * another thread, or after its end; a service closed before its reader.
 */
final class FakeServices implements ServiceSource {
  private static final long serialVersionUID = 1L;

  // Not serialized: the harness uses the object that it was given, and serializes a copy for show.
  private final transient List<Handle<?, ?>> handles = new CopyOnWriteArrayList<>();
  private final transient CountDownLatch firstVersion = new CountDownLatch(1);
  private transient volatile Map<Object, List<Object>> rows = Map.of();
  private transient volatile int version;
  private transient volatile boolean waitedFor;
  private transient volatile @Nullable RuntimeException startFailure;
  private transient volatile @Nullable RuntimeException advanceFailure;

  /** Makes a version ready. */
  void publish(Map<?, ? extends List<?>> content) {
    Map<Object, List<Object>> copy = new LinkedHashMap<>();
    content.forEach((key, values) -> copy.put(key, List.copyOf(values)));
    rows = copy;
    version++;
    firstVersion.countDown();
  }

  /** Lets the first version fail. */
  void failAtStart(RuntimeException failure) {
    startFailure = failure;
    firstVersion.countDown();
  }

  /** Lets readers fail when they advance. */
  void failAtAdvance(RuntimeException failure) {
    advanceFailure = failure;
  }

  /** Whether somebody has begun to wait for the first version. */
  boolean isWaitedFor() {
    return waitedFor;
  }

  /** What was acquired, in order. */
  List<Handle<?, ?>> handles() {
    return handles;
  }

  @Override
  public <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request, ServiceEnvironment environment) {
    Handle<K, D> handle = new Handle<>(request, environment);
    handles.add(handle);
    return handle;
  }

  @Override
  public <K, D> SteeredDimension<K, D> steer(
      ServiceRequest<K, D> request, ServiceEnvironment environment) {
    throw new AssertionError("a harness has no coordinator that could steer");
  }

  /** A handle that remembers how it was used. */
  final class Handle<K, D> implements DimensionService<K, D> {
    private final ServiceRequest<K, D> request;
    private final ServiceEnvironment environment;
    private final List<Reader> readers = new ArrayList<>();
    private @Nullable DataSize hotBytes;
    private boolean closed;

    Handle(ServiceRequest<K, D> request, ServiceEnvironment environment) {
      this.request = request;
      this.environment = environment;
    }

    ServiceRequest<K, D> request() {
      return request;
    }

    ServiceEnvironment environment() {
      return environment;
    }

    boolean closed() {
      return closed;
    }

    /** What hot rows may take, if the reader was asked to keep some. */
    @Nullable DataSize hotBytes() {
      return hotBytes;
    }

    List<Reader> readers() {
      return readers;
    }

    @Override
    public void awaitFirstVersion() throws InterruptedException {
      checkOpen();
      waitedFor = true;
      firstVersion.await();
      if (startFailure != null) {
        throw startFailure;
      }
    }

    @Override
    public DimensionReader<K, D> reader() {
      checkOpen();
      if (version == 0) {
        throw new AssertionError("a reader was asked for before the first version is ready");
      }
      Reader reader = new Reader();
      readers.add(reader);
      return reader;
    }

    @Override
    public DimensionReader<K, D> reader(DataSize hotRows) {
      hotBytes = hotRows;
      return reader();
    }

    @Override
    public <A, B> DimensionReader<A, B> reader(KeyShape<A> keys, RowShape<B> rows) {
      throw new AssertionError("only SQL asks for readers by shape, and its tests use the engine");
    }

    @Override
    public DimensionStatistics statistics() {
      Map<String, Tier> tiers = new LinkedHashMap<>();
      tiers.put("local-disk", new Tier(1, 2, 3, 4, 5, 6, 7, Health.CLOSED));
      tiers.put("source", new Tier(8, 9, 10, 11, 12, 13, 14, Health.OPEN));
      return new DimensionStatistics(
          version == 0
              ? Optional.empty()
              : Optional.of(
                  new Served(
                      versionNow(),
                      Duration.ofSeconds(15),
                      rows.values().stream().mapToLong(List::size).sum(),
                      16,
                      17,
                      18,
                      19,
                      20,
                      32)),
          new Lookups(21, 22, 23),
          new Loads(
              24,
              25,
              Duration.ofMillis(26),
              27,
              28,
              29,
              30,
              31,
              Optional.of("the latest failure"),
              Optional.of("the version that is held back"),
              Optional.of("the version that is pinned"),
              33,
              34,
              Optional.of(new Building("next", 35, 36, 37, 0.25, Duration.ofMillis(13)))),
          tiers);
    }

    @Override
    public void addListener(DimensionListener listener) {
      checkOpen();
    }

    @Override
    public void close() {
      for (Reader reader : readers) {
        if (!reader.closed) {
          throw new AssertionError("the service is closed before its reader");
        }
      }
      closed = true;
    }

    private void checkOpen() {
      if (closed) {
        throw new AssertionError("the service is used after its end");
      }
    }

    /** A reader that stays at its version until it is advanced. */
    final class Reader implements DimensionReader<K, D> {
      private final Thread owner = Thread.currentThread();
      private Map<Object, List<Object>> mapped = rows;
      private int at = version;
      private int lookups;
      private boolean closed;

      int at() {
        return at;
      }

      int lookups() {
        return lookups;
      }

      boolean closed() {
        return closed;
      }

      @Override
      public boolean advance() {
        check();
        if (advanceFailure != null) {
          throw advanceFailure;
        }
        boolean moves = at != FakeServices.this.version;
        mapped = rows;
        at = FakeServices.this.version;
        return moves;
      }

      @Override
      public long hotRowHits() {
        return 32;
      }

      @Override
      public DimensionVersion version() {
        check();
        return versionNow();
      }

      @Override
      public @Nullable D find(@Nullable K key) {
        List<Object> found = lookup(key);
        return found.isEmpty() ? null : request.dimension().rowType().cast(found.get(0));
      }

      @Override
      public int findAll(@Nullable K key, Consumer<? super D> consumer) {
        List<Object> found = lookup(key);
        found.forEach(row -> consumer.accept(request.dimension().rowType().cast(row)));
        return found.size();
      }

      @Override
      public void findBatch(@Nullable K[] keys, @Nullable D[] rows, int count) {
        throw new AssertionError("the operator looks keys up one by one");
      }

      @Override
      public void close() {
        if (Thread.currentThread() != owner) {
          throw new AssertionError("the reader is closed by another thread");
        }
        closed = true;
      }

      private List<Object> lookup(@Nullable K key) {
        check();
        lookups++;
        return key == null ? List.of() : mapped.getOrDefault(requireNonNull(key), List.of());
      }

      private void check() {
        if (closed) {
          throw new AssertionError("the reader is used after its end");
        }
        if (Thread.currentThread() != owner) {
          throw new AssertionError("the reader is used by another thread");
        }
      }
    }
  }

  private DimensionVersion versionNow() {
    return new DimensionVersion("version-" + version, Instant.EPOCH);
  }
}
