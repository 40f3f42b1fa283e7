package dev.leat.it.simulation;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * The one thing that the threads of a host wait for: the simulation's leave to go on. Of all hosts
 * at most one has it, so nothing happens at the same time as anything else.
 */
final class Turn {
  private static final long WATCHDOG_NANOS = Duration.ofSeconds(60).toNanos();

  private enum State {
    /** It computes, or its thread has ended. */
    RUNNING,
    /** It is about to ask a store something, or pauses. */
    PAUSED,
    /** It waits for a moment, or for something to happen. */
    IDLE
  }

  private State state = State.RUNNING;
  private boolean granted;
  private boolean woken;
  private boolean alone;
  private boolean dead;
  private boolean stalled;
  private BooleanSupplier due = () -> false;

  // ---- for the threads of the host -----------------------------------------------------------

  /** Waits for the leave to do the next thing that others could notice. */
  synchronized void pause() throws InterruptedException {
    if (dead) {
      throw new InterruptedException("this host was killed");
    }
    if (alone) {
      return;
    }
    park(State.PAUSED);
    if (dead) {
      throw new InterruptedException("this host was killed");
    }
  }

  /**
   * Waits until {@code happened} or {@code due}.
   *
   * @return whether it happened
   */
  boolean idle(BooleanSupplier happened, BooleanSupplier isDue) throws InterruptedException {
    while (true) {
      if (happened.getAsBoolean()) {
        return true;
      }
      if (isDue.getAsBoolean()) {
        return false;
      }
      synchronized (this) {
        due = isDue;
        park(State.IDLE);
      }
    }
  }

  private void park(State where) throws InterruptedException {
    state = where;
    notifyAll();
    try {
      while (!granted) {
        wait();
      }
    } finally {
      granted = false;
      state = State.RUNNING;
    }
  }

  synchronized void wake() {
    woken = true;
    notifyAll();
  }

  /** Never returns, as a server that does not answer. */
  synchronized void stall() throws InterruptedException {
    stalled = true;
    while (true) {
      wait();
    }
  }

  /** Whether a call does not return; asking takes that back. */
  synchronized boolean takeStall() {
    boolean was = stalled;
    stalled = false;
    return was;
  }

  // ---- for the simulation --------------------------------------------------------------------

  /** Whether there is something for it to do. */
  boolean runnable() {
    BooleanSupplier isDue;
    synchronized (this) {
      if (state != State.IDLE || woken) {
        return state != State.RUNNING;
      }
      isDue = due;
    }
    return isDue.getAsBoolean();
  }

  /** Lets it go on until it waits again, or its thread has ended. */
  void step(Thread thread) {
    synchronized (this) {
      if (state == State.IDLE) {
        woken = false;
      }
      granted = true;
      notifyAll();
    }
    awaitParked(thread);
  }

  /** Waits until it waits, or its thread has ended. */
  synchronized void awaitParked(Thread thread) {
    long begin = System.nanoTime();
    while (granted || state == State.RUNNING) {
      if (!thread.isAlive()) {
        granted = false;
        return;
      }
      if (System.nanoTime() - begin > WATCHDOG_NANOS) {
        IllegalStateException hung =
            new IllegalStateException(thread.getName() + " neither waits nor ends");
        hung.setStackTrace(thread.getStackTrace());
        throw hung;
      }
      waitABit();
    }
  }

  /** Waits until something was woken, or a while has passed. */
  synchronized void awaitWoken() {
    if (!woken) {
      waitABit();
    }
  }

  private void waitABit() {
    try {
      wait(2);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("the simulation was interrupted", e);
    }
  }

  /** From now on it needs no leave: it is closed, and all others wait. */
  synchronized void letAlone() {
    alone = true;
  }

  /** From now on nothing that it does has an effect. */
  synchronized void kill() {
    dead = true;
    alone = true;
  }

  synchronized boolean dead() {
    return dead;
  }
}
