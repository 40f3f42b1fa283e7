package dev.leat.internal.store;

import static java.util.Objects.requireNonNull;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongUnaryOperator;

/**
 * A store whose calls are bounded in time, repeated where that helps, refused while the store is
 * down, and counted.
 *
 * <p>From the outside in: retries, circuit breaker, rate limit where there is one, deadline, meter,
 * store. So the breaker sees each attempt, each attempt has a deadline that does not count the wait
 * for its turn, and an open breaker ends the retries at once. A caller's thread that is interrupted
 * gets {@link java.io.InterruptedIOException} and stays interrupted.
 */
public final class ResilientStore implements BlobStore {
  private final RetryingStore outermost;
  private final CircuitBreaker breaker;
  private final DeadlineStore deadline;
  private final MeteredStore meter;

  private ResilientStore(
      RetryingStore outermost, CircuitBreaker breaker, DeadlineStore deadline, MeteredStore meter) {
    this.outermost = outermost;
    this.breaker = breaker;
    this.deadline = deadline;
    this.meter = meter;
  }

  /** Puts all decorators over {@code store}, which is closed with this one. */
  public static ResilientStore over(
      BlobStore store, ResilienceSettings settings, StoreTime time, ResilienceListener listener) {
    return over(
        store, settings, time, listener, bound -> ThreadLocalRandom.current().nextLong(bound));
  }

  /** The same with a given source of jitter. */
  static ResilientStore over(
      BlobStore store,
      ResilienceSettings settings,
      StoreTime time,
      ResilienceListener listener,
      LongUnaryOperator random) {
    requireNonNull(store, "store");
    requireNonNull(settings, "settings");
    requireNonNull(time, "time");
    requireNonNull(listener, "listener");
    MeteredStore meter = new MeteredStore(store, time);
    DeadlineStore deadline = new DeadlineStore(meter, settings, time);
    CircuitBreaker breaker = new CircuitBreaker(settings, time, listener);
    BlobStore paced =
        settings
            .requestSpacing()
            .<BlobStore>map(spacing -> new RateLimitedStore(deadline, spacing, time))
            .orElse(deadline);
    RetryingStore outermost =
        new RetryingStore(
            new CircuitBreakingStore(paced, breaker),
            settings,
            time,
            listener,
            new Backoff(settings, random));
    return new ResilientStore(outermost, breaker, deadline, meter);
  }

  /**
   * The state of the circuit breaker. It turns half-open with the first call after its time, not by
   * itself.
   */
  public BreakerState breakerState() {
    return breaker.state();
  }

  /** What was done so far. */
  public StoreStatistics statistics() {
    return meter.statistics(outermost.retries(), deadline.timeouts(), breaker.refused());
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    return outermost.list(directory);
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    return outermost.find(uri);
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    return outermost.open(blob);
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    outermost.publish(file, target);
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    return outermost.publishIfAbsent(content, target);
  }

  @Override
  public void delete(URI uri) throws IOException {
    outermost.delete(uri);
  }

  @Override
  public void close() {
    outermost.close();
  }

  @Override
  public String toString() {
    return outermost.toString();
  }
}
