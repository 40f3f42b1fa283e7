package dev.leat.internal.engine;

import dev.leat.Dimension;
import dev.leat.DimensionVersion;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionEvent.Origin;
import dev.leat.event.DimensionStatistics;
import dev.leat.event.DimensionStatistics.Health;
import dev.leat.event.DimensionStatistics.Lookups;
import dev.leat.event.DimensionStatistics.Served;
import dev.leat.event.DimensionStatistics.Tier;
import dev.leat.internal.engine.VersionLoader.Loaded;
import dev.leat.internal.engine.build.AttemptFailedException;
import dev.leat.internal.engine.repository.LocalIndex;
import dev.leat.internal.engine.repository.LocalRepository;
import dev.leat.internal.engine.repository.LocalRepository.LastServed;
import dev.leat.internal.engine.source.Source;
import dev.leat.internal.engine.source.SourceErrors;
import dev.leat.internal.engine.source.SourceVersion;
import dev.leat.internal.engine.tier.StoreClient;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.engine.tier.TierCounters;
import dev.leat.internal.index.IndexManifest;
import dev.leat.spi.CacheTier;
import dev.leat.spi.RemoteTier;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
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
  private static final String LOCAL_DISK = "local-disk";
  private static final String SOURCE = "source";

  private final ServiceRequest<K, D> request;
  private final ServiceEnvironment environment;
  private final EngineSettings settings;
  private final EventStream events;
  private final Waiting clockTime;
  private final Waiting realTime = new Waiting(Clock.systemUTC());
  private final Thread thread;
  private final LoadStatistics loads = new LoadStatistics();
  private final TierCounters localCounters = new TierCounters();
  private final Set<PinnedReader<K, D>> readers = ConcurrentHashMap.newKeySet();
  private final ReaderCounters closedReaders = new ReaderCounters();
  private final Queue<ServedVersion> retired = new ConcurrentLinkedQueue<>();

  /** The age in whole milliseconds below which a version is certainly not too old. */
  private final long staleMillis;

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
  private volatile @Nullable StoreClient sourceClient;
  private volatile List<TierClient> tiers = List.of();

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
    this.staleMillis =
        request.staleness().limit().map(SharedService::saturatedMillis).orElse(Long.MAX_VALUE);
    this.thread = new Thread(this::run, "leat-" + request.dimension().name());
    thread.setDaemon(true);
  }

  private static long saturatedMillis(Duration duration) {
    return duration.compareTo(Duration.ofMillis(Long.MAX_VALUE)) > 0
        ? Long.MAX_VALUE
        : duration.toMillis();
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
    ServedVersion pinned = pinCurrent();
    try {
      PinnedReader<K, D> reader =
          new PinnedReader<>(
              this,
              pinned,
              request.dimension().keyType(),
              request.dimension().rowType(),
              request.staleness().limit().isPresent());
      readers.add(reader);
      return reader;
    } catch (RuntimeException e) {
      pinned.unpin();
      throw e;
    }
  }

  void left(PinnedReader<K, D> reader) {
    synchronized (closedReaders) {
      if (readers.remove(reader)) {
        closedReaders.addHits(reader.counters().hits());
        closedReaders.addMisses(reader.counters().misses());
        closedReaders.addNullKeys(reader.counters().nullKeys());
      }
    }
  }

  /**
   * Throws if a version is older than the staleness policy allows. Is called for each record: as
   * long as all is well it reads the clock's milliseconds and nothing else.
   */
  void checkAge(ServedVersion served) {
    if (environment.clock().millis() - served.seenMillis() < staleMillis) {
      return;
    }
    checkExactAge(served);
  }

  private void checkExactAge(ServedVersion served) {
    Duration limit = request.staleness().limit().orElse(null);
    if (limit == null) {
      return;
    }
    Instant seen = served.seen();
    Duration age = Duration.between(seen, environment.clock().instant());
    if (age.compareTo(limit) > 0) {
      throw new LeatException(
          ErrorCode.STALE,
          "Dimension '"
              + request.dimension().name()
              + "': version "
              + served.source().id()
              + " was last seen to be current at "
              + seen
              + ", "
              + age
              + " ago, and the policy is to "
              + request.staleness()
              + "; "
              + loads
                  .snapshot()
                  .latestFailure()
                  .map(message -> "the refresh fails: " + message)
                  .orElse(
                      "the source was not looked at since; the refresh interval is "
                          + request.refresh())
              + ". Repair the source, or allow a greater age with Staleness.serveForever() or failAfter(…)");
    }
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
    Optional<Served> served = Optional.ofNullable(current).map(this::served);
    Map<String, Tier> byTier = new LinkedHashMap<>();
    long localHits;
    Lookups lookups;
    synchronized (closedReaders) {
      long hits = closedReaders.hits();
      long misses = closedReaders.misses();
      long nullKeys = closedReaders.nullKeys();
      for (PinnedReader<K, D> reader : readers) {
        hits += reader.counters().hits();
        misses += reader.counters().misses();
        nullKeys += reader.counters().nullKeys();
      }
      lookups = new Lookups(hits, misses, nullKeys);
      localHits = localCounters.hits();
    }
    byTier.put(
        LOCAL_DISK,
        new Tier(
            localHits + localCounters.misses(),
            0,
            0,
            localHits,
            localCounters.misses(),
            localCounters.fallbacks(),
            localCounters.damagedIndexes(),
            Health.CLOSED));
    for (TierClient tier : tiers) {
      byTier.put(tier.name(), tier.client().statistics());
    }
    StoreClient client = sourceClient;
    if (client != null) {
      byTier.put(SOURCE, client.statistics());
    }
    return new DimensionStatistics(served, lookups, loads.snapshot(), byTier);
  }

  private Served served(ServedVersion version) {
    IndexManifest manifest = version.local().index().manifest();
    Duration age = Duration.between(version.seen(), environment.clock().instant());
    return new Served(
        version.version(),
        age,
        manifest.rows(),
        version.local().index().bytes(),
        manifest.rejectedRows(),
        manifest.unparsableCells(),
        manifest.duplicateKeys(),
        manifest.nullKeyRows());
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
    try (Clients clients = openClients()) {
      firstLoad(clients);
      while (!closing) {
        tidyUp(clients);
        BooleanSupplier asked = () -> closing || !damaged.isEmpty() || !retired.isEmpty();
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
      unmapAfterEnd();
      realTime.wake();
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
    return Duration.ofMillis((long) (saturatedMillis(interval) * factor));
  }

  private void firstLoad(Clients clients) throws InterruptedException {
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
  private Optional<ServedVersion> lastServed(Clients clients, LeatException failure) {
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
    return Optional.of(new ServedVersion(version, index, Origin.REUSED, seen, this::retire));
  }

  /**
   * Looks at the source; loads, serves and publishes a new version if there is one. Never throws
   * for what a later refresh may get past.
   */
  private void refresh(Clients clients) throws InterruptedException {
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
  private ServedVersion loadCurrent(Clients clients) throws InterruptedException {
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
        clients.local().markSeen(version.id(), seen);
        return new ServedVersion(version, loaded.index(), loaded.origin(), seen, this::retire);
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
        if (realTime.await(pause, () -> closing)) {
          throw new InterruptedException("the service was closed");
        }
        pause = pause.multipliedBy(2);
      }
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

  private void seenAgain(Clients clients, ServedVersion served, Instant when) {
    served.seenAgain(when);
    clients.local().markSeen(served.source().id(), when);
  }

  /**
   * Publishes the served version to the tiers that lack it; what fails is tried again with the next
   * refresh. A tier that failed is asked for what it should have, so that it is seen when it works
   * again.
   */
  private void publish(Clients clients, ServedVersion served) throws InterruptedException {
    boolean probe = clients.tierClients().stream().anyMatch(tier -> tier.client().degraded());
    if (publicationPending || probe) {
      boolean quiet = publicationFailed || !publicationPending;
      publicationPending = !clients.loader().publish(served.source(), served.local(), quiet);
      publicationFailed = publicationPending;
    }
  }

  private void replaceDamaged(Clients clients) throws InterruptedException {
    for (ServedVersion bad : List.copyOf(damaged)) {
      try {
        if (bad == current) {
          localCounters.damaged();
          events.announce(
              new DimensionEvent.IndexDamaged(
                  request.dimension().name(),
                  bad.source().id(),
                  LOCAL_DISK,
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

  /** Called by whoever unpins a version last. */
  private void retire(ServedVersion version) {
    retired.add(version);
    wakeThread();
    if (ended) {
      unmapAfterEnd();
    }
  }

  /** Unmaps what a reader left that outlived the service. */
  private void unmapAfterEnd() {
    for (ServedVersion version = retired.poll(); version != null; version = retired.poll()) {
      version.local().index().close();
    }
  }

  /** Unmaps versions that nobody reads any more, and removes old ones from the disk. */
  private void tidyUp(Clients clients) {
    boolean any = false;
    for (ServedVersion version = retired.poll(); version != null; version = retired.poll()) {
      unmap(clients.local(), version);
      events.announce(
          new DimensionEvent.VersionRetired(request.dimension().name(), version.source().id()));
      any = true;
    }
    ServedVersion served = current;
    if (any && served != null) {
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

  private void unmap(LocalRepository local, ServedVersion version) {
    replacementFailures.remove(version);
    version.local().index().close();
    ServedVersion served = current;
    // A replacement of a damaged index has the same version and is in use.
    if (served == null
        || served == version
        || !served.source().id().equals(version.source().id())) {
      local.release(version.local());
    }
  }

  // ---- clients -------------------------------------------------------------------------------

  /** What the thread opens and closes. */
  private record Clients(
      Source source,
      List<TierClient> tierClients,
      LocalRepository local,
      VersionLoader loader,
      SharedService<?, ?> service)
      implements AutoCloseable {

    @Override
    public void close() {
      service.closeAll(this);
    }
  }

  private Clients openClients() throws InterruptedException {
    Dimension<K, D> dimension = request.dimension();
    Map<String, String> properties = new HashMap<>(environment.properties());
    properties.putAll(dimension.storeSettings().map(StoreSettings::properties).orElse(Map.of()));
    StoreContext context = new StoreContext(properties);
    List<AutoCloseable> opened = new ArrayList<>();
    try {
      List<TierClient> tierClients = new ArrayList<>();
      LocalDisk disk = LocalDisk.defaults();
      for (CacheTier tier : request.tiers()) {
        if (tier instanceof RemoteTier remote) {
          TierClient client = openTier(remote, context);
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
      tiers = List.copyOf(tierClients);
      Path root =
          disk.directory().orElseGet(() -> environment.temporaryDirectory().resolve("leat"));
      LocalRepository local = LocalRepository.open(root, dimension.name(), disk.budget());
      opened.add(local);
      URI location = Source.locate(dimension, tierClients);
      StoreClient client = openSource(location, context);
      Source source =
          new Source(
              dimension, request.duplicates(), location, client, IndexManifest.FORMAT_VERSION);
      opened.add(source);
      sourceClient = client;
      VersionLoader loader =
          new VersionLoader(
              dimension,
              request.duplicates(),
              source,
              tierClients,
              local,
              localCounters,
              events,
              settings,
              realTime,
              () -> closing);
      return new Clients(source, tierClients, local, loader, this);
    } catch (InterruptedException | RuntimeException | Error e) {
      for (AutoCloseable each : opened) {
        closeQuietly(each, e);
      }
      throw e;
    }
  }

  private TierClient openTier(RemoteTier tier, StoreContext context) throws InterruptedException {
    try {
      return TierClient.open(tier, context, settings.tier(), settings.storeTime(), events);
    } catch (IOException e) {
      VersionLoader.checkInterrupt(e);
      throw new LeatException(
          ErrorCode.TIER_UNAVAILABLE,
          "Dimension '"
              + request.dimension().name()
              + "': the cache tier "
              + tier.tierName()
              + " cannot be opened ("
              + e.getMessage()
              + "); check its configuration",
          e);
    }
  }

  private StoreClient openSource(URI location, StoreContext context) throws InterruptedException {
    try {
      return new StoreClient(
          SOURCE,
          settings.stores().open(location, context),
          settings.source(),
          settings.storeTime(),
          events);
    } catch (IOException e) {
      throw SourceErrors.of(request.dimension().name(), location, e);
    }
  }

  private void closeAll(Clients clients) {
    // The interrupt that ended the thread must not spoil the closing, which needs channels and
    // locks.
    boolean interrupted = Thread.interrupted();
    ServedVersion served = current;
    if (served != null) {
      served.unpin();
    }
    for (ServedVersion version = retired.poll(); version != null; version = retired.poll()) {
      unmap(clients.local(), version);
    }
    clients.loader().releaseLease();
    List<AutoCloseable> all = new ArrayList<>(List.of(clients.source()));
    all.addAll(clients.tierClients());
    all.add(clients.local());
    RuntimeException failure = new RuntimeException("not all could be closed");
    for (AutoCloseable each : all) {
      closeQuietly(each, failure);
    }
    if (failure.getSuppressed().length > 0) {
      LOG.warn(
          "Dimension '{}': the service did not close as it should",
          request.dimension().name(),
          failure);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private static void closeQuietly(AutoCloseable each, Throwable into) {
    try {
      each.close();
    } catch (Exception e) {
      into.addSuppressed(e);
    }
  }

  /** The version that is served, if one is. */
  Optional<DimensionVersion> servedVersion() {
    return Optional.ofNullable(current).map(ServedVersion::version);
  }
}
