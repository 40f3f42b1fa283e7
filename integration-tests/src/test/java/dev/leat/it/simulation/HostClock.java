package dev.leat.it.simulation;

import dev.leat.internal.engine.PacedClock;
import dev.leat.testkit.ManualClock;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.function.BooleanSupplier;

/** The clock of one host: that of the world, a little off. */
final class HostClock extends PacedClock {
  private final ManualClock world;
  private final Turn turn;
  private volatile Duration ahead;

  HostClock(ManualClock world, Turn turn, Duration ahead) {
    this.world = world;
    this.turn = turn;
    this.ahead = ahead;
  }

  /** Sets it, as a time server may. */
  void jump(Duration by) {
    ahead = ahead.plus(by);
  }

  @Override
  public Instant instant() {
    return world.instant().plus(ahead);
  }

  @Override
  public boolean awaitUntil(Instant moment, BooleanSupplier happened) throws InterruptedException {
    return turn.idle(happened, () -> !moment.equals(Instant.MAX) && !instant().isBefore(moment));
  }

  @Override
  public void wake() {
    turn.wake();
  }

  @Override
  public ZoneId getZone() {
    return ZoneOffset.UTC;
  }

  @Override
  public Clock withZone(ZoneId zone) {
    throw new UnsupportedOperationException("a host's clock knows UTC only, not " + zone);
  }
}
