package dev.leat;

import java.io.Serializable;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How many requests a second are sent to a store. Immutable.
 *
 * <p>Requests are spaced evenly, none is refused: what would be too early waits. An attempt that is
 * made again counts again, and a listing counts once for each thousand objects, as S3 lists them.
 * The rate is kept by each TaskManager for itself and for each dimension for itself.
 */
public final class RequestRate implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final double FEWEST = 0.01;
  private static final double MOST = 1_000_000;

  /** Zero for no limit. */
  private final double perSecond;

  private RequestRate(double perSecond) {
    this.perSecond = perSecond;
  }

  /** As fast as they come. */
  public static RequestRate unlimited() {
    return new RequestRate(0);
  }

  /**
   * At most so many a second.
   *
   * @param requests 0.01 to 1,000,000
   */
  public static RequestRate perSecond(double requests) {
    if (!(requests >= FEWEST && requests <= MOST)) {
      throw new IllegalArgumentException(
          "a rate of "
              + requests
              + " requests a second cannot be kept; use 0.01 to 1000000, or RequestRate.unlimited()");
    }
    return new RequestRate(requests);
  }

  /** The time between two requests, or empty for no limit. */
  public Optional<Duration> spacing() {
    return perSecond == 0
        ? Optional.empty()
        : Optional.of(Duration.ofNanos(Math.round(1e9 / perSecond)));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RequestRate that && perSecond == that.perSecond;
  }

  @Override
  public int hashCode() {
    return Double.hashCode(perSecond);
  }

  @Override
  public String toString() {
    return perSecond == 0 ? "unlimited" : perSecond + " requests a second";
  }
}
