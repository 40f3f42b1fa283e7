package dev.leat;

/**
 * Which rows of a dimension are kept where several have the same key. Their number is counted in
 * each case. The order is that of the source's files by path and of the rows within a file.
 */
public enum DuplicateKeys {
  /** The last row wins, as in a map that is filled in order. */
  KEEP_LAST,
  /** The first row wins. */
  KEEP_FIRST,
  /** All rows are kept, and a lookup gives all of them, as a SQL join does. */
  KEEP_ALL,
  /** The version is refused. */
  FAIL
}
