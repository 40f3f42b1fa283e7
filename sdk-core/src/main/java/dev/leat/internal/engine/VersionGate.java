package dev.leat.internal.engine;

import dev.leat.ErrorCode;
import dev.leat.Guard;
import dev.leat.LeatException;
import dev.leat.event.DimensionEvent;
import java.util.Locale;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The guard at work: every version comes through here between its loading and its serving.
 * Remembers the one that it holds back, so that it is told once and loaded once. Belongs to the
 * service's thread.
 */
final class VersionGate {
  private final String dimension;
  private final Guard guard;
  private final LoadStatistics loads;
  private final EventStream events;
  private final VersionLoader loader;
  private @Nullable LeatException held;
  private @Nullable String heldId;

  /** Holds nothing yet. */
  VersionGate(
      String dimension,
      Guard guard,
      LoadStatistics loads,
      EventStream events,
      VersionLoader loader) {
    this.dimension = dimension;
    this.guard = guard;
    this.loads = loads;
    this.events = events;
    this.loader = loader;
  }

  /**
   * Lets a version that was loaded through, or holds it back.
   *
   * @param lineage that of the version
   * @param served the rows of the version that is served here; empty if there is none yet, so that
   *     the one that was served before a restart counts
   * @throws LeatException {@code VERSION_HELD_BACK}
   */
  void pass(String lineage, VersionLoader.Loaded loaded, OptionalLong served) {
    String versionId = loaded.index().versionId();
    long rows = loaded.index().index().manifest().rows();
    OptionalLong before =
        served.isPresent() || guard.maxShrink() == 1 ? served : loader.rowsBefore(lineage, loaded);
    String objection = objection(rows, before);
    if (objection == null || loader.accepted(versionId)) {
      nothingHeld();
      return;
    }
    // Nobody else needs to wait for what will not be published.
    loader.releaseLease();
    LeatException failure =
        new LeatException(
            ErrorCode.VERSION_HELD_BACK,
            "Dimension '"
                + dimension
                + "': version "
                + versionId
                + " is held back: "
                + objection
                + "; correct the table, or, if it is meant to be so, accept the version by an empty"
                + " file "
                + versionId
                + ".accepted beside its index, or widen the guard and start the job again"
                + " (docs/operations.md)");
    boolean told = versionId.equals(heldId);
    held = failure;
    heldId = versionId;
    loads.heldBack(versionId);
    if (!told) {
      events.announce(
          new DimensionEvent.VersionHeldBack(dimension, versionId, rows, before, objection));
    }
    throw failure;
  }

  private @Nullable String objection(long rows, OptionalLong before) {
    if (rows < guard.minRows()) {
      return "it has " + rows + " rows, and the guard asks for " + guard.minRows() + " at least";
    }
    if (before.isPresent() && rows < before.getAsLong() * (1 - guard.maxShrink())) {
      long lost = before.getAsLong() - rows;
      return String.format(
          Locale.ROOT,
          "it has %d rows of the %d that the version before it had, %.2f %% less, and the guard is: %s",
          rows,
          before.getAsLong(),
          100.0 * lost / before.getAsLong(),
          guard);
    }
    return null;
  }

  /**
   * Called when the source was seen to have a version, before it is loaded: there is nothing to
   * load while it is the one that is held back.
   *
   * @throws LeatException {@code VERSION_HELD_BACK}
   */
  void checkHeld(String versionId) {
    LeatException failure = held;
    if (failure != null && versionId.equals(heldId) && !loader.accepted(versionId)) {
      throw failure;
    }
  }

  /** The source has a version that is served. */
  void nothingHeld() {
    held = null;
    heldId = null;
    loads.nothingHeldBack();
  }
}
