package dev.leat.internal.engine;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionEvent.Origin;
import dev.leat.event.DimensionStatistics.Building;
import dev.leat.internal.engine.build.AttemptFailedException;
import dev.leat.internal.engine.build.ParallelBuild;
import dev.leat.internal.engine.repository.BuildLease;
import dev.leat.internal.engine.repository.KeptVersion;
import dev.leat.internal.engine.repository.LocalIndex;
import dev.leat.internal.engine.repository.LocalRepository;
import dev.leat.internal.engine.repository.LocalRepository.LastServed;
import dev.leat.internal.engine.repository.RemoteRepository;
import dev.leat.internal.engine.repository.RemoteRepository.Published;
import dev.leat.internal.engine.repository.VersionLock;
import dev.leat.internal.engine.source.Source;
import dev.leat.internal.engine.source.SourceReading;
import dev.leat.internal.engine.source.SourceVersion;
import dev.leat.internal.engine.source.VersionName;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.engine.tier.TierCounters;
import dev.leat.internal.index.IndexDefinition;
import dev.leat.internal.index.IndexManifest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the index of a version to the local disk, in the cheapest way: found there, fetched from a
 * remote tier, or built from the source, by one process of the host and, as far as remote tiers can
 * agree on it, by one host. Belongs to the service's thread.
 */
final class VersionLoader {
  private static final Logger LOG = LoggerFactory.getLogger(VersionLoader.class);

  private final Dimension<?, ?> dimension;
  private final DuplicateKeys duplicates;
  private final Source source;
  private final List<TierClient> tiers;
  private final List<RemoteRepository> remotes;
  private final LocalRepository local;
  private final RetainedVersions retained;
  private final TierCounters localCounters;
  private final LoadStatistics loads;
  private final EventStream events;
  private final EngineSettings settings;
  private final BooleanSupplier closed;

  VersionLoader(
      Dimension<?, ?> dimension,
      DuplicateKeys duplicates,
      Source source,
      List<TierClient> tiers,
      LocalRepository local,
      RetainedVersions retained,
      TierCounters localCounters,
      LoadStatistics loads,
      EventStream events,
      EngineSettings settings,
      BooleanSupplier closed) {
    this.dimension = dimension;
    this.duplicates = duplicates;
    this.source = source;
    this.tiers = tiers;
    this.remotes =
        tiers.stream().map(tier -> new RemoteRepository(tier, dimension.name())).toList();
    this.local = local;
    this.retained = retained;
    this.localCounters = localCounters;
    this.loads = loads;
    this.events = events;
    this.settings = settings;
    this.closed = closed;
  }

  /**
   * The tiers that failed during this load: asking them again would cost one deadline after the
   * other.
   */
  private final Set<TierClient> passedOver = new HashSet<>();

  /** An index on the local disk, and where it came from. */
  record Loaded(LocalIndex index, Origin origin) {}

  /** Gives the files of the version that is loaded; asked only where it has to be built. */
  @FunctionalInterface
  interface Files {
    /**
     * Throws {@link AttemptFailedException} of reason {@code SOURCE_CHANGED} where the source has
     * another version.
     */
    SourceVersion find() throws AttemptFailedException, InterruptedException;
  }

  /**
   * Loads a version. The lease of its building, if this host has it, is kept until {@link
   * #publish}.
   *
   * @throws AttemptFailedException of reason {@code SOURCE_CHANGED} if the source has another
   *     version by now
   */
  Loaded load(VersionName version, Files files)
      throws AttemptFailedException, InterruptedException {
    passedOver.clear();
    // Of a load whose index was never published; this host must not wait for itself.
    releaseLease();
    try (VersionLock lock = local.lock(version.id())) {
      while (true) {
        Optional<LocalIndex> ready = openReady(version);
        if (ready.isPresent()) {
          localCounters.hit();
          return new Loaded(ready.get(), Origin.REUSED);
        }
        if (lock.tryAcquire()) {
          break;
        }
        pause(settings.lockPoll());
      }
      // The former holder may have finished between the look and the lock.
      Optional<LocalIndex> ready = openReady(version);
      if (ready.isPresent()) {
        localCounters.hit();
        return new Loaded(ready.get(), Origin.REUSED);
      }
      localCounters.miss();
      return fetchOrBuild(version, files);
    } catch (IOException e) {
      throw new LeatException(
          ErrorCode.DISK_UNUSABLE,
          "Dimension '"
              + dimension.name()
              + "': cannot lock version "
              + version.id()
              + " in "
              + local.directory()
              + " ("
              + e
              + "); check the local disk tier's directory",
          e);
    }
  }

  private Optional<LocalIndex> openReady(VersionName version) {
    return openReady(version.id(), version.fingerprint());
  }

  private Optional<LocalIndex> openReady(String versionId, String fingerprint) {
    return local.openReady(
        versionId, fingerprint, reason -> damaged(versionId, "local-disk", localCounters, reason));
  }

  private void damaged(String versionId, String tier, TierCounters counters, String reason) {
    counters.damaged();
    events.announce(new DimensionEvent.IndexDamaged(dimension.name(), versionId, tier, reason));
  }

  private Loaded fetchOrBuild(VersionName version, Files files)
      throws AttemptFailedException, InterruptedException {
    Optional<LocalIndex> fetched = fetch(version);
    if (fetched.isPresent()) {
      return new Loaded(fetched.get(), Origin.FETCHED);
    }
    @Nullable Election election = elect(version);
    try {
      if (election != null && election.published()) {
        fetched = fetch(version);
        if (fetched.isPresent()) {
          return new Loaded(fetched.get(), Origin.FETCHED);
        }
      }
      LocalIndex built = build(files.find(), election == null ? null : election.renewal());
      heldLease = election;
      election = null;
      return new Loaded(built, Origin.BUILT);
    } finally {
      if (election != null) {
        election.release();
      }
    }
  }

  // ---- fetching ------------------------------------------------------------------------------

  private Optional<LocalIndex> fetch(VersionName version) throws InterruptedException {
    for (RemoteRepository remote : remotes) {
      TierClient tier = remote.tier();
      if (passedOver.contains(tier)) {
        continue;
      }
      try {
        Optional<Published> published = remote.find(version.id(), version.fingerprint());
        if (published.isEmpty()) {
          tier.counters().miss();
          continue;
        }
        LocalIndex index = fetch(remote, published.get(), version.id(), version.fingerprint());
        tier.counters().hit();
        tier.client().worked();
        return Optional.of(index);
      } catch (IOException e) {
        checkInterrupt(e);
        passedOver.add(tier);
        tier.client().fellBack(String.valueOf(e.getMessage()));
      } catch (LeatException e) {
        switch (e.errorCode()) {
          case INDEX_DAMAGED -> {
            damaged(version.id(), tier.name(), tier.counters(), String.valueOf(e.getMessage()));
            withdraw(remote, version.id());
          }
          // Written by another release; it stays for that one.
          case INDEX_FORMAT_UNSUPPORTED -> tier.counters().miss();
          default -> throw e;
        }
      }
    }
    return Optional.empty();
  }

  private LocalIndex fetch(
      RemoteRepository remote, Published published, String versionId, String fingerprint)
      throws IOException {
    local.makeRoom(published.manifest().shardBytes() + published.manifestBytes().length, versionId);
    Path directory = local.begin(versionId);
    try {
      remote.fetch(published, directory);
      local.commit(versionId, directory);
    } catch (IOException | RuntimeException e) {
      local.discard(directory);
      throw e;
    }
    return openReady(versionId, fingerprint)
        .orElseThrow(
            () ->
                new LeatException(
                    ErrorCode.INDEX_DAMAGED,
                    "Dimension '"
                        + dimension.name()
                        + "': the index of version "
                        + versionId
                        + " cannot be opened though its shards have the CRCs of its manifest"));
  }

  private void withdraw(RemoteRepository remote, String versionId) throws InterruptedException {
    try {
      remote.withdraw(versionId);
    } catch (IOException e) {
      checkInterrupt(e);
      remote.tier().client().failed("a damaged index cannot be withdrawn: " + e.getMessage());
    }
  }

  // ---- electing one builder ------------------------------------------------------------------

  private @Nullable Election heldLease;

  /** The outcome of an election: this host builds, or another has published meanwhile. */
  private final class Election {
    private final RemoteRepository remote;
    private final BuildLease lease;
    private final boolean published;
    private long lastRenewal = System.nanoTime();
    private double lastDone = -1;

    Election(RemoteRepository remote, BuildLease lease, boolean published) {
      this.remote = remote;
      this.lease = lease;
      this.published = published;
    }

    boolean published() {
      return published;
    }

    /** Renews the lease while the build goes on. */
    Renewal renewal() {
      return (done, directory) -> {
        if (System.nanoTime() - lastRenewal >= settings.leaseRenewal().toNanos()
            && done > lastDone) {
          lastRenewal = System.nanoTime();
          lastDone = done;
          try {
            lease.renew(directory);
          } catch (IOException e) {
            remote
                .tier()
                .client()
                .failed("the lease of a build cannot be renewed: " + e.getMessage());
          }
        }
      };
    }

    void release() {
      // Also where the thread was interrupted, since the service is closed: others wait for the
      // lease.
      boolean interrupted = Thread.interrupted();
      try {
        lease.release();
      } catch (IOException e) {
        // Others see it unchanged for a while and take it over.
        remote
            .tier()
            .client()
            .failed("the lease of a build cannot be given back: " + e.getMessage());
      } finally {
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  /** Is called from time to time while a build makes progress. */
  @FunctionalInterface
  private interface Renewal {
    void progress(double done, Path directory);
  }

  /**
   * Agrees with other hosts on who builds. Null where no tier can be asked: then this host builds.
   */
  private @Nullable Election elect(VersionName version) throws InterruptedException {
    for (RemoteRepository remote : remotes) {
      if (passedOver.contains(remote.tier())) {
        continue;
      }
      try {
        return elect(remote, version);
      } catch (IOException e) {
        checkInterrupt(e);
        passedOver.add(remote.tier());
        remote.tier().client().fellBack(String.valueOf(e.getMessage()));
      } catch (LeatException e) {
        if (e.errorCode() != ErrorCode.INDEX_DAMAGED
            && e.errorCode() != ErrorCode.INDEX_FORMAT_UNSUPPORTED) {
          throw e;
        }
        // Found while waiting; the fetch that follows deals with it.
        return new Election(remote, remote.lease(version.id()), true);
      }
    }
    return null;
  }

  private Election elect(RemoteRepository remote, VersionName version)
      throws IOException, InterruptedException {
    BuildLease lease = remote.lease(version.id());
    if (lease.tryAcquire()) {
      return new Election(remote, lease, false);
    }
    LOG.info(
        "Dimension '{}': another host builds version {}; waiting for it",
        dimension.name(),
        version.id());
    Optional<String> last = lease.state();
    int unchanged = 0;
    while (last.isPresent() && unchanged < settings.leasePatience()) {
      pause(settings.leasePoll());
      if (remote.find(version.id(), version.fingerprint()).isPresent()) {
        return new Election(remote, lease, true);
      }
      Optional<String> now = lease.state();
      unchanged = now.equals(last) ? unchanged + 1 : 0;
      last = now;
    }
    if (last.isEmpty()) {
      // Given back: published just now, or given up. Whoever gave up would have been able to build,
      // so all who waited build at once rather than one after the other.
      lease.tryAcquire();
      return new Election(
          remote, lease, remote.find(version.id(), version.fingerprint()).isPresent());
    }
    LOG.info(
        "Dimension '{}': the host that was building version {} makes no progress; building it here",
        dimension.name(),
        version.id());
    lease.takeOver();
    return new Election(remote, lease, false);
  }

  // ---- building ------------------------------------------------------------------------------

  private LocalIndex build(SourceVersion version, @Nullable Renewal renewal)
      throws AttemptFailedException, InterruptedException {
    SourceReading reading =
        source.reading(tiers.stream().filter(tier -> !passedOver.contains(tier)).toList());
    for (int attempt = 1; ; attempt++) {
      Path directory = local.begin(version.id());
      try (ParallelBuild build = prepare(version, reading, directory)) {
        ParallelBuild.Built built = run(build, version, directory, renewal);
        IndexManifest manifest = built.manifest();
        if (!source.look().fingerprint().equals(version.fingerprint())) {
          throw AttemptFailedException.sourceChanged(
              "the listing after the reading is not the one before it");
        }
        local.makeRoomInBudget(manifest.shardBytes(), version.id());
        local.commit(version.id(), directory);
        build.keepRecordings();
        reportReused(version, built);
        reportRejected(version, manifest);
        return openReady(version.name())
            .orElseThrow(
                () ->
                    new LeatException(
                        ErrorCode.INDEX_DAMAGED,
                        "Dimension '"
                            + dimension.name()
                            + "': the index of version "
                            + version.id()
                            + " cannot be opened right after it was built; check the disk under "
                            + local.directory()));
      } catch (AttemptFailedException e) {
        local.discard(directory);
        if (e.reason() == AttemptFailedException.Reason.SOURCE_CHANGED || attempt > tiers.size()) {
          throw e;
        }
        // A tier failed in the middle of a file. It is not asked again by this reading, so that
        // there are at most as many further attempts as tiers.
        LOG.info(
            "Dimension '{}': a tier failed in the middle of a file; reading version {} again without it",
            dimension.name(),
            version.id());
      } catch (InterruptedException | RuntimeException | Error e) {
        local.discard(directory);
        throw e;
      }
    }
  }

  private ParallelBuild prepare(SourceVersion version, SourceReading reading, Path directory) {
    IndexDefinition definition =
        new IndexDefinition(
            version.schema().columns(),
            version.schema().keyColumns(),
            duplicates,
            version.schema().requiredColumns());
    return new ParallelBuild(
        dimension.name(),
        version,
        reading,
        version.scan(),
        definition,
        dimension.malformedRows(),
        settings.threads(),
        settings.splitBytes(),
        settings.buildMemory(),
        directory.resolve("work"),
        // Whatever changes in a table of one file, all of it is parsed again.
        keys ->
            version.files().size() < 2
                ? Optional.empty()
                : local.openRecordings(version.lineage(), keys));
  }

  private ParallelBuild.Built run(
      ParallelBuild build, SourceVersion version, Path directory, @Nullable Renewal renewal)
      throws AttemptFailedException, InterruptedException {
    long begin = System.nanoTime();
    long[] lastReport = {begin};
    try {
      return build.run(
          directory,
          (rows, bytes, done) -> {
            long now = System.nanoTime();
            Duration elapsed = Duration.ofNanos(now - begin);
            loads.building(new Building(version.id(), rows, bytes, version.bytes(), done, elapsed));
            if (now - lastReport[0] >= settings.progressInterval().toNanos()) {
              lastReport[0] = now;
              events.announce(
                  new DimensionEvent.BuildProgress(
                      dimension.name(), version.id(), rows, bytes, version.bytes(), done, elapsed));
            }
            if (renewal != null) {
              renewal.progress(done, directory);
            }
          });
    } finally {
      loads.notBuilding();
    }
  }

  private void reportReused(SourceVersion version, ParallelBuild.Built built) {
    if (built.reused().splits() > 0) {
      loads.reusedRows(built.reusedFiles(), built.reused().rows());
      events.announce(
          new DimensionEvent.FilesReused(
              dimension.name(),
              version.id(),
              built.reusedFiles(),
              version.files().size(),
              built.reused().rows(),
              built.reused().bytes()));
    }
  }

  private void reportRejected(SourceVersion version, IndexManifest manifest) {
    if (manifest.rejectedRows() == 0 && manifest.unparsableCells() == 0) {
      return;
    }
    List<String> samples = new ArrayList<>();
    manifest.rejectedSamples().forEach(sample -> samples.add(text(sample)));
    manifest.unparsableSamples().forEach(sample -> samples.add(text(sample)));
    events.announce(
        new DimensionEvent.RowsRejected(
            dimension.name(),
            version.id(),
            manifest.rejectedRows(),
            manifest.unparsableCells(),
            samples));
  }

  private static String text(IndexManifest.Sample sample) {
    return sample.file()
        + " at "
        + sample.offset()
        + (sample.line() < 0 ? "" : ", line " + sample.line())
        + (sample.column().isEmpty() ? "" : ", column " + sample.column())
        + ": "
        + sample.reason();
  }

  /** Where versions are published. */
  List<RemoteRepository> remotes() {
    return remotes;
  }

  // ---- what is kept --------------------------------------------------------------------------

  /** The versions of a lineage that this host or a tier has, the oldest first. */
  List<KnownVersion> kept(String lineage) throws InterruptedException {
    Map<String, KnownVersion> kept = new HashMap<>();
    local.kept(lineage).forEach(version -> kept.put(version.name().id(), known(version)));
    for (RemoteRepository remote : remotes) {
      try {
        remote
            .kept(lineage)
            .forEach(version -> kept.putIfAbsent(version.name().id(), known(version)));
      } catch (IOException e) {
        checkInterrupt(e);
        remote.tier().client().fellBack(String.valueOf(e.getMessage()));
      }
    }
    return kept.values().stream().sorted(Comparator.comparing(KnownVersion::seen)).toList();
  }

  private static KnownVersion known(KeptVersion version) {
    return new KnownVersion(version.name().id(), version.name().fingerprint(), version.since());
  }

  // ---- publishing ----------------------------------------------------------------------------

  /**
   * Publishes an index to every remote tier that lacks it, and gives the lease of its building
   * back.
   *
   * @param quiet whether a failure was announced before and need not be again
   * @return whether all tiers have it now
   */
  boolean publish(VersionName version, LocalIndex index, boolean quiet)
      throws InterruptedException {
    boolean everywhere = true;
    try {
      for (RemoteRepository remote : remotes) {
        try {
          if (!published(remote, version)) {
            remote.publish(version.id(), index.directory());
            remote.withdrawOldVersions(
                version.lineage(), retained.of(version.lineage(), version.id()), retained.policy());
          }
          remote.tier().client().worked();
        } catch (IOException | RuntimeException e) {
          // Whatever it is, even a defect of a store: the version is served without it.
          checkInterrupt(e);
          everywhere = false;
          remote.tier().client().failed(String.valueOf(e.getMessage()));
          if (!quiet) {
            events.announce(
                new DimensionEvent.PublicationFailed(
                    dimension.name(),
                    version.id(),
                    remote.tier().name(),
                    String.valueOf(e.getMessage())));
          }
        }
      }
    } finally {
      releaseLease();
    }
    return everywhere;
  }

  // ---- what was served before ----------------------------------------------------------------

  /**
   * The rows of the version that was served before a restart: the last one that this host has seen,
   * or, on a new host, the last one that anybody has published. Empty if there is none, or if the
   * loaded one was itself served before, here or by those who published it.
   */
  OptionalLong rowsBefore(String lineage, Loaded loaded) {
    String versionId = loaded.index().versionId();
    if (loaded.origin() == Origin.FETCHED || local.lastSeen(versionId).isPresent()) {
      return OptionalLong.empty();
    }
    OptionalLong here = local.lastServedRows(lineage, versionId);
    if (here.isPresent()) {
      return here;
    }
    return lastPublished(lineage)
        .map(each -> OptionalLong.of(each.published().manifest().rows()))
        .orElse(OptionalLong.empty());
  }

  /** A version that a tier has. */
  private record PublishedIn(RemoteRepository remote, Published published, Instant when) {}

  private Optional<PublishedIn> lastPublished(String lineage) {
    for (RemoteRepository remote : remotes) {
      if (passedOver.contains(remote.tier())) {
        continue;
      }
      try {
        Optional<RemoteRepository.Latest> latest = remote.latest(lineage);
        if (latest.isPresent()) {
          return Optional.of(
              new PublishedIn(remote, latest.get().published(), latest.get().when()));
        }
      } catch (IOException e) {
        passedOver.add(remote.tier());
        remote.tier().client().fellBack(String.valueOf(e.getMessage()));
      } catch (LeatException e) {
        LOG.info(
            "Dimension '{}': the version that was published last cannot be read",
            dimension.name(),
            e);
      }
    }
    return Optional.empty();
  }

  /**
   * Maps the version that was served last: by this host or, if it has none, by those who published
   * theirs.
   */
  Optional<LastServed> lastServed(String lineage) throws InterruptedException {
    Optional<LastServed> here =
        local.openLastServed(
            lineage,
            reason ->
                LOG.warn(
                    "Dimension '{}': the index that was served before is damaged: {}",
                    dimension.name(),
                    reason));
    if (here.isPresent()) {
      return here;
    }
    Optional<PublishedIn> there = lastPublished(lineage);
    if (there.isEmpty()) {
      return Optional.empty();
    }
    RemoteRepository remote = there.get().remote();
    Published published = there.get().published();
    try {
      LocalIndex index =
          fetch(remote, published, published.versionId(), published.manifest().sourceFingerprint());
      remote.tier().counters().hit();
      local.markSeen(published.versionId(), there.get().when());
      return Optional.of(new LastServed(index, there.get().when()));
    } catch (IOException e) {
      checkInterrupt(e);
      remote.tier().client().fellBack(String.valueOf(e.getMessage()));
      return Optional.empty();
    } catch (LeatException e) {
      LOG.warn(
          "Dimension '{}': the version {} that was published last cannot be fetched",
          dimension.name(),
          published.versionId(),
          e);
      return Optional.empty();
    }
  }

  /** Whether somebody has said by hand, here or in a tier, that a version is to be served. */
  boolean accepted(String versionId) {
    if (local.accepted(versionId)) {
      return true;
    }
    for (RemoteRepository remote : remotes) {
      try {
        if (remote.accepted(versionId)) {
          return true;
        }
      } catch (IOException e) {
        remote.tier().client().failed(String.valueOf(e.getMessage()));
      }
    }
    return false;
  }

  /** Gives the lease of the last build back, if this host still has it. */
  void releaseLease() {
    Election election = heldLease;
    heldLease = null;
    if (election != null) {
      election.release();
    }
  }

  private static boolean published(RemoteRepository remote, VersionName version)
      throws IOException {
    try {
      return remote.find(version.id(), version.fingerprint()).isPresent();
    } catch (LeatException e) {
      // A damaged one is replaced.
      return e.errorCode() == ErrorCode.INDEX_FORMAT_UNSUPPORTED;
    }
  }

  // ---- waiting -------------------------------------------------------------------------------

  private void pause(Duration duration) throws InterruptedException {
    if (!closed.getAsBoolean()) {
      // Closing the service interrupts it.
      settings.storeTime().sleep(duration);
    }
    if (closed.getAsBoolean()) {
      throw new InterruptedException("the service was closed");
    }
  }

  static void checkInterrupt(Exception e) throws InterruptedException {
    if (e instanceof ClosedByInterruptException
        || (e instanceof InterruptedIOException && Thread.currentThread().isInterrupted())) {
      InterruptedException interrupted =
          new InterruptedException("interrupted in a call to a store");
      interrupted.initCause(e);
      throw interrupted;
    }
  }
}
