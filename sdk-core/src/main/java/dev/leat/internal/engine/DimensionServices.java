package dev.leat.internal.engine;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.event.DimensionListener;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.index.KeyShape;
import dev.leat.internal.index.RowShape;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
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
      EngineSettings settings) {}

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

  @SuppressWarnings("unchecked") // Equal requests have the same key and row classes.
  static <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request, ServiceEnvironment environment, EngineSettings settings) {
    Key key =
        new Key(
            requireNonNull(request, "request"),
            requireNonNull(environment, "environment"),
            Thread.currentThread().getContextClassLoader(),
            settings);
    synchronized (OPEN) {
      Shared<K, D> shared = (Shared<K, D>) OPEN.get(key);
      if (shared == null || shared.service.failed()) {
        shared = new Shared<>(new SharedService<>(request, environment, settings));
        OPEN.put(key, shared);
        shared.service.start();
      }
      shared.handles++;
      return new Handle<>(key, shared);
    }
  }

  private static final class Handle<K, D> implements DimensionService<K, D> {
    private final Key key;
    private final Shared<K, D> shared;
    private final AtomicBoolean closed = new AtomicBoolean();
    private final List<DimensionListener> listeners = new CopyOnWriteArrayList<>();

    Handle(Key key, Shared<K, D> shared) {
      this.key = key;
      this.shared = shared;
    }

    @Override
    public void awaitFirstVersion() throws InterruptedException {
      shared.service.awaitFirstVersion();
    }

    @Override
    public DimensionReader<K, D> reader() {
      if (closed.get()) {
        throw new IllegalStateException("this handle is closed; acquire another");
      }
      return shared.service.reader();
    }

    @Override
    public DimensionReader<K, D> reader(DataSize hotRows) {
      requireNonNull(hotRows, "hotRows");
      if (closed.get()) {
        throw new IllegalStateException("this handle is closed; acquire another");
      }
      return shared.service.reader(hotRows);
    }

    @Override
    public <A, B> DimensionReader<A, B> reader(KeyShape<A> keys, RowShape<B> rows) {
      requireNonNull(keys, "keys");
      requireNonNull(rows, "rows");
      if (closed.get()) {
        throw new IllegalStateException("this handle is closed; acquire another");
      }
      return shared.service.reader(index -> index.lookup(keys, rows));
    }

    @Override
    public DimensionStatistics statistics() {
      return shared.service.statistics();
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
}
