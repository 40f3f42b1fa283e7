package dev.leat.internal.engine;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What a group of readers follows: the version that they move to when they advance. Holds a pin on
 * it. Any thread reads it; those who move it take turns.
 */
final class Track {
  private final String dimension;

  /**
   * The version for readers that advance. Assigned when everything of the version is ready, and
   * nothing of it changes later but the time at which it was seen.
   */
  private volatile @Nullable ServedVersion current;

  private final Set<PinnedReader<?, ?>> readers = ConcurrentHashMap.newKeySet();
  private boolean left;

  Track(String dimension) {
    this.dimension = dimension;
  }

  @Nullable ServedVersion current() {
    return current;
  }

  /** Pins the version of the moment. */
  ServedVersion pinCurrent() {
    while (true) {
      ServedVersion candidate = current;
      if (candidate == null) {
        throw new IllegalStateException(
            "Dimension '" + dimension + "' has no version here; wait for the first one before");
      }
      if (candidate.pin()) {
        return candidate;
      }
      if (candidate == current) {
        throw new IllegalStateException("the service of dimension '" + dimension + "' is closed");
      }
    }
  }

  void follow(PinnedReader<?, ?> reader) {
    readers.add(reader);
  }

  void unfollow(PinnedReader<?, ?> reader) {
    readers.remove(reader);
  }

  /**
   * Has the readers make ready for a version that may come next, so that it costs their threads
   * nothing when it does. The caller has it pinned.
   */
  void prepare(ServedVersion next) {
    readers.forEach(reader -> reader.prepare(next));
  }

  /** The version does not come. */
  void forget(ServedVersion version) {
    readers.forEach(reader -> reader.forget(version));
  }

  /**
   * Moves to a version, whose pin passes from the caller to the track. Nothing happens on a track
   * that was left.
   *
   * @return the version before, whose pin is the caller's now; null if there was none
   */
  synchronized @Nullable ServedVersion moveTo(ServedVersion next) {
    if (left) {
      return next;
    }
    ServedVersion before = current;
    // The one write that swaps the version: all that a reader needs of it was written before.
    current = next;
    return before;
  }

  /** Gives the pin back. The version stays to be looked at. */
  synchronized void leave() {
    ServedVersion last = current;
    if (!left && last != null) {
      left = true;
      last.unpin();
    }
    left = true;
  }
}
