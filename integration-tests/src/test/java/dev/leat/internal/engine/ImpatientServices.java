package dev.leat.internal.engine;

import dev.leat.DataSize;
import dev.leat.event.DimensionListener;
import dev.leat.internal.store.ImmutableResilienceSettings;
import dev.leat.internal.store.ResilienceSettings;
import dev.leat.internal.store.StoreTime;
import dev.leat.internal.store.Stores;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * Services whose stores have deadlines of seconds and circuit breakers that try again within one,
 * so that a test sees in seconds what takes minutes with the settings of production. The shapes are
 * the same: several attempts with growing pauses, a bound for all of them, a breaker.
 */
public final class ImpatientServices {

  /** How long one call may take. */
  public static final Duration CALL = Duration.ofSeconds(2);

  /**
   * How long a refresh may take in which one store does not answer at all: the attempts of one call
   * are within this; then the breaker is open, or the tier is passed over. The rest is room for a
   * slow machine; a client by itself would take minutes.
   */
  public static final Duration LONGEST_REFRESH = Duration.ofSeconds(20);

  private static final ResilienceSettings SOURCE =
      ImmutableResilienceSettings.builder()
          .attempts(5)
          .firstBackoff(Duration.ofMillis(20))
          .throttledBackoff(Duration.ofMillis(40))
          .longestBackoff(Duration.ofMillis(200))
          .retryFor(Duration.ofSeconds(6))
          .callTimeout(CALL)
          .bulkTimeout(CALL)
          .breakerWindow(8)
          .breakerFailures(4)
          .breakerOpenFor(Duration.ofMillis(200))
          .breakerOpenAtMost(Duration.ofMillis(500))
          .build();

  private static final ResilienceSettings TIER =
      ImmutableResilienceSettings.builder()
          .attempts(2)
          .firstBackoff(Duration.ofMillis(20))
          .longestBackoff(Duration.ofMillis(200))
          .retryFor(Duration.ofSeconds(6))
          .callTimeout(CALL)
          .bulkTimeout(CALL.multipliedBy(4))
          .breakerWindow(4)
          .breakerFailures(2)
          .breakerOpenFor(Duration.ofMillis(200))
          .breakerOpenAtMost(Duration.ofMillis(500))
          .build();

  private ImpatientServices() {}

  /** A handle to a service that begins to work when the listener is there. */
  public static <K, D> DimensionService<K, D> acquire(
      ServiceRequest<K, D> request, ServiceEnvironment environment, DimensionListener listener) {
    CountDownLatch heard = new CountDownLatch(1);
    DimensionService<K, D> service =
        DimensionServices.acquire(request, environment, settings(heard));
    service.addListener(listener);
    heard.countDown();
    return service;
  }

  private static EngineSettings settings(CountDownLatch heard) {
    return new EngineSettings(
        2,
        64 << 10,
        DataSize.ofMebibytes(16),
        3,
        Duration.ofMillis(20),
        Duration.ofMillis(20),
        Duration.ofMillis(50),
        20,
        Duration.ofSeconds(1),
        Duration.ofHours(1),
        SOURCE,
        TIER,
        StoreTime.system(),
        (location, context) -> {
          try {
            heard.await();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted before the listener was there");
          }
          return Stores.open(location, context);
        });
  }
}
