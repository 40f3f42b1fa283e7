package dev.leat.internal.engine;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionEvent.Origin;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.engine.VersionLoader.Loaded;
import dev.leat.internal.engine.build.AttemptFailedException;
import dev.leat.internal.engine.repository.LocalIndex;
import dev.leat.internal.engine.repository.LocalRepository.LastServed;
import dev.leat.internal.engine.source.SourceVersion;
import dev.leat.internal.engine.tier.TierCounters;
import dev.leat.internal.index.HotRowCounter;
import dev.leat.internal.index.Index;
import dev.leat.internal.index.IndexLookup;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work behind all handles of equal requests: one thread that looks at the source, loads
 * versions, publishes them and swaps them in; and what readers share.
 *
 * <p>The thread owns the clients, the repository and all changes of the served version. Other
 * threads read volatile fields and leave requests (a damaged index, a version that its last reader
 * has left).
 */
final class SharedService<K, D> {
  private static final Logger LOG = LoggerFactory.getLogger(SharedService.class);

  private final ServiceRequest<K, D> request;
  private final ServiceEnvironment environment;
  private final EngineSettings settings;
  private final EventStream events;
  private final Waiting clockTime;
  private final Waiting realTime = new Waiting(Clock.systemUTC());
  private final Thread thread;
  private final LoadStatistics loads = new LoadStatistics();
  private final TierCounters localCounters = new TierCounters();
  private final ServiceStatistics statistics;
  private final AgeLimit ageLimit;
  private final Retirement retirement;

  /** The last failure to replace a damaged version. */
  private final Map<ServedVersion, Throwable> replacementFailures = new ConcurrentHashMap<>();

  private final Set<ServedVersion> damaged = ConcurrentHashMap.newKeySet();

  /**
   * The version for readers that advance. Assigned when everything of the version is ready, and
   * nothing of it changes later but the time at which it was seen.
   */
  private volatile @Nullable ServedVersion current;

  private volatile @Nullable Throwable firstFailure;
  private volatile boolean closing;
  private volatile boolean ended;

  /** When the source is looked at next; null for never. */
  private Waiting.@Nullable Moment nextLook;

  private boolean publicationPending;
  private boolean publicationFailed;

  SharedService(
      ServiceRequest<K, D> request, ServiceEnvironment environment, EngineSettings settings) {
    this.request = request;
    this.environment = environment;
    this.settings = settings;
    this.events = new EventStream(request.dimension().name());
    this.clockTime = new Waiting(environment.clock());
    this.statistics = new ServiceStatistics(environment.clock(), loads, localCounters);
    this.ageLimit = new AgeLimit(request, environment.clock(), loads);
    this.retirement = new Retirement(request.dimension().name(), this::wakeThread);
    this.thread = new Thread(this::run, "leat-" + request.dimension().name());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  EventStream events() {
    return events;
  }

  // ---- for the threads of operators ----------------------------------------------------------

  @Nullable ServedVersion current() {
    return current;
  }

  /** Whether the first version could not be loaded, so that a new service has to try. */
  boolean failed() {
    return firstFailure != null;
  }

  void awaitFirstVersion() throws InterruptedException {
    realTime.await(() -> current != null || firstFailure != null || ended);
    Throwable failure = firstFailure;
    if (failure instanceof LeatException error) {
      // A new one for each waiting thread, since a stack trace belongs to one.
      throw new LeatException(error.errorCode(), withoutCode(error), error);
    }
    if (failure != null) {
      throw new IllegalStateException(
          "Dimension '" + request.dimension().name() + "': the first version cannot be loaded",
          failure);
    }
    if (current == null) {
      throw new InterruptedException(
          "the service of dimension '" + request.dimension().name() + "' was closed");
    }
  }

  private static String withoutCode(LeatException error) {
    String message = String.valueOf(error.getMessage());
    String prefix = error.errorCode().code() + ": ";
    return message.startsWith(prefix) ? message.substring(prefix.length()) : message;
  }

  ServedVersion pinCurrent() {
    while (true) {
      ServedVersion candidate = current;
      if (candidate == null) {
        throw new IllegalStateException(
            "Dimension '"
                + request.dimension().name()
                + "' has no version yet; call awaitFirstVersion() before");
      }
      if (candidate.pin()) {
        return candidate;
      }
      if (ended) {
        throw new IllegalStateException(
            "the service of dimension '" + request.dimension().name() + "' is closed");
      }
    }
  }

  DimensionReader<K, D> reader() {
    return reader(
        index -> index.lookup(request.dimension().keyType(), request.dimension().rowType()));
  }

  /** A reader that keeps rows which are asked for often. */
  DimensionReader<K, D> reader(DataSize hotRows) {
    HotRowCounter counter = new HotRowCounter();
    return reader(
        index ->
            index.lookup(
                request.dimension().keyType(), request.dimension().rowType(), hotRows, counter),
        counter);
  }

  /** A reader that makes its lookups itself. */
  <A, B> DimensionReader<A, B> reader(Function<Index, IndexLookup<A, B>> lookups) {
    return reader(lookups, new HotRowCounter());
  }

  private <A, B> DimensionReader<A, B> reader(
      Function<Index, IndexLookup<A, B>> lookups, HotRowCounter hotRows) {
    ServedVersion pinned = pinCurrent();
    try {
      PinnedReader<A, B> reader =
          new PinnedReader<>(
              this, pinned, lookups, hotRows, request.staleness().limit().isPresent());
      statistics.entered(reader);
      return reader;
    } catch (RuntimeException e) {
      pinned.unpin();
      throw e;
    }
  }

  void left(PinnedReader<?, ?> reader) {
    statistics.left(reader);
  }

  /** Throws if a version is older than the staleness policy allows. */
  void checkAge(ServedVersion served) {
    ageLimit.check(served);
  }

  /**
   * Asks for the replacement of a version whose index was found damaged, and waits until another is
   * served.
   */
  void awaitReplacement(ServedVersion served, LeatException failure) {
    replacementFailures.remove(served);
    damaged.add(served);
    wakeThread();
    try {
      realTime.await(() -> current != served || replacementFailures.containsKey(served) || ended);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw failure;
    }
    if (current == served) {
      Throwable cause = replacementFailures.get(served);
      if (cause != null) {
        failure.addSuppressed(cause);
      }
      throw failure;
    }
  }

  DimensionStatistics statistics() {
    return statistics.with(current);
  }

  /** Ends the work and waits until nothing of it is left. */
  void close() {
    closing = true;
    if (Thread.currentThread() == thread) {
      // A listener closes the last handle: the thread ends by itself when the listener returns.
      return;
    }
    thread.interrupt();
    wakeThread();
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

  private void wakeThread() {
    clockTime.wake();
    realTime.wake();
  }

  // ---- the service's thread ------------------------------------------------------------------

  private void run() {
    try {
      ServiceClients clients =
          ServiceClients.open(
              request, environment, settings, localCounters, loads, events, () -> closing);
      statistics.opened(clients);
      try {
        work(clients);
      } finally {
        leave(clients);
      }
    } catch (InterruptedException e) {
      LOG.debug(
          "Dimension '{}': the service was interrupted, since it is closed",
          request.dimension().name(),
          e);
    } catch (RuntimeException | Error e) {
      if (current == null) {
        firstFailure = e;
        loads.failed(String.valueOf(e.getMessage()));
      } else {
        LOG.error(
            "Dimension '{}': the refresh has ended because of a defect; the served version stays",
            request.dimension().name(),
            e);
        loads.failed(String.valueOf(e));
      }
    } finally {
      ended = true;
      retirement.end();
      realTime.wake();
    }
  }

  private void work(ServiceClients clients) throws InterruptedException {
    firstLoad(clients);
    while (!closing) {
      tidyUp(clients);
      BooleanSupplier asked = () -> closing || !damaged.isEmpty() || retirement.pending();
      Waiting.Moment due = nextLook;
      boolean woken = true;
      if (due != null) {
        woken = clockTime.awaitUntil(due, asked);
      } else {
        clockTime.await(asked);
      }
      if (!damaged.isEmpty()) {
        replaceDamaged(clients);
      } else if (!woken && !closing) {
        refresh(clients);
      }
    }
  }

  /**
   * Says that a look at the source has ended. Comes before the outcome is made visible, so that
   * whoever sees the outcome knows that the time to the next look is running.
   */
  private void lookEnded() {
    double share = request.refresh().jitter();
    double factor = share == 0 ? 1 : 1 + share * (2 * ThreadLocalRandom.current().nextDouble() - 1);
    nextLook =
        request
            .refresh()
            .interval()
            .map(interval -> clockTime.in(scaled(interval, factor)))
            .orElse(null);
  }

  private static Duration scaled(Duration interval, double factor) {
    return Duration.ofMillis((long) (AgeLimit.saturatedMillis(interval) * factor));
  }

  private void firstLoad(ServiceClients clients) throws InterruptedException {
    Instant begin = environment.clock().instant();
    ServedVersion first;
    try {
      first = loadCurrent(clients);
    } catch (LeatException e) {
      Optional<ServedVersion> last = lastServed(clients, e);
      if (last.isEmpty()) {
        throw e;
      }
      lookEnded();
      activate(last.get(), begin);
      refreshFailed(e.errorCode(), String.valueOf(e.getMessage()));
      return;
    }
    lookEnded();
    activate(first, begin);
    publish(clients, first);
  }

  /**
   * The version that was served before a restart, while the source cannot be asked for its present
   * one: an outage of the source that a running job would have got over must not keep a restarted
   * one from starting. It is as old as the source was last seen to have it.
   */
  private Optional<ServedVersion> lastServed(ServiceClients clients, LeatException failure) {
    boolean outage =
        failure.errorCode() == ErrorCode.SOURCE_UNREADABLE
            || failure.errorCode() == ErrorCode.SOURCE_TIMEOUT;
    if (!outage || request.refresh().interval().isEmpty()) {
      return Optional.empty();
    }
    Optional<String> lineage = clients.source().lineage();
    if (lineage.isEmpty()) {
      return Optional.empty();
    }
    Optional<LastServed> last =
        clients
            .local()
            .openLastServed(
                lineage.get(),
                reason ->
                    LOG.warn(
                        "Dimension '{}': the index that was served before is damaged: {}",
                        request.dimension().name(),
                        reason));
    if (last.isEmpty()) {
      return Optional.empty();
    }
    LocalIndex index = last.get().index();
    Instant seen = last.get().seen();
    Optional<Duration> limit = request.staleness().limit();
    if (limit.isPresent() && seen.plus(limit.get()).isBefore(environment.clock().instant())) {
      index.index().close();
      clients.local().release(index);
      return Optional.empty();
    }
    SourceVersion version =
        clients.source().remembered(lineage.get(), index.index().manifest().sourceFingerprint());
    return Optional.of(
        new ServedVersion(version, index, Origin.REUSED, seen, retirement::handOver));
  }

  /**
   * Looks at the source; loads, serves and publishes a new version if there is one. Never throws
   * for what a later refresh may get past.
   */
  private void refresh(ServiceClients clients) throws InterruptedException {
    ServedVersion served = current;
    if (served == null) {
      throw new IllegalStateException("there is nothing to refresh before the first version");
    }
    try {
      Instant begin = environment.clock().instant();
      SourceVersion found = clients.source().look();
      clients.source().client().worked();
      if (found.fingerprint().equals(served.source().fingerprint())) {
        seenAgain(clients, served, begin);
        lookEnded();
        loads.unchanged();
        succeeded(served);
        events.announce(
            new DimensionEvent.SourceUnchanged(request.dimension().name(), served.version()));
        publish(clients, served);
      } else {
        ServedVersion next = loadCurrent(clients);
        lookEnded();
        activate(next, begin);
        succeeded(next);
        publish(clients, next);
      }
    } catch (LeatException e) {
      if (closing) {
        return;
      }
      refreshFailed(e.errorCode(), String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      if (closing) {
        return;
      }
      // A defect of a store or a format must not end the refresh either.
      LOG.error(
          "Dimension '{}': the refresh failed in an unforeseen way", request.dimension().name(), e);
      refreshFailed(ErrorCode.SOURCE_UNREADABLE, String.valueOf(e));
    }
  }

  private void refreshFailed(ErrorCode code, String message) {
    lookEnded();
    int failures = loads.failed(message);
    events.announce(
        new DimensionEvent.RefreshFailed(request.dimension().name(), code, message, failures));
  }

  private void succeeded(ServedVersion served) {
    int failures = loads.succeeded();
    if (failures > 0) {
      events.announce(
          new DimensionEvent.RefreshRecovered(
              request.dimension().name(), served.version(), failures));
    }
  }

  /**
   * Loads the version that the source has now, again and again while it changes during the loading.
   */
  private ServedVersion loadCurrent(ServiceClients clients) throws InterruptedException {
    Duration pause = settings.firstPause();
    for (int attempt = 1; ; attempt++) {
      Instant seen = environment.clock().instant();
      SourceVersion version = clients.source().look();
      ServedVersion served = current;
      if (served != null
          && version.fingerprint().equals(served.source().fingerprint())
          && !damaged.contains(served)) {
        // It changed back to what is served.
        served.seenAgain(seen);
        return served;
      }
      try {
        Loaded loaded = clients.loader().load(version);
        markSeen(clients, loaded, seen);
        return new ServedVersion(
            version, loaded.index(), loaded.origin(), seen, retirement::handOver);
      } catch (AttemptFailedException e) {
        events.announce(
            new DimensionEvent.SourceChangedWhileReading(
                request.dimension().name(), version.id(), attempt));
        if (attempt == settings.attempts()) {
          throw new LeatException(
              ErrorCode.SOURCE_CHANGING,
              "Dimension '"
                  + request.dimension().name()
                  + "': the source "
                  + version.location()
                  + " changed in each of "
                  + attempt
                  + " attempts to read it; publish new versions of the table as a whole, or less often",
              e);
        }
        settings.storeTime().sleep(pause);
        if (closing) {
          throw new InterruptedException("the service was closed");
        }
        pause = pause.multipliedBy(2);
      }
    }
  }

  private static void markSeen(ServiceClients clients, Loaded loaded, Instant seen) {
    try {
      clients.local().markSeen(loaded.index().versionId(), seen);
    } catch (LeatException e) {
      loaded.index().index().close();
      clients.local().release(loaded.index());
      throw e;
    }
  }

  private void activate(ServedVersion next, Instant begin) {
    ServedVersion before = current;
    if (before == next) {
      return;
    }
    Duration took = Duration.between(begin, environment.clock().instant());
    loads.loaded(next.origin(), took);
    publicationPending = true;
    publicationFailed = false;
    // The one write that swaps the version: all that a reader needs of it was written before.
    current = next;
    realTime.wake();
    events.announce(
        new DimensionEvent.VersionActivated(
            request.dimension().name(),
            next.version(),
            next.origin(),
            next.local().index().manifest().rows(),
            next.local().index().bytes(),
            took));
    if (before != null) {
      before.unpin();
    }
  }

  private void seenAgain(ServiceClients clients, ServedVersion served, Instant when) {
    served.seenAgain(when);
    clients.local().markSeen(served.source().id(), when);
  }

  /**
   * Publishes the served version to the tiers that lack it; what fails is tried again with the next
   * refresh. A tier that failed is asked for what it should have, so that it is seen when it works
   * again.
   */
  private void publish(ServiceClients clients, ServedVersion served) throws InterruptedException {
    boolean probe = clients.tiers().stream().anyMatch(tier -> tier.client().degraded());
    if (publicationPending || probe) {
      boolean quiet = publicationFailed || !publicationPending;
      publicationPending = !clients.loader().publish(served.source(), served.local(), quiet);
      publicationFailed = publicationPending;
    }
  }

  private void replaceDamaged(ServiceClients clients) throws InterruptedException {
    for (ServedVersion bad : List.copyOf(damaged)) {
      try {
        if (bad == current) {
          localCounters.damaged();
          events.announce(
              new DimensionEvent.IndexDamaged(
                  request.dimension().name(),
                  bad.source().id(),
                  ServiceStatistics.LOCAL_DISK,
                  "a lookup found a block that does not have its checksum"));
          clients.local().drop(bad.local());
          Instant begin = environment.clock().instant();
          ServedVersion next = loadCurrent(clients);
          activate(next, begin);
          publish(clients, next);
        }
      } catch (LeatException e) {
        loads.failed(String.valueOf(e.getMessage()));
        replacementFailures.put(bad, e);
      } catch (RuntimeException e) {
        // A defect of a store or a format: the lookup fails, the refresh goes on.
        LOG.error(
            "Dimension '{}': a damaged index could not be replaced, in an unforeseen way",
            request.dimension().name(),
            e);
        loads.failed(String.valueOf(e));
        replacementFailures.put(bad, e);
      } finally {
        damaged.remove(bad);
        realTime.wake();
      }
    }
  }

  /** Unmaps versions that nobody reads any more, and removes old ones from the disk. */
  private void tidyUp(ServiceClients clients) {
    ServedVersion served = current;
    List<ServedVersion> unmapped = retirement.unmap(clients.local(), served);
    for (ServedVersion version : unmapped) {
      replacementFailures.remove(version);
      events.announce(
          new DimensionEvent.VersionRetired(request.dimension().name(), version.source().id()));
    }
    if (!unmapped.isEmpty() && served != null) {
      try {
        clients.local().removeOldVersions(served.source().lineage(), served.source().id());
      } catch (LeatException e) {
        LOG.warn(
            "Dimension '{}': old versions cannot be removed; it is tried again after the next one",
            request.dimension().name(),
            e);
      }
    }
  }

  /** Leaves the served version and closes the clients. */
  private void leave(ServiceClients clients) {
    // The interrupt that ended the thread must not spoil the closing, which needs channels and
    // locks.
    boolean interrupted = Thread.interrupted();
    ServedVersion served = current;
    if (served != null) {
      served.unpin();
    }
    retirement.unmap(clients.local(), served);
    clients.close();
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
