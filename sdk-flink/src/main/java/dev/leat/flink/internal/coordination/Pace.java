package dev.leat.flink.internal.coordination;

import dev.leat.Refresh;
import dev.leat.internal.engine.schedule.LookTimes;
import java.time.Clock;
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

  /** A subtask answers between two records. */
  private static final Duration BARRIER_PATIENCE = Duration.ofSeconds(30);

  private final Refresh refresh;
  private final DoubleSupplier random;
  private final Clock clock;

  /**
   * The pace of a refresh policy.
   *
   * @param random gives numbers from 0 to 1, exclusive, for the jitter
   * @param clock shows the time of the day, for looks that go by it
   */
  Pace(Refresh refresh, DoubleSupplier random, Clock clock) {
    this.refresh = refresh;
    this.random = random;
    this.clock = clock;
  }

  /** Whether the source is looked at again at all. */
  boolean looks() {
    return !refresh.isNever();
  }

  /** The looks of one coordinator. */
  NextLook looking() {
    return new NextLook(LookTimes.of(refresh), random, clock);
  }

  long lookPatience() {
    return LOOK_PATIENCE.toMillis();
  }

  long barrierPatience() {
    return BARRIER_PATIENCE.toMillis();
  }

  long patience() {
    return PATIENCE.toMillis();
  }

  int checkpointsRemembered() {
    return CHECKPOINTS_REMEMBERED;
  }
}
