package dev.leat;

import static java.util.Objects.requireNonNull;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How long versions are kept that are served no more, because a retained checkpoint or savepoint
 * may need them. Immutable.
 *
 * <pre>{@code
 * VersionRetention.keep(10).forAtLeast(Duration.ofDays(7))
 * }</pre>
 *
 * <p>A version is removed, from the local disk and from remote tiers, when enough newer ones are
 * there <em>and</em> the time has passed since the source was last seen to have it. On the local
 * disk the budget comes first: where it is used up, the versions that nobody uses go, the least
 * recently used ones first. While no job runs nothing is removed.
 */
public final class VersionRetention implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Duration DEFAULT_TIME = Duration.ofHours(1);

  private final int versions;
  private final Duration time;

  private VersionRetention(int versions, Duration time) {
    this.versions = versions;
    this.time = time;
  }

  /** The default: the three newest versions, and all that were current within the last hour. */
  public static VersionRetention standard() {
    return keep(3);
  }

  /**
   * Keeps the newest versions, and all that were current within the last hour.
   *
   * @param versions how many, the served one included; at least 1
   */
  public static VersionRetention keep(int versions) {
    if (versions < 1) {
      throw new IllegalArgumentException(
          "cannot keep " + versions + " versions; the served one is kept always: use 1 or more");
    }
    return new VersionRetention(versions, DEFAULT_TIME);
  }

  /**
   * The same with another time.
   *
   * @param time for how long a version is kept after the source was last seen to have it; zero for
   *     none
   */
  public VersionRetention forAtLeast(Duration time) {
    requireNonNull(time, "time");
    if (time.isNegative()) {
      throw new IllegalArgumentException(
          "a time of " + time + " is negative; use zero to keep versions by their number only");
    }
    return new VersionRetention(versions, time);
  }

  /** How many of the newest versions are kept, the served one included. */
  public int versions() {
    return versions;
  }

  /** For how long a version is kept after the source was last seen to have it. */
  public Duration time() {
    return time;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof VersionRetention that
        && versions == that.versions
        && time.equals(that.time);
  }

  @Override
  public int hashCode() {
    return Objects.hash(versions, time);
  }

  @Override
  public String toString() {
    return versions + " versions, and all that were current within " + time;
  }
}
