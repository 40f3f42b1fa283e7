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
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives versions of the dimension, mapped and pinned for whoever asks: the one that the source has
 * now, one of a given name, the one that was served before a restart. Says nothing about who reads
 * which. Belongs to the service's thread.
 */
final class VersionSupply {
  private static final Logger LOG = LoggerFactory.getLogger(VersionSupply.class);

  private final Workplace place;
  private final ServiceClients clients;
  private final BooleanSupplier closing;
  private final Publication publication;

  VersionSupply(Workplace place, ServiceClients clients, BooleanSupplier closing) {
    this.place = place;
    this.clients = clients;
    this.closing = closing;
    this.publication = new Publication(clients);
  }

  /** Looks which version the source has now. */
  SourceVersion look() throws InterruptedException {
    SourceVersion found = clients.source().look();
    clients.source().client().worked();
    return found;
  }

  /**
   * The version that the source has now. It is loaded again and again while the source changes
   * during the loading.
   */
  ServedVersion current() throws InterruptedException {
    Duration pause = place.settings().firstPause();
    for (int attempt = 1; ; attempt++) {
      Instant seen = place.now();
      SourceVersion version = clients.source().look();
      try {
        return load(version.name(), seen, () -> version);
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
   * @throws LeatException {@code VERSION_GONE} if it is neither here nor there
   */
  ServedVersion named(VersionName name, Instant seen) throws InterruptedException {
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
          });
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
    String now = lineage.isPresent() ? lineage.get() : look().lineage();
    if (!now.equals(name.lineage())) {
      LOG.warn(
          "Dimension '{}': the state is of version {}, of another definition of the dimension; the"
              + " source's present version is taken",
          place.dimension(),
          name.id());
      return current();
    }
    try {
      return named(name, seen);
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
          return named(new VersionName(kept.id(), kept.fingerprint()), kept.seen());
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
    return current();
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
            + " source, keep more versions with Retention, or allow a newer one with"
            + " whenVersionGone(VersionGone.USE_NEWER)",
        cause);
  }

  private ServedVersion load(VersionName name, Instant seen, VersionLoader.Files files)
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
    markSeen(loaded, seen);
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

  private void markSeen(Loaded loaded, Instant seen) {
    try {
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
   * one: an outage of the source that a running job would have got over must not keep a restarted
   * one from starting. It is as old as the source was last seen to have it.
   *
   * @param failure how the source failed
   */
  Optional<ServedVersion> lastServed(LeatException failure) {
    boolean outage =
        failure.errorCode() == ErrorCode.SOURCE_UNREADABLE
            || failure.errorCode() == ErrorCode.SOURCE_TIMEOUT;
    if (!outage || place.request().refresh().isNever()) {
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
                        place.dimension(),
                        reason));
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
    if (!unmapped.isEmpty() && newest.isPresent()) {
      try {
        clients.local().removeOldVersions(newest.get().name().lineage(), newest.get().id());
      } catch (LeatException e) {
        LOG.warn(
            "Dimension '{}': old versions cannot be removed; it is tried again after the next one",
            place.dimension(),
            e);
      }
    }
  }
}
