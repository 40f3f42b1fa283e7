package dev.leat.internal.engine;

import dev.leat.DimensionVersion;
import dev.leat.LeatException;
import dev.leat.VersionGone;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.source.VersionName;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * What one handle has ordered: the versions that it holds, and the track on which it has its
 * readers follow. Thread-safe.
 */
final class Steering implements AutoCloseable {
  private final Workplace place;
  private final Orders orders;
  private final FailedLoads failedLoads;
  private final Track track;

  /** The versions that this handle keeps pinned beside the active one. */
  private final Map<String, ServedVersion> held = new HashMap<>();

  private boolean closed;

  Steering(Workplace place, Orders orders, FailedLoads failedLoads) {
    this.place = place;
    this.orders = orders;
    this.failedLoads = failedLoads;
    this.track = new Track(place.dimension());
  }

  Track track() {
    return track;
  }

  // ---- orders --------------------------------------------------------------------------------

  CompletableFuture<KnownVersion> loadFirst() {
    return orders.place(
        supply -> {
          ServedVersion first = firstVersion(supply);
          hold(first);
          publishSoon(first);
          return first.known();
        });
  }

  private ServedVersion firstVersion(VersionSupply supply) throws InterruptedException {
    try {
      return supply.current(null);
    } catch (LeatException e) {
      ServedVersion last = supply.lastServed(e).orElseThrow(() -> e);
      refreshFailed(e);
      return last;
    }
  }

  CompletableFuture<KnownVersion> restore(KnownVersion version, VersionGone policy) {
    return orders.place(
        supply -> {
          ServedVersion restored = supply.restored(name(version), version.seen(), policy);
          hold(restored);
          publishSoon(restored);
          return restored.known();
        });
  }

  /** After the one who waits for the version has it: publishing may take its time. */
  private void publishSoon(ServedVersion version) {
    orders.placeUnawaited(
        supply -> {
          if (version.pin()) {
            try {
              supply.publishNew(version);
            } finally {
              version.unpin();
            }
          }
        });
  }

  CompletableFuture<KnownVersion> look() {
    return orders.place(
        supply -> {
          try {
            Instant begin = place.now();
            Sight found = supply.look();
            ServedVersion active = track.current();
            if (active != null && active.name().equals(found.name())) {
              supply.unchanged(found);
              supply.seenAgain(active, begin);
              place.loads().unchanged();
              succeeded(active);
              place.announce(
                  new DimensionEvent.SourceUnchanged(place.dimension(), active.version()));
              supply.publishAgain(active);
            } else {
              supply.checkHeld(found);
            }
            return new KnownVersion(found.name().id(), found.name().fingerprint(), begin);
          } catch (LeatException e) {
            refreshFailed(e);
            throw e;
          }
        });
  }

  CompletableFuture<KnownVersion> prepare(KnownVersion version) {
    long asked = System.nanoTime();
    return orders.place(
        supply -> {
          failedLoads.rethrowIfFailedSince(asked, name(version));
          try {
            ServedVersion prepared = supply.named(name(version), version.seen(), track.current());
            track.prepare(prepared);
            hold(prepared);
            // Before anybody depends on it: a checkpoint with a version that only this host has
            // could not be restored on another.
            supply.publishNew(prepared);
            return prepared.known();
          } catch (LeatException e) {
            failedLoads.failed(name(version), e);
            refreshFailed(e);
            throw e;
          }
        });
  }

  private static VersionName name(KnownVersion version) {
    return new VersionName(version.id(), version.fingerprint());
  }

  private void refreshFailed(LeatException e) {
    String message = String.valueOf(e.getMessage());
    int failures = place.loads().failed(message);
    place.announce(
        new DimensionEvent.RefreshFailed(place.dimension(), e.errorCode(), message, failures));
  }

  private void succeeded(ServedVersion version) {
    int failures = place.loads().succeeded();
    if (failures > 0) {
      place.announce(
          new DimensionEvent.RefreshRecovered(place.dimension(), version.version(), failures));
    }
  }

  // ---- what is held and what is active -------------------------------------------------------

  /** Takes over a pin. */
  private synchronized void hold(ServedVersion version) {
    if (version.countedNow()) {
      place.loads().loaded(version.origin(), version.took());
    }
    ServedVersion before = closed ? version : held.put(version.id(), version);
    if (before != null) {
      before.unpin();
    }
  }

  synchronized DimensionVersion activate(String versionId) {
    ServedVersion active = track.current();
    if (active != null && active.id().equals(versionId)) {
      return active.version();
    }
    ServedVersion next = held.remove(versionId);
    if (next == null) {
      throw new IllegalStateException(
          "Dimension '"
              + place.dimension()
              + "': version "
              + versionId
              + " is to become active and is not loaded; loaded are "
              + held.keySet());
    }
    ServedVersion before = track.moveTo(next);
    if (before != null) {
      before.leftByATrack();
      ServedVersion twice = held.put(before.id(), before);
      if (twice != null) {
        twice.unpin();
      }
    }
    if (next.enteredByATrack()) {
      orders.placeUnawaited(supply -> announceActivation(next));
    }
    return next.version();
  }

  private void announceActivation(ServedVersion version) {
    succeeded(version);
    place.announce(
        new DimensionEvent.VersionActivated(
            place.dimension(),
            version.version(),
            version.origin(),
            version.local().index().manifest().rows(),
            version.local().index().bytes(),
            version.took()));
  }

  synchronized void release(String versionId) {
    ServedVersion version = held.remove(versionId);
    if (version != null) {
      track.forget(version);
      version.unpin();
    }
  }

  void seen(KnownVersion version) {
    // In memory at once: the service's thread may be building for an hour, and the version that is
    // known to be current must not seem to grow old by that.
    place
        .versions()
        .find(version.id())
        .filter(mapped -> version.seen().isAfter(mapped.seen()))
        .ifPresent(
            mapped -> {
              mapped.seenAgain(version.seen());
              orders.placeUnawaited(
                  supply -> {
                    supply.seenAgain(mapped, version.seen());
                    succeeded(mapped);
                  });
            });
  }

  /** Puts a sound index into the place of a damaged one of the same version. */
  synchronized void replace(ServedVersion bad, ServedVersion sound) {
    if (held.get(bad.id()) == bad && sound.pin()) {
      held.put(sound.id(), sound);
      bad.unpin();
    }
    if (track.current() == bad && sound.pin()) {
      sound.enteredByATrack();
      ServedVersion before = track.moveTo(sound);
      if (before != null) {
        before.leftByATrack();
        before.unpin();
      }
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      held.values().forEach(ServedVersion::unpin);
      held.clear();
      ServedVersion last = track.current();
      if (last != null) {
        last.leftByATrack();
      }
      track.leave();
    }
  }
}
