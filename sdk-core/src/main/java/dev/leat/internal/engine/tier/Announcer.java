package dev.leat.internal.engine.tier;

import dev.leat.event.DimensionEvent;

/**
 * Takes the events of one dimension: logs what is worth a line and tells the listeners.
 * Thread-safe; does not throw.
 */
public interface Announcer {

  /** The name of the dimension. */
  String dimension();

  /** Takes an event. */
  void announce(DimensionEvent event);
}
