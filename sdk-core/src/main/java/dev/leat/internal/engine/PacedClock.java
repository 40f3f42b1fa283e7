package dev.leat.internal.engine;

import java.time.Clock;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/**
 * A clock whose owner does the waiting for it, so that whoever moves the clock also says which
 * thread goes on. For a simulation in which one thread runs at a time; a thread that waits on any
 * other clock is woken by the machine.
 */
public abstract class PacedClock extends Clock {

  /**
   * Waits until {@code happened} is true or the clock shows {@code moment}.
   *
   * @param moment {@link Instant#MAX} to wait for {@code happened} alone
   * @return whether it happened
   */
  public abstract boolean awaitUntil(Instant moment, BooleanSupplier happened)
      throws InterruptedException;

  /** Something that is waited for may have happened. Called by any thread. */
  public abstract void wake();
}
