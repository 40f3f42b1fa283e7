package dev.leat.internal.engine;

import dev.leat.DimensionVersion;
import dev.leat.event.DimensionEvent.Origin;
import dev.leat.internal.engine.repository.LocalIndex;
import dev.leat.internal.engine.source.VersionName;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A version whose index is mapped. Counts those who may be reading it: whoever had it loaded, the
 * tracks that are at it, and each reader that is pinned to it. When the last has left it is handed
 * over to be unmapped.
 */
final class ServedVersion {
  private final VersionName name;
  private final LocalIndex local;
  private final Origin origin;
  private final Duration took;
  private final Consumer<ServedVersion> onLastUnpin;

  /** Begins at 1, for the one who had it loaded. */
  private final AtomicInteger pins = new AtomicInteger(1);

  /** The tracks that are at it. */
  private final AtomicInteger tracks = new AtomicInteger();

  private final AtomicBoolean counted = new AtomicBoolean();

  private volatile Instant seen;

  /** Made once for each sight, so that a record that wants it allocates nothing. */
  private volatile DimensionVersion version;

  /** The same for a comparison that costs little; saturated so that a difference is in range. */
  private volatile long seenMillis;

  /**
   * A version that the caller has pinned.
   *
   * @param took how long it took to load it
   */
  ServedVersion(
      VersionName name,
      LocalIndex local,
      Origin origin,
      Instant seen,
      Duration took,
      Consumer<ServedVersion> onLastUnpin) {
    this.name = name;
    this.local = local;
    this.origin = origin;
    this.seen = seen;
    this.version = new DimensionVersion(name.id(), seen);
    this.seenMillis = millis(seen);
    this.took = took;
    this.onLastUnpin = onLastUnpin;
  }

  VersionName name() {
    return name;
  }

  String id() {
    return name.id();
  }

  LocalIndex local() {
    return local;
  }

  Origin origin() {
    return origin;
  }

  Duration took() {
    return took;
  }

  /** When the source was last seen to have it. */
  Instant seen() {
    return seen;
  }

  /** The milliseconds of {@link #seen()} since 1970. */
  long seenMillis() {
    return seenMillis;
  }

  /**
   * The time since the source was last seen to have it. A clock that was set back behind that
   * moment does not tell: then it counts from now on, so that an alarm comes late by what the age
   * was, and not by what the clock was set back.
   */
  Duration age(Instant now) {
    if (now.isBefore(seen)) {
      seenAgain(now);
    }
    return Duration.between(seen, now);
  }

  void seenAgain(Instant when) {
    seen = when;
    version = new DimensionVersion(name.id(), when);
    seenMillis = millis(when);
  }

  private static long millis(Instant instant) {
    try {
      return instant.toEpochMilli();
    } catch (ArithmeticException e) {
      return instant.getEpochSecond() < 0 ? Long.MIN_VALUE / 2 : Long.MAX_VALUE / 2;
    }
  }

  DimensionVersion version() {
    return version;
  }

  KnownVersion known() {
    return new KnownVersion(name.id(), name.fingerprint(), seen);
  }

  /** Whether it is counted among the loads by this call, the first one. */
  boolean countedNow() {
    return counted.compareAndSet(false, true);
  }

  /** Counts a track that moves to it; says whether it is the first. */
  boolean enteredByATrack() {
    return tracks.incrementAndGet() == 1;
  }

  /** Counts a track that leaves it. */
  void leftByATrack() {
    tracks.decrementAndGet();
  }

  /** Pins the index, unless the last one has left already. */
  boolean pin() {
    while (true) {
      int current = pins.get();
      if (current == 0) {
        return false;
      }
      if (pins.compareAndSet(current, current + 1)) {
        return true;
      }
    }
  }

  /** Undoes one pin. */
  void unpin() {
    int left = pins.decrementAndGet();
    if (left == 0) {
      onLastUnpin.accept(this);
    } else if (left < 0) {
      throw new IllegalStateException(
          "version " + name.id() + " was unpinned more often than pinned");
    }
  }
}
