package dev.leat.internal.store;

import dev.leat.spi.StoreException.Kind;
import java.time.Duration;
import java.util.Map;

/**
 * What a {@link ResilientStore} has done so far.
 *
 * @param requests requests that reached the store, each attempt of its own; every operation has an
 *     entry
 * @param durations the time that they took in sum, of those that have ended
 * @param failures those that failed, by kind; every kind has an entry
 * @param bytesRead bytes that reads and streams brought
 * @param retries attempts that were made again
 * @param timeouts calls that were abandoned at their deadline
 * @param refused calls that the open circuit breaker refused
 */
public record StoreStatistics(
    Map<Operation, Long> requests,
    Map<Operation, Duration> durations,
    Map<Kind, Long> failures,
    long bytesRead,
    long retries,
    long timeouts,
    long refused) {

  /** Copies the maps. */
  public StoreStatistics {
    requests = Map.copyOf(requests);
    durations = Map.copyOf(durations);
    failures = Map.copyOf(failures);
  }

  /** All requests that reached the store. */
  public long totalRequests() {
    return requests.values().stream().mapToLong(Long::longValue).sum();
  }

  /** All requests that failed or were abandoned. */
  public long totalFailures() {
    return failures.values().stream().mapToLong(Long::longValue).sum() + timeouts;
  }
}
