package dev.leat.internal.engine.tier;

import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionStatistics;
import dev.leat.event.DimensionStatistics.Health;
import dev.leat.internal.store.BreakerState;
import dev.leat.internal.store.ResilienceListener;
import dev.leat.internal.store.ResilienceSettings;
import dev.leat.internal.store.ResilientStore;
import dev.leat.internal.store.StoreStatistics;
import dev.leat.internal.store.StoreTime;
import dev.leat.spi.BlobStore;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A store behind retries, deadlines and a circuit breaker, that tells once when it begins to fail
 * and once when it works again. Thread-safe.
 *
 * <p>It is degraded from the moment when its breaker opens or somebody had to fall back, until its
 * breaker closes again or a call that somebody reports succeeds.
 */
public final class StoreClient implements AutoCloseable {
  private final String name;
  private final Announcer announcer;
  private final TierCounters counters = new TierCounters();
  private final AtomicBoolean degraded = new AtomicBoolean();

  /**
   * Whether it has done what it is for since it failed last. That its breaker closes is not enough:
   * a question that a master answers closes it, while the workers that hold the bytes are away.
   */
  private volatile boolean proven;

  private final ResilientStore store;

  /** Puts a client over a store, which is closed with it. */
  public StoreClient(
      String name,
      BlobStore store,
      ResilienceSettings settings,
      StoreTime time,
      Announcer announcer) {
    this.name = name;
    this.announcer = announcer;
    this.store = ResilientStore.over(store, settings, time, new Listener());
  }

  /** The name of the tier. */
  public String name() {
    return name;
  }

  /** The store with everything around it. */
  public BlobStore store() {
    return store;
  }

  /** What the engine counts about it. */
  public TierCounters counters() {
    return counters;
  }

  /** Another tier had to serve because this one failed. */
  public void fellBack(String reason) {
    counters.fallback();
    failed(reason);
  }

  /** It failed. */
  public void failed(String reason) {
    proven = false;
    if (degraded.compareAndSet(false, true)) {
      announcer.announce(new DimensionEvent.TierDegraded(announcer.dimension(), name, reason));
    }
  }

  /** It answered as it should. */
  public void worked() {
    proven = true;
    if (store.breakerState() == BreakerState.CLOSED) {
      healed();
    }
  }

  private void healed() {
    if (degraded.compareAndSet(true, false)) {
      announcer.announce(new DimensionEvent.TierHealed(announcer.dimension(), name));
    }
  }

  /** Whether it failed and has not been seen to work since. */
  public boolean degraded() {
    return degraded.get();
  }

  /** What it did so far. */
  public DimensionStatistics.Tier statistics() {
    StoreStatistics calls = store.statistics();
    Health health =
        switch (store.breakerState()) {
          case CLOSED -> Health.CLOSED;
          case OPEN -> Health.OPEN;
          case HALF_OPEN -> Health.HALF_OPEN;
        };
    return new DimensionStatistics.Tier(
        calls.totalRequests(),
        calls.totalFailures(),
        calls.bytesRead(),
        counters.hits(),
        counters.misses(),
        counters.fallbacks(),
        counters.damagedIndexes(),
        health);
  }

  @Override
  public void close() {
    store.close();
  }

  private final class Listener implements ResilienceListener {
    @Override
    public void breakerChanged(BreakerState from, BreakerState to, String reason) {
      if (to == BreakerState.OPEN) {
        failed(reason);
      } else if (to == BreakerState.CLOSED && proven) {
        healed();
      }
    }
  }
}
