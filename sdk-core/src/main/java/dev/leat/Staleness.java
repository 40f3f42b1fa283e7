package dev.leat;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What happens when the served version can no longer be shown to be the current one, because
 * looking at the source or building its new version keeps failing. The age of a version is the time
 * since the source was last seen to have it. Immutable.
 */
public final class Staleness implements Serializable {
  private static final long serialVersionUID = 1L;

  private final @Nullable Duration limit;

  private Staleness(@Nullable Duration limit) {
    this.limit = limit;
  }

  /**
   * Serves the last good version for as long as it takes; its age is a metric, and each failure is
   * logged.
   */
  public static Staleness serveForever() {
    return new Staleness(null);
  }

  /**
   * Serves the last good version until its age passes {@code limit}, then fails the job with {@link
   * ErrorCode#STALE}.
   *
   * @param limit a positive time; more than the refresh interval
   */
  public static Staleness failAfter(Duration limit) {
    requireNonNull(limit, "limit");
    if (limit.isNegative() || limit.isZero()) {
      throw new IllegalArgumentException(
          "a limit of "
              + limit
              + " is not positive; give the largest age that you accept, or use Staleness.serveForever()");
    }
    return new Staleness(limit);
  }

  /** The largest age that is served, or empty for any. */
  public Optional<Duration> limit() {
    return Optional.ofNullable(limit);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Staleness that && Objects.equals(limit, that.limit);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(limit);
  }

  @Override
  public String toString() {
    return limit == null ? "serve forever" : "fail after " + limit;
  }
}
