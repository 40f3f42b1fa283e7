package dev.leat.internal.engine.tier;

import java.util.concurrent.atomic.LongAdder;

/** What the engine counts about a tier beside the calls of its store. Thread-safe. */
public final class TierCounters {
  private final LongAdder hits = new LongAdder();
  private final LongAdder misses = new LongAdder();
  private final LongAdder fallbacks = new LongAdder();
  private final LongAdder damaged = new LongAdder();

  /** It served a file or an index. */
  public void hit() {
    hits.increment();
  }

  /** It did not have a file or an index, or not in a fresh state. */
  public void miss() {
    misses.increment();
  }

  /** It failed, so that the next tier had to serve. */
  public void fallback() {
    fallbacks.increment();
  }

  /** An index that it held was damaged. */
  public void damaged() {
    damaged.increment();
  }

  public long hits() {
    return hits.sum();
  }

  public long misses() {
    return misses.sum();
  }

  public long fallbacks() {
    return fallbacks.sum();
  }

  public long damagedIndexes() {
    return damaged.sum();
  }
}
