package dev.leat.flink.internal.coordination;

import dev.leat.Refresh;
import java.time.Duration;
import java.util.function.DoubleSupplier;

/** How often a coordinator has the source looked at, and how long it waits for subtasks. */
final class Pace {
  /** A look lists the source; stores give up long before. */
  private static final Duration LOOK_PATIENCE = Duration.ofMinutes(10);

  /**
   * A table may take long to build. A subtask that is given up goes on building, and finds the
   * index on its disk when it is asked again.
   */
  private static final Duration PATIENCE = Duration.ofHours(1);

  /**
   * More are not under way at a time in any sane job; one of which nothing is heard is forgotten.
   */
  private static final int CHECKPOINTS_REMEMBERED = 8;

  private final Refresh refresh;
  private final DoubleSupplier random;

  /**
   * The pace of a refresh policy.
   *
   * @param random gives numbers from 0 to 1, for the jitter
   */
  Pace(Refresh refresh, DoubleSupplier random) {
    this.refresh = refresh;
    this.random = random;
  }

  /** Whether the source is looked at again at all. */
  boolean looks() {
    return refresh.interval().isPresent();
  }

  /** When to look next, after a look that ended now. */
  long nextLook(long now) {
    return refresh
        .interval()
        .map(
            interval -> {
              double factor = 1 + refresh.jitter() * (2 * random.getAsDouble() - 1);
              double millis = interval.toMillis() * factor;
              return millis > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : now + (long) millis;
            })
        .orElse(Long.MAX_VALUE);
  }

  long lookPatience() {
    return LOOK_PATIENCE.toMillis();
  }

  long patience() {
    return PATIENCE.toMillis();
  }

  int checkpointsRemembered() {
    return CHECKPOINTS_REMEMBERED;
  }
}
