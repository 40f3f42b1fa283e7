package dev.leat.internal.text;

/** What is done with a line that does not fit the columns. */
public enum Strictness {
  /**
   * As Hive: missing cells and those that cannot be read are NULL, superfluous ones are left out.
   */
  LENIENT,
  /** The row is malformed. */
  STRICT
}
