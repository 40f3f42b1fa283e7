package dev.leat.internal.engine;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What one reader counts. Written by its thread alone, so that adding costs a plain load and store;
 * any thread may read, and sees values that were true a moment ago (opaque access: no tearing, no
 * fence).
 */
final class ReaderCounters {
  private static final VarHandle HITS = handle("hits");
  private static final VarHandle MISSES = handle("misses");
  private static final VarHandle NULL_KEYS = handle("nullKeys");

  private long hits;
  private long misses;
  private long nullKeys;

  private static VarHandle handle(String field) {
    try {
      return MethodHandles.lookup().findVarHandle(ReaderCounters.class, field, long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  void addHits(long count) {
    HITS.setOpaque(this, hits + count);
  }

  void addMisses(long count) {
    MISSES.setOpaque(this, misses + count);
  }

  void addNullKeys(long count) {
    NULL_KEYS.setOpaque(this, nullKeys + count);
  }

  long hits() {
    return (long) HITS.getOpaque(this);
  }

  long misses() {
    return (long) MISSES.getOpaque(this);
  }

  long nullKeys() {
    return (long) NULL_KEYS.getOpaque(this);
  }
}
