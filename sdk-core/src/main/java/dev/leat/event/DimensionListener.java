package dev.leat.event;

/**
 * Gets the events of a dimension. Called on the engine's own threads, never on the record path, one
 * event at a time; what it throws is logged and goes no further.
 */
@FunctionalInterface
public interface DimensionListener {

  /** Takes one event; should return soon, since a refresh waits for it. */
  void on(DimensionEvent event);
}
