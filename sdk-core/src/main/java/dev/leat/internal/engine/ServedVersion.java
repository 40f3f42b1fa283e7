package dev.leat.internal.engine;

import dev.leat.DimensionVersion;
import dev.leat.event.DimensionEvent.Origin;
import dev.leat.internal.engine.repository.LocalIndex;
import dev.leat.internal.engine.source.SourceVersion;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * A version whose index is mapped. Counts those who may be reading it: the service while it serves
 * it, and each reader that is pinned to it. When the last has left it is handed over to be
 * unmapped.
 */
final class ServedVersion {
  private final SourceVersion version;
  private final LocalIndex local;
  private final Origin origin;
  private final Consumer<ServedVersion> onLastUnpin;

  /** Begins at 1, for the service. */
  private final AtomicInteger pins = new AtomicInteger(1);

  private volatile Instant seen;

  /** The same for a comparison that costs little; saturated so that a difference is in range. */
  private volatile long seenMillis;

  ServedVersion(
      SourceVersion version,
      LocalIndex local,
      Origin origin,
      Instant seen,
      Consumer<ServedVersion> onLastUnpin) {
    this.version = version;
    this.local = local;
    this.origin = origin;
    this.seen = seen;
    this.seenMillis = millis(seen);
    this.onLastUnpin = onLastUnpin;
  }

  SourceVersion source() {
    return version;
  }

  LocalIndex local() {
    return local;
  }

  Origin origin() {
    return origin;
  }

  /** When the source was last seen to have it. */
  Instant seen() {
    return seen;
  }

  /** The milliseconds of {@link #seen()} since 1970. */
  long seenMillis() {
    return seenMillis;
  }

  void seenAgain(Instant when) {
    seen = when;
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
    return new DimensionVersion(version.id(), seen);
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
          "version " + version.id() + " was unpinned more often than pinned");
    }
  }
}
