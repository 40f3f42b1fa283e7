package dev.leat.internal.engine;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** The staleness policy at work. Thread-safe. */
final class AgeLimit {
  private final ServiceRequest<?, ?> request;
  private final Clock clock;
  private final LoadStatistics loads;

  /** The age in whole milliseconds below which a version is certainly not too old. */
  private final long staleMillis;

  AgeLimit(ServiceRequest<?, ?> request, Clock clock, LoadStatistics loads) {
    this.request = request;
    this.clock = clock;
    this.loads = loads;
    this.staleMillis =
        request.staleness().limit().map(AgeLimit::saturatedMillis).orElse(Long.MAX_VALUE);
  }

  /** The milliseconds of a duration, at most as many as a long holds. */
  static long saturatedMillis(Duration duration) {
    return duration.compareTo(Duration.ofMillis(Long.MAX_VALUE)) > 0
        ? Long.MAX_VALUE
        : duration.toMillis();
  }

  /**
   * Throws if a version is older than the policy allows. Is called for each record: as long as all
   * is well it reads the clock's milliseconds and nothing else.
   *
   * @throws LeatException {@code STALE}
   */
  void check(ServedVersion served) {
    long age = clock.millis() - served.seenMillis();
    if (age >= 0 && age < staleMillis) {
      return;
    }
    checkExactly(served);
  }

  private void checkExactly(ServedVersion served) {
    Duration limit = request.staleness().limit().orElse(null);
    if (limit == null) {
      return;
    }
    Duration age = served.age(clock.instant());
    Instant seen = served.seen();
    if (age.compareTo(limit) > 0) {
      throw new LeatException(
          ErrorCode.STALE,
          "Dimension '"
              + request.dimension().name()
              + "': version "
              + served.id()
              + " was last seen to be current at "
              + seen
              + ", "
              + age
              + " ago, and the policy is to "
              + request.staleness()
              + "; "
              + loads
                  .snapshot()
                  .latestFailure()
                  .map(message -> "the refresh fails: " + message)
                  .orElse(
                      "the source was not looked at since; the refresh interval is "
                          + request.refresh())
              + ". Repair the source, or allow a greater age with Staleness.serveForever() or failAfter(…)");
    }
  }
}
