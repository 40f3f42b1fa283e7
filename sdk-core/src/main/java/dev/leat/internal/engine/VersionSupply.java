package dev.leat.internal.engine;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.VersionGone;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionEvent.Origin;
import dev.leat.internal.engine.VersionLoader.Loaded;
import dev.leat.internal.engine.build.AttemptFailedException;
import dev.leat.internal.engine.repository.LocalIndex;
import dev.leat.internal.engine.repository.LocalRepository.LastServed;
import dev.leat.internal.engine.source.SourceVersion;
import dev.leat.internal.engine.source.VersionName;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives versions of the dimension, mapped and pinned for whoever asks: the one that the source has
 * now, one of a given name, the one that was served before a restart. Says nothing about who reads
 * which. Belongs to the service's thread.
 */
final class VersionSupply {
  private static final Logger LOG = LoggerFactory.getLogger(VersionSupply.class);

  /** How many first pauses a store has to show files that its listing lacks. */
  private static final int DOUBT_PAUSES = 4;

  private final Workplace place;
  private final ServiceClients clients;
  private final BooleanSupplier closing;
  private final Publication publication;
  private final VanishedFiles vanishedFiles = new VanishedFiles();
  private boolean lookedSinceTidying;
  private Optional<String> lastPin = Optional.empty();

  VersionSupply(Workplace place, ServiceClients clients, BooleanSupplier closing) {
    this.place = place;
    this.clients = clients;
    this.closing = closing;
    this.publication = new Publication(clients);
  }

  /**
   * Looks which version is wanted now: the pinned one, or the one that the source has. Files that
   * are gone are looked for once more after a pause.
   */
  Sight look() throws InterruptedException {
    lookedSinceTidying = true;
    Optional<VersionName> pinned = pinned();
    if (pinned.isPresent()) {
      return new Sight(pinned.get(), Optional.empty());
    }
    SourceVersion found = clients.source().look();
    if (vanishedFiles.doubts(found)) {
      place.settings().storeTime().sleep(place.settings().firstPause().multipliedBy(DOUBT_PAUSES));
      found = clients.source().look();
    }
    clients.source().client().worked();
    return new Sight(found.name(), Optional.of(found));
  }

  private Optional<VersionName> pinned() throws InterruptedException {
    Optional<String> id = clients.pins().find();
    if (!id.equals(lastPin)) {
      lastPin = id;
      place.loads().pinned(id);
      place.announce(new DimensionEvent.PinChanged(place.dimension(), id));
    }
    if (id.isEmpty()) {
      return Optional.empty();
    }
    Optional<ServedVersion> mapped = place.versions().find(id.get());
    if (mapped.isPresent()) {
      return Optional.of(mapped.get().name());
    }
    List<KnownVersion> kept =
        clients.loader().kept(id.get().substring(0, VersionName.LINEAGE_DIGITS));
    return Optional.of(
        kept.stream()
            .filter(version -> version.id().equals(id.get()))
            .map(version -> new VersionName(version.id(), version.fingerprint()))
            .findFirst()
            .orElseThrow(
                () ->
                    clients
                        .pins()
                        .unknown(id.get(), kept.stream().map(KnownVersion::id).toList())));
  }

  /** A look has shown that the source still has the version that is served. */
  void unchanged(Sight found) {
    found.source().ifPresent(vanishedFiles::loaded);
    clients.gate().nothingHeld();
  }

  /**
   * Refuses a version that a look has shown if it was loaded before and is held back.
   *
   * @throws LeatException {@code VERSION_HELD_BACK}
   */
  void checkHeld(Sight found) {
    // Whoever pins a version has seen it.
    found.source().ifPresent(version -> clients.gate().checkHeld(version.id()));
  }

  /**
   * The version that is wanted now. That of the source is loaded again and again while the source
   * changes during the loading.
   *
   * @param served the version that it is to follow, or null at the start
   * @throws LeatException {@code VERSION_HELD_BACK} and others
   */
  ServedVersion current(@Nullable ServedVersion served) throws InterruptedException {
    Optional<VersionName> pinned = pinned();
    return pinned.isPresent() ? known(pinned.get(), place.now()) : ofSource(served);
  }

  private ServedVersion ofSource(@Nullable ServedVersion served) throws InterruptedException {
    Duration pause = place.settings().firstPause();
    for (int attempt = 1; ; attempt++) {
      Instant seen = place.now();
      SourceVersion version = clients.source().look();
      try {
        ServedVersion loaded =
            load(
                version.name(), seen, () -> version, index -> admit(version.name(), index, served));
        vanishedFiles.loaded(version);
        return loaded;
      } catch (AttemptFailedException e) {
        place.announce(
            new DimensionEvent.SourceChangedWhileReading(place.dimension(), version.id(), attempt));
        if (attempt == place.settings().attempts()) {
          throw new LeatException(
              ErrorCode.SOURCE_CHANGING,
              "Dimension '"
                  + place.dimension()
                  + "': the source "
                  + version.location()
                  + " changed in each of "
                  + attempt
                  + " attempts to read it; publish new versions of the table as a whole, or less often",
              e);
        }
        place.settings().storeTime().sleep(pause);
        if (closing.getAsBoolean()) {
          throw new InterruptedException("the service was closed");
        }
        pause = pause.multipliedBy(2);
      }
    }
  }

  /**
   * The version of a name, whatever the source has now: found on the local disk or fetched; built
   * only where the source still has it.
   *
   * @param seen when the source was seen to have it
   * @param served the version that it is to follow, or null at the start
   * @throws LeatException {@code VERSION_GONE} if it is neither here nor there, {@code
   *     VERSION_HELD_BACK}
   */
  ServedVersion named(VersionName name, Instant seen, @Nullable ServedVersion served)
      throws InterruptedException {
    try {
      return named(name, seen, index -> admit(name, index, served));
    } catch (LeatException e) {
      boolean pinned =
          e.errorCode() == ErrorCode.VERSION_HELD_BACK
              && clients.pins().find().filter(name.id()::equals).isPresent();
      if (!pinned) {
        throw e;
      }
      return known(name, seen);
    }
  }

  private void admit(VersionName name, Loaded loaded, @Nullable ServedVersion served) {
    clients
        .gate()
        .pass(
            name.lineage(),
            loaded,
            served == null
                ? OptionalLong.empty()
                : OptionalLong.of(served.local().index().manifest().rows()));
  }

  /**
   * The same for a version that was served before, which no guard keeps from being served again.
   */
  ServedVersion known(VersionName name, Instant seen) throws InterruptedException {
    return named(name, seen, index -> {});
  }

  private ServedVersion named(VersionName name, Instant seen, Consumer<Loaded> admission)
      throws InterruptedException {
    try {
      return load(
          name,
          seen,
          () -> {
            SourceVersion now = clients.source().look();
            if (!now.name().equals(name)) {
              throw AttemptFailedException.sourceChanged("the source has version " + now.id());
            }
            return now;
          },
          admission);
    } catch (AttemptFailedException e) {
      throw gone(name, e);
    }
  }

  /**
   * The version of a checkpoint. Where the dimension is defined in another way by now, its versions
   * have other rows in any case, and the one that the source has is taken.
   */
  ServedVersion restored(VersionName name, Instant seen, VersionGone policy)
      throws InterruptedException {
    Optional<String> lineage = clients.source().lineage();
    String now = lineage.isPresent() ? lineage.get() : clients.source().look().lineage();
    if (!now.equals(name.lineage())) {
      LOG.warn(
          "Dimension '{}': the state is of version {}, of another definition of the dimension; the"
              + " source's present version is taken",
          place.dimension(),
          name.id());
      return current(null);
    }
    try {
      return known(name, seen);
    } catch (LeatException e) {
      if (e.errorCode() != ErrorCode.VERSION_GONE || policy == VersionGone.FAIL) {
        throw e;
      }
      ServedVersion newer = nearestNewer(name, seen);
      LOG.warn(
          "Dimension '{}': version {} of the state is gone, and version {} takes its place, as the"
              + " policy allows: replayed events may meet other rows than before",
          place.dimension(),
          name.id(),
          newer.id());
      return newer;
    }
  }

  /** The version that the source was seen to have next after a moment, of those that are kept. */
  private ServedVersion nearestNewer(VersionName name, Instant seen) throws InterruptedException {
    for (KnownVersion kept : clients.loader().kept(name.lineage())) {
      if (kept.seen().isAfter(seen) && !kept.id().equals(name.id())) {
        try {
          return known(new VersionName(kept.id(), kept.fingerprint()), kept.seen());
        } catch (LeatException e) {
          if (e.errorCode() != ErrorCode.VERSION_GONE) {
            throw e;
          }
          LOG.info(
              "Dimension '{}': version {} has just been removed, too",
              place.dimension(),
              kept.id());
        }
      }
    }
    return current(null);
  }

  private LeatException gone(VersionName name, AttemptFailedException cause) {
    return new LeatException(
        ErrorCode.VERSION_GONE,
        "Dimension '"
            + place.dimension()
            + "': version "
            + name.id()
            + " is not on the local disk and not published in a tier, and cannot be built any more ("
            + cause.getMessage()
            + "); start the job from a newer checkpoint or savepoint, bring the version back to the"
            + " source, keep more versions with retaining(VersionRetention…), or allow a newer one with"
            + " whenVersionGone(VersionGone.USE_NEWER)",
        cause);
  }

  private ServedVersion load(
      VersionName name, Instant seen, VersionLoader.Files files, Consumer<Loaded> admission)
      throws AttemptFailedException, InterruptedException {
    Optional<ServedVersion> mapped = place.versions().pin(name);
    if (mapped.isPresent()) {
      if (seen.isAfter(mapped.get().seen())) {
        mapped.get().seenAgain(seen);
      }
      return mapped.get();
    }
    Instant begin = place.now();
    Loaded loaded = clients.loader().load(name, files);
    admitAndMark(loaded, seen, admission);
    ServedVersion version =
        new ServedVersion(
            name,
            loaded.index(),
            loaded.origin(),
            seen,
            Duration.between(begin, place.now()),
            place.retirement()::handOver);
    place.versions().add(version);
    return version;
  }

  private void admitAndMark(Loaded loaded, Instant seen, Consumer<Loaded> admission) {
    try {
      admission.accept(loaded);
      clients.local().markSeen(loaded.index().versionId(), seen);
    } catch (LeatException e) {
      loaded.index().index().close();
      clients.local().release(loaded.index());
      throw e;
    }
  }

  /** Notes, also on the disk, that the source was seen to have a version. */
  void seenAgain(ServedVersion version, Instant when) {
    version.seenAgain(when);
    clients.local().markSeen(version.id(), when);
  }

  /**
   * The version that was served before a restart, while the source cannot be asked for its present
   * one, or while that is held back: what a running job would have got over must not keep a
   * restarted one from starting. It is as old as the source was last seen to have it.
   *
   * @param failure how the source failed
   */
  Optional<ServedVersion> lastServed(LeatException failure) throws InterruptedException {
    boolean outage =
        failure.errorCode() == ErrorCode.SOURCE_UNREADABLE
            || failure.errorCode() == ErrorCode.SOURCE_TIMEOUT
            || failure.errorCode() == ErrorCode.VERSION_HELD_BACK;
    if (!outage || place.request().refresh().isNever()) {
      return Optional.empty();
    }
    Optional<String> lineage = clients.source().lineage();
    if (lineage.isEmpty()) {
      return Optional.empty();
    }
    Optional<LastServed> last = clients.loader().lastServed(lineage.get());
    if (last.isEmpty()) {
      return Optional.empty();
    }
    LocalIndex index = last.get().index();
    Instant seen = last.get().seen();
    Optional<Duration> limit = place.request().staleness().limit();
    if (limit.isPresent() && seen.plus(limit.get()).isBefore(place.now())) {
      index.index().close();
      clients.local().release(index);
      return Optional.empty();
    }
    ServedVersion version =
        new ServedVersion(
            new VersionName(index.versionId(), index.index().manifest().sourceFingerprint()),
            index,
            Origin.REUSED,
            seen,
            Duration.ZERO,
            place.retirement()::handOver);
    place.versions().add(version);
    return Optional.of(version);
  }

  /** Removes the files of an index that is damaged, and tells of it. */
  void drop(ServedVersion bad) {
    place.localCounters().damaged();
    place.announce(
        new DimensionEvent.IndexDamaged(
            place.dimension(),
            bad.id(),
            ServiceStatistics.LOCAL_DISK,
            "a lookup found a block that does not have its checksum"));
    clients.local().drop(bad.local());
  }

  /** Publishes a version that is new here to the tiers that lack it. */
  void publishNew(ServedVersion version) throws InterruptedException {
    publication.begin(version);
    publication.proceed(version);
  }

  /** Publishes what could not be published before. */
  void publishAgain(ServedVersion served) throws InterruptedException {
    publication.proceed(served);
  }

  /** Unmaps versions that nobody reads any more, and removes old ones from the disk. */
  void tidyUp() {
    List<ServedVersion> unmapped = place.versions().unmapUnread(clients.local());
    for (ServedVersion version : unmapped) {
      place.announce(new DimensionEvent.VersionRetired(place.dimension(), version.id()));
    }
    Optional<ServedVersion> newest = place.versions().newest();
    // After each look too, since versions are kept for a time.
    if ((!unmapped.isEmpty() || lookedSinceTidying) && newest.isPresent()) {
      lookedSinceTidying = false;
      try {
        clients.retained().removeOthers(newest.get().name().lineage(), newest.get().id());
      } catch (LeatException e) {
        LOG.warn(
            "Dimension '{}': old versions cannot be removed; it is tried again after the next one",
            place.dimension(),
            e);
      }
    }
  }
}
