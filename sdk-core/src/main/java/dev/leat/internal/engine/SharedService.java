package dev.leat.internal.engine;

import dev.leat.DataSize;
import dev.leat.LeatException;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.index.HotRowCounter;
import dev.leat.internal.index.Index;
import dev.leat.internal.index.IndexLookup;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work behind all handles of equal requests: one thread that does what the {@link Watch} finds
 * due or what {@link Orders} ask for; and what readers share.
 *
 * <p>The thread owns the clients, the repository and all that is loaded. Other threads read
 * volatile fields and leave requests (an order, a damaged index, a version that its last reader has
 * left).
 */
final class SharedService<K, D> {
  private static final Logger LOG = LoggerFactory.getLogger(SharedService.class);

  private final Workplace place;
  private final ServiceRequest<K, D> request;
  private final Thread thread;
  private final ServiceStatistics statistics;
  private final AgeLimit ageLimit;
  private final Orders orders;
  private final FailedLoads failedLoads = new FailedLoads();
  private final Set<Steering> steerings = ConcurrentHashMap.newKeySet();

  /** Follows the source; null where only orders count. */
  private final @Nullable Watch watch;

  private volatile @Nullable Throwable firstFailure;
  private volatile boolean closing;
  private volatile boolean ended;

  private SharedService(
      ServiceRequest<K, D> request,
      ServiceEnvironment environment,
      EngineSettings settings,
      Following following) {
    this.request = request;
    this.place = Workplace.of(request, environment, settings);
    this.statistics =
        new ServiceStatistics(environment.clock(), place.loads(), place.localCounters());
    this.ageLimit = new AgeLimit(request, environment.clock(), place.loads());
    this.orders = new Orders(place.dimension(), place::wake);
    this.watch = following == Following.THE_SOURCE ? new Watch(place, () -> closing) : null;
    this.thread = new Thread(this::run, "leat-" + place.dimension());
    thread.setDaemon(true);
  }

  /** What decides which version is read. */
  enum Following {
    THE_SOURCE,
    ORDERS
  }

  static <K, D> SharedService<K, D> start(
      ServiceRequest<K, D> request,
      ServiceEnvironment environment,
      EngineSettings settings,
      Following following) {
    SharedService<K, D> service = new SharedService<>(request, environment, settings, following);
    service.thread.start();
    return service;
  }

  EventStream events() {
    return place.events();
  }

  // ---- for the threads of operators ----------------------------------------------------------

  /** Whether there was no beginning, so that a new service has to try. */
  boolean failed() {
    return firstFailure != null;
  }

  /** What readers follow that follow the source. */
  Track track() {
    if (watch == null) {
      throw new IllegalStateException("this service follows orders");
    }
    return watch.track();
  }

  void awaitFirstVersion() throws InterruptedException {
    Track track = track();
    place.realTime().await(() -> track.current() != null || firstFailure != null || ended);
    Throwable failure = firstFailure;
    if (failure instanceof LeatException error) {
      // A new one for each waiting thread, since a stack trace belongs to one.
      throw new LeatException(error.errorCode(), withoutCode(error), error);
    }
    if (failure != null) {
      throw new IllegalStateException(
          "Dimension '" + place.dimension() + "': the first version cannot be loaded", failure);
    }
    if (track.current() == null) {
      throw new InterruptedException(
          "the service of dimension '" + place.dimension() + "' was closed");
    }
  }

  private static String withoutCode(LeatException error) {
    String message = String.valueOf(error.getMessage());
    String prefix = error.errorCode().code() + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }

  /** A new group of readers, and what it orders. The caller closes it. */
  Steering steer() {
    Steering steering = new Steering(place, orders, failedLoads);
    steerings.add(steering);
    return steering;
  }

  void leave(Steering steering) {
    steerings.remove(steering);
    steering.close();
  }

  DimensionReader<K, D> reader(Track track) {
    return reader(
        track, index -> index.lookup(request.dimension().keyType(), request.dimension().rowType()));
  }

  /** A reader that keeps rows which are asked for often. */
  DimensionReader<K, D> reader(Track track, DataSize hotRows) {
    HotRowCounter counter = new HotRowCounter();
    return reader(
        track,
        index ->
            index.lookup(
                request.dimension().keyType(), request.dimension().rowType(), hotRows, counter),
        counter);
  }

  /** A reader that makes its lookups itself. */
  <A, B> DimensionReader<A, B> reader(Track track, Function<Index, IndexLookup<A, B>> lookups) {
    return reader(track, lookups, new HotRowCounter());
  }

  private <A, B> DimensionReader<A, B> reader(
      Track track, Function<Index, IndexLookup<A, B>> lookups, HotRowCounter hotRows) {
    ServedVersion pinned = track.pinCurrent();
    try {
      PinnedReader<A, B> reader =
          new PinnedReader<>(
              this, track, pinned, lookups, hotRows, request.staleness().limit().isPresent());
      statistics.entered(reader);
      track.follow(reader);
      return reader;
    } catch (RuntimeException e) {
      pinned.unpin();
      throw e;
    }
  }

  void left(PinnedReader<?, ?> reader, Track track) {
    track.unfollow(reader);
    statistics.left(reader);
  }

  /** Throws if a version is older than the staleness policy allows. */
  void checkAge(ServedVersion served) {
    ageLimit.check(served);
  }

  /**
   * Asks for the replacement of a version whose index was found damaged, and waits until the track
   * is at another one.
   */
  void awaitReplacement(Track track, ServedVersion served, LeatException failure) {
    LoadedVersions versions = place.versions();
    versions.reportDamage(served);
    place.wake();
    try {
      place
          .realTime()
          .await(
              () ->
                  track.current() != served
                      || versions.replacementFailure(served).isPresent()
                      || ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
    if (track.current() == served) {
      versions.replacementFailure(served).ifPresent(failure::addSuppressed);
      throw failure;
    }
  }

  /** All that is known, at the version of a track. */
  DimensionStatistics statistics(Track track) {
    return statistics.with(track.current());
  }

  /** Ends the work and waits until nothing of it is left. */
  void close() {
    closing = true;
    if (Thread.currentThread() == thread) {
      // A listener closes the last handle: the thread ends by itself when the listener returns.
      return;
    }
    thread.interrupt();
    place.wake();
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  // ---- the service's thread ------------------------------------------------------------------

  private void run() {
    Throwable end =
        new IllegalStateException(
            "the service of dimension '" + place.dimension() + "' was closed");
    try {
      ServiceClients clients = ServiceClients.open(place, () -> closing);
      statistics.opened(clients);
      VersionSupply supply = new VersionSupply(place, clients, () -> closing);
      try {
        work(supply);
      } finally {
        leave(clients);
      }
    } catch (InterruptedException e) {
      LOG.debug(
          "Dimension '{}': the service was interrupted, since it is closed", place.dimension(), e);
    } catch (RuntimeException | Error e) {
      end = e;
      if (place.versions().newest().isEmpty()) {
        firstFailure = e;
        place.loads().failed(String.valueOf(e.getMessage()));
      } else {
        LOG.error(
            "Dimension '{}': the refresh has ended because of a defect; the served version stays",
            place.dimension(),
            e);
        place.loads().failed(String.valueOf(e));
      }
    } finally {
      ended = true;
      orders.end(end);
      place.retirement().end();
      place.realTime().wake();
    }
  }

  private void work(VersionSupply supply) throws InterruptedException {
    if (watch != null) {
      watch.begin(supply);
    }
    BooleanSupplier asked =
        () ->
            closing
                || orders.pending()
                || place.versions().anyDamaged()
                || place.retirement().pending();
    while (!closing) {
      supply.tidyUp();
      Waiting.Moment due = watch == null ? null : watch.nextLook();
      boolean woken = true;
      if (due != null) {
        woken = place.clockTime().awaitUntil(due, asked);
      } else {
        place.clockTime().await(asked);
      }
      if (closing) {
        return;
      }
      if (place.versions().anyDamaged()) {
        replaceDamaged(supply);
      } else if (orders.pending()) {
        orders.carryOutNext(supply);
      } else if (!woken && watch != null) {
        watch.refresh(supply);
      }
    }
  }

  private void replaceDamaged(VersionSupply supply) throws InterruptedException {
    for (ServedVersion bad : place.versions().damaged()) {
      try {
        if (watch != null) {
          watch.replace(supply, bad);
        } else {
          replaceForSteerings(supply, bad);
        }
      } catch (LeatException e) {
        place.loads().failed(String.valueOf(e.getMessage()));
        place.versions().replacementFailed(bad, e);
      } catch (RuntimeException e) {
        // A defect of a store or a format: the lookup fails, the refresh goes on.
        LOG.error(
            "Dimension '{}': a damaged index could not be replaced, in an unforeseen way",
            place.dimension(),
            e);
        place.loads().failed(String.valueOf(e));
        place.versions().replacementFailed(bad, e);
      } finally {
        place.versions().replaced(bad);
        place.realTime().wake();
      }
    }
  }

  /** The same version anew: another one may only come by an order. */
  private void replaceForSteerings(VersionSupply supply, ServedVersion bad)
      throws InterruptedException {
    if (steerings.stream().noneMatch(steering -> steering.track().current() == bad)) {
      return;
    }
    supply.drop(bad);
    ServedVersion sound = supply.known(bad.name(), bad.seen());
    try {
      if (sound.countedNow()) {
        place.loads().loaded(sound.origin(), sound.took());
      }
      steerings.forEach(steering -> steering.replace(bad, sound));
    } finally {
      sound.unpin();
    }
  }

  /** Leaves the served version and closes the clients. */
  private void leave(ServiceClients clients) {
    // The interrupt that ended the thread must not spoil the closing, which needs channels and
    // locks.
    boolean interrupted = Thread.interrupted();
    if (watch != null) {
      watch.track().leave();
    }
    place.versions().unmapUnread(clients.local());
    clients.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
