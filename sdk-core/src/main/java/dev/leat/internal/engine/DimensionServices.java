package dev.leat.internal.engine;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.DimensionVersion;
import dev.leat.VersionGone;
import dev.leat.event.DimensionListener;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.engine.SharedService.Following;
import dev.leat.internal.index.KeyShape;
import dev.leat.internal.index.RowShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where operators get the service of a dimension. Services of equal requests in equal environments
 * and of one class loader are shared and counted; nothing is left after the last one is closed.
 */
public final class DimensionServices {
  /** Empty while no service is open. */
  private static final Map<Key, Shared<?, ?>> OPEN = new HashMap<>();

  private DimensionServices() {}

  /**
   * The class loader is the one of the job: providers are found with it, so that two jobs do not
   * share what they find.
   */
  private record Key(
      ServiceRequest<?, ?> request,
      ServiceEnvironment environment,
      @Nullable ClassLoader loader,
      EngineSettings settings,
      Following following) {}

  /** A service and the number of its handles. Guarded by {@link #OPEN}. */
  private static final class Shared<K, D> {
    private final SharedService<K, D> service;
    private int handles;

    Shared(SharedService<K, D> service) {
      this.service = service;
    }
  }

  /**
   * A handle to the service of a request, which begins to work if it is the first. Does not wait
   * for the first version. The caller closes it.
   *
   * <p>After a first version that could not be loaded, the next call tries anew, even while handles
   * of the failed service are still open.
   */
  public static <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request, ServiceEnvironment environment) {
    return acquire(request, environment, SharedDefaults.SETTINGS);
  }

  /** The defaults, one object so that equal requests have equal keys. */
  private static final class SharedDefaults {
    private static final EngineSettings SETTINGS = EngineSettings.defaults();
  }

  static <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request, ServiceEnvironment environment, EngineSettings settings) {
    return enter(
        key(request, environment, settings, Following.THE_SOURCE), request, SourceHandle::new);
  }

  /**
   * A handle to the dimension of a request that loads nothing until it is told to. The caller
   * closes it.
   */
  public static <K, D> SteeredDimension<K, D> steer(
      ServiceRequest<K, D> request, ServiceEnvironment environment) {
    return steer(request, environment, SharedDefaults.SETTINGS);
  }

  static <K, D> SteeredDimension<K, D> steer(
      ServiceRequest<K, D> request, ServiceEnvironment environment, EngineSettings settings) {
    return enter(
        key(request, environment, settings, Following.ORDERS), request, SteeredHandle::new);
  }

  private static Key key(
      ServiceRequest<?, ?> request,
      ServiceEnvironment environment,
      EngineSettings settings,
      Following following) {
    return new Key(
        requireNonNull(request, "request"),
        requireNonNull(environment, "environment"),
        Thread.currentThread().getContextClassLoader(),
        settings,
        following);
  }

  @SuppressWarnings("unchecked") // Equal requests have the same key and row classes.
  private static <K, D, H> H enter(
      Key key, ServiceRequest<K, D> request, BiFunction<Key, Shared<K, D>, H> handle) {
    synchronized (OPEN) {
      Shared<K, D> shared = (Shared<K, D>) OPEN.get(key);
      if (shared == null || shared.service.failed()) {
        shared =
            new Shared<>(
                SharedService.start(request, key.environment(), key.settings(), key.following()));
        OPEN.put(key, shared);
      }
      shared.handles++;
      return handle.apply(key, shared);
    }
  }

  /** What both kinds of handles do. */
  private abstract static class Handle<K, D> implements ServedDimension<K, D> {
    private final Key key;
    private final Shared<K, D> shared;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<DimensionListener> listeners = new CopyOnWriteArrayList<>();

    Handle(Key key, Shared<K, D> shared) {
      this.key = key;
      this.shared = shared;
    }

    /** What the readers of this handle follow. */
    abstract Track track();

    /** Gives back what this handle alone has, before the service may end. */
    abstract void leave();

    SharedService<K, D> service() {
      return shared.service;
    }

    SharedService<K, D> openService() {
      if (closed.get()) {
        throw new IllegalStateException("this handle is closed; acquire another");
      }
      return shared.service;
    }

    @Override
    public DimensionReader<K, D> reader() {
      return openService().reader(track());
    }

    @Override
    public DimensionReader<K, D> reader(DataSize hotRows) {
      requireNonNull(hotRows, "hotRows");
      return openService().reader(track(), hotRows);
    }

    @Override
    public DimensionStatistics statistics() {
      return shared.service.statistics(track());
    }

    @Override
    public void addListener(DimensionListener listener) {
      listeners.add(requireNonNull(listener, "listener"));
      shared.service.events().add(listener);
    }

    @Override
    public void close() {
      if (!closed.compareAndSet(false, true)) {
        return;
      }
      listeners.forEach(shared.service.events()::remove);
      leave();
      boolean last;
      synchronized (OPEN) {
        shared.handles--;
        last = shared.handles == 0;
        if (last) {
          OPEN.remove(key, shared);
        }
      }
      if (last) {
        shared.service.close();
      }
    }
  }

  private static final class SourceHandle<K, D> extends Handle<K, D>
      implements DimensionService<K, D> {
    SourceHandle(Key key, Shared<K, D> shared) {
      super(key, shared);
    }

    @Override
    Track track() {
      return service().track();
    }

    @Override
    void leave() {
      // The track belongs to all handles.
    }

    @Override
    public void awaitFirstVersion() throws InterruptedException {
      service().awaitFirstVersion();
    }

    @Override
    public <A, B> DimensionReader<A, B> reader(KeyShape<A> keys, RowShape<B> rows) {
      requireNonNull(keys, "keys");
      requireNonNull(rows, "rows");
      return openService().reader(track(), index -> index.lookup(keys, rows));
    }
  }

  private static final class SteeredHandle<K, D> extends Handle<K, D>
      implements SteeredDimension<K, D> {
    private final Steering steering;

    SteeredHandle(Key key, Shared<K, D> shared) {
      super(key, shared);
      this.steering = shared.service.steer();
    }

    @Override
    Track track() {
      return steering.track();
    }

    @Override
    void leave() {
      service().leave(steering);
    }

    @Override
    public CompletableFuture<KnownVersion> loadFirst() {
      return steering.loadFirst();
    }

    @Override
    public CompletableFuture<KnownVersion> restore(KnownVersion version, VersionGone policy) {
      return steering.restore(requireNonNull(version, "version"), requireNonNull(policy, "policy"));
    }

    @Override
    public CompletableFuture<KnownVersion> look() {
      return steering.look();
    }

    @Override
    public CompletableFuture<KnownVersion> prepare(KnownVersion version) {
      return steering.prepare(requireNonNull(version, "version"));
    }

    @Override
    public DimensionVersion activate(String versionId) {
      return steering.activate(requireNonNull(versionId, "versionId"));
    }

    @Override
    public void release(String versionId) {
      steering.release(requireNonNull(versionId, "versionId"));
    }

    @Override
    public void seen(KnownVersion version) {
      steering.seen(requireNonNull(version, "version"));
    }
  }
}
