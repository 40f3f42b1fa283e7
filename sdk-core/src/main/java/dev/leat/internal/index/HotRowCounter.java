package dev.leat.internal.index;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * Counts the rows that one reader was given without the index, over all versions that it reads.
 * Written by the reader's thread alone; any thread may ask, and gets what was true a moment ago.
 */
public final class HotRowCounter {
  private static final VarHandle HITS;

  static {
    try {
      HITS = MethodHandles.lookup().findVarHandle(HotRowCounter.class, "hits", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private long hits;

  /** Begins at 0. */
  public HotRowCounter() {}

  void hit() {
    HITS.setOpaque(this, hits + 1);
  }

  /** How many there were. */
  public long hits() {
    return (long) HITS.getOpaque(this);
  }
}
