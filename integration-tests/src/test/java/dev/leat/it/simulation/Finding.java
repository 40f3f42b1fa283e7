package dev.leat.it.simulation;

/**
 * Something that must not be.
 *
 * @param step in which step it was seen
 */
record Finding(Kind kind, int step, String what) {

  /** The invariant that does not hold. */
  enum Kind {
    /** A row that no version had, of another version, or of one that nobody had announced. */
    WRONG,
    /** A version that is older than the bound, and no alarm. */
    STALE,
    /** An event without output. */
    LOST,
    /** An event with more than one output. */
    DOUBLED,
    /** A thread, mapping, file, stream or pin that is left. */
    LEAK
  }

  @Override
  public String toString() {
    return kind + " in step " + step + ": " + what;
  }
}
