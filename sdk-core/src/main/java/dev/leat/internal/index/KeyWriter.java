package dev.leat.internal.index;

/** Writes the values of a user's key into a key buffer. */
interface KeyWriter {

  /** Writes the values of {@code key}. */
  void write(KeyBuffer buffer, Object key);
}
