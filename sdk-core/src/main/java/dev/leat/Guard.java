package dev.leat;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which new versions of a dimension are held back, because a table that is suddenly empty or much
 * smaller is seldom meant: serving it would make misses of most events. Immutable.
 *
 * <pre>{@code
 * Guard.standard().minRows(1_000_000).maxShrink(0.2)
 * }</pre>
 *
 * <p>The old version goes on serving while a new one is held back, which counts as a failed refresh
 * ({@link ErrorCode#VERSION_HELD_BACK}); the version that a job would begin with fails its start if
 * there is no older one. {@code docs/operations.md} says how a version that was held back is let
 * through.
 */
public final class Guard implements Serializable {
  private static final long serialVersionUID = 1L;

  private final long minRows;
  private final double maxShrink;

  private Guard(long minRows, double maxShrink) {
    this.minRows = minRows;
    this.maxShrink = maxShrink;
  }

  /** Holds no version back. */
  public static Guard none() {
    return new Guard(0, 1);
  }

  /** Holds back a version that has no row at all where the one before it had some. */
  public static Guard standard() {
    // The largest share below the whole: all rows but a part of one may go.
    return new Guard(0, Math.nextDown(1.0));
  }

  /** Holds back versions that have fewer rows. */
  public Guard minRows(long rows) {
    if (rows < 0) {
      throw new IllegalArgumentException(
          "a version cannot have " + rows + " rows; give the least number, or 0 for any");
    }
    return new Guard(rows, maxShrink);
  }

  /**
   * Holds back versions that lack more than a share of the rows which the version before them had.
   *
   * @param share 0 (no row less) to 1 (however many)
   */
  public Guard maxShrink(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "a shrink by " + share + " is not a share; use 0 (no row less) to 1 (however many)");
    }
    return new Guard(minRows, share);
  }

  /** The least number of rows. */
  public long minRows() {
    return minRows;
  }

  /** The largest share of rows that may go. */
  public double maxShrink() {
    return maxShrink;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Guard that && minRows == that.minRows && maxShrink == that.maxShrink;
  }

  @Override
  public int hashCode() {
    return Objects.hash(minRows, maxShrink);
  }

  @Override
  public String toString() {
    if (minRows == 0 && maxShrink == 1) {
      return "none";
    }
    String shrink =
        maxShrink == 1
            ? "of any shrink"
            : maxShrink == Math.nextDown(1.0)
                ? "not suddenly empty"
                : "shrunk by at most " + 100 * maxShrink + " %";
    return (minRows == 0 ? "" : "at least " + minRows + " rows, ") + shrink;
  }
}
