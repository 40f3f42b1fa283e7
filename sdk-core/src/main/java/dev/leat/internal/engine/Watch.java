package dev.leat.internal.engine;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.schedule.LookTimes;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a track at the version that the source has: looks at the source from time to time, and has
 * its readers follow. Belongs to the service's thread, but for the track.
 */
final class Watch {
  private static final Logger LOG = LoggerFactory.getLogger(Watch.class);

  private final Workplace place;
  private final BooleanSupplier closing;
  private final Track track;
  private final LookTimes lookTimes;

  /** When the source is looked at next; null for never. */
  private Waiting.@Nullable Moment nextLook;

  Watch(Workplace place, BooleanSupplier closing) {
    this.place = place;
    this.closing = closing;
    this.track = new Track(place.dimension());
    this.lookTimes = LookTimes.of(place.request().refresh());
  }

  /** What readers follow. Any thread may ask. */
  Track track() {
    return track;
  }

  /** When {@link #refresh} is due; null for never. */
  Waiting.@Nullable Moment nextLook() {
    return nextLook;
  }

  /** Brings in the first version. */
  void begin(VersionSupply supply) throws InterruptedException {
    Instant begin = place.now();
    ServedVersion first;
    try {
      first = supply.current(null);
    } catch (LeatException e) {
      Optional<ServedVersion> last = supply.lastServed(e);
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
    supply.publishNew(first);
  }

  /**
   * Looks at the source; loads, serves and publishes a new version if there is one. Never throws
   * for what a later refresh may get past.
   */
  void refresh(VersionSupply supply) throws InterruptedException {
    ServedVersion served = track.current();
    if (served == null) {
      throw new IllegalStateException("there is nothing to refresh before the first version");
    }
    try {
      Instant begin = place.now();
      Sight found = supply.look();
      if (found.name().equals(served.name())) {
        supply.unchanged(found);
        supply.seenAgain(served, begin);
        lookEnded();
        place.loads().unchanged();
        succeeded(served);
        place.announce(new DimensionEvent.SourceUnchanged(place.dimension(), served.version()));
        supply.publishAgain(served);
      } else {
        supply.checkHeld(found);
        move(supply, supply.current(served), begin);
      }
    } catch (LeatException e) {
      if (!closing.getAsBoolean()) {
        refreshFailed(e.errorCode(), String.valueOf(e.getMessage()));
      }
    } catch (RuntimeException e) {
      if (closing.getAsBoolean()) {
        return;
      }
      // A defect of a store or a format must not end the refresh either.
      LOG.error("Dimension '{}': the refresh failed in an unforeseen way", place.dimension(), e);
      refreshFailed(ErrorCode.SOURCE_UNREADABLE, String.valueOf(e));
    }
  }

  private void move(VersionSupply supply, ServedVersion next, Instant begin)
      throws InterruptedException {
    lookEnded();
    if (next == track.current()) {
      // It changed back to what is served.
      next.unpin();
      succeeded(next);
      supply.publishAgain(next);
    } else {
      activate(next, begin);
      succeeded(next);
      supply.publishNew(next);
    }
  }

  /** Replaces the version, if readers follow it, by the one that the source has now. */
  void replace(VersionSupply supply, ServedVersion bad) throws InterruptedException {
    if (track.current() == bad) {
      supply.drop(bad);
      Instant begin = place.now();
      ServedVersion next = supply.current(bad);
      activate(next, begin);
      supply.publishNew(next);
    }
  }

  private void activate(ServedVersion next, Instant begin) {
    track.prepare(next);
    Duration took = Duration.between(begin, place.now());
    place.loads().loaded(next.origin(), took);
    ServedVersion before = track.moveTo(next);
    place.realTime().wake();
    place.announce(
        new DimensionEvent.VersionActivated(
            place.dimension(),
            next.version(),
            next.origin(),
            next.local().index().manifest().rows(),
            next.local().index().bytes(),
            took));
    if (before != null) {
      before.unpin();
    }
  }

  /**
   * Says that a look at the source has ended. Comes before the outcome is made visible, so that
   * whoever sees the outcome knows that the time to the next look is running.
   */
  private void lookEnded() {
    Instant now = place.now();
    nextLook =
        lookTimes
            .next(now, ThreadLocalRandom.current().nextDouble())
            .map(
                next ->
                    lookTimes.boundToClock()
                        ? place.clockTime().at(next)
                        : place.clockTime().in(Duration.between(now, next)))
            .orElse(null);
  }

  private void refreshFailed(ErrorCode code, String message) {
    lookEnded();
    int failures = place.loads().failed(message);
    place.announce(new DimensionEvent.RefreshFailed(place.dimension(), code, message, failures));
  }

  private void succeeded(ServedVersion served) {
    int failures = place.loads().succeeded();
    if (failures > 0) {
      place.announce(
          new DimensionEvent.RefreshRecovered(place.dimension(), served.version(), failures));
    }
  }
}
