package dev.leat;

import java.io.Serializable;

/**
 * What is done with a row that cannot be read: a cell that the target cannot hold, a key that is
 * not of the key's type, a line that a strict format refuses. Skipped rows are counted, and samples
 * are logged; none is skipped silently.
 *
 * @param maxRows how many may be skipped in one version before it is refused; 0 to fail at the
 *     first
 * @param maxShare the largest share of the rows of one version that may be skipped, from 0 to 1;
 *     checked beside {@code maxRows} when the whole table is read
 */
public record MalformedRows(long maxRows, double maxShare) implements Serializable {
  /** The share that is skipped by default: one row in a thousand. */
  public static final double DEFAULT_SHARE = 0.001;

  /** Checks the bounds. */
  public MalformedRows {
    if (maxRows < 0) {
      throw new IllegalArgumentException(
          "at most " + maxRows + " malformed rows cannot be skipped; use 0 or more");
    }
    if (!(maxShare >= 0 && maxShare <= 1)) {
      throw new IllegalArgumentException(
          "a share of " + maxShare + " malformed rows cannot be skipped; use 0 to 1");
    }
  }

  /**
   * Refuses the version at the first malformed row; the error names file, byte offset, line, column
   * and reason.
   */
  public static MalformedRows fail() {
    return new MalformedRows(0, 0);
  }

  /** Skips all malformed rows. */
  public static MalformedRows skip() {
    return new MalformedRows(Long.MAX_VALUE, 1);
  }

  /**
   * Skips up to {@code rows} malformed rows in one version, and refuses the version if there are
   * more.
   */
  public static MalformedRows skipUpTo(long rows) {
    return new MalformedRows(rows, 1);
  }

  /**
   * Skips malformed rows while they are at most the given share of all rows of the version, e.g.
   * 0.001.
   */
  public static MalformedRows skipShare(double share) {
    return new MalformedRows(Long.MAX_VALUE, share);
  }
}
