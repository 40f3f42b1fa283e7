package dev.leat.it.simulation;

import dev.leat.internal.store.StoreTime;
import dev.leat.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The time of a host's stores: a pause moves the world's clock, and so does a call that stalls. */
final class HostTime implements StoreTime {
  /**
   * What every pause takes. Pauses are drawn at random by the product, and what follows from a seed
   * must not depend on them.
   */
  private static final Duration PAUSE = Duration.ofMillis(200);

  private final ManualClock world;
  private final Turn turn;
  private final Instant start;

  HostTime(ManualClock world, Turn turn) {
    this.world = world;
    this.turn = turn;
    this.start = world.instant();
  }

  @Override
  public long nanoTime() {
    return Duration.between(start, world.instant()).toNanos();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    turn.pause();
    world.advance(PAUSE);
  }

  @Override
  public <T> T await(Future<T> result, long deadline)
      throws InterruptedException, ExecutionException, TimeoutException {
    while (true) {
      try {
        return result.get(4, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        if (turn.takeStall()) {
          world.advance(Duration.ofNanos(Math.max(0, deadline - nanoTime())));
          throw e;
        }
      }
    }
  }
}
