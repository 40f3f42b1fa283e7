package dev.leat.internal.store;

import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the requests that really reach a store, each attempt of its own, and how long they take.
 */
final class MeteredStore extends DecoratedStore {
  private final StoreTime time;
  private final Map<Operation, LongAdder> requests = new EnumMap<>(Operation.class);
  private final Map<Operation, LongAdder> nanos = new EnumMap<>(Operation.class);
  private final Map<Kind, LongAdder> failures = new EnumMap<>(Kind.class);
  private final LongAdder bytes = new LongAdder();

  MeteredStore(BlobStore delegate, StoreTime time) {
    super(delegate);
    this.time = time;
    // All keys now, so that the maps never change again and need no lock.
    for (Operation operation : Operation.values()) {
      requests.put(operation, new LongAdder());
      nanos.put(operation, new LongAdder());
    }
    for (Kind kind : Kind.values()) {
      failures.put(kind, new LongAdder());
    }
  }

  @Override
  <T> T call(Operation operation, URI uri, Call<T> call) throws IOException {
    long start = time.nanoTime();
    add(requests, operation, 1);
    try {
      return call.run();
    } catch (StoreException e) {
      add(failures, e.kind(), 1);
      throw e;
    } catch (InterruptedIOException e) {
      throw e; // the caller gave up: no failure of the store, and a deadline counts it as a timeout
    } catch (IOException | RuntimeException e) {
      add(failures, Kind.OTHER, 1);
      throw e;
    } finally {
      add(nanos, operation, time.nanoTime() - start);
    }
  }

  @Override
  void bytesRead(long count) {
    bytes.add(count);
  }

  private static <K> void add(Map<K, LongAdder> counters, K key, long value) {
    LongAdder counter = counters.get(key);
    if (counter != null) {
      counter.add(value);
    }
  }

  /** What was counted so far. */
  StoreStatistics statistics(long retries, long timeouts, long refused) {
    Map<Operation, Long> requestCounts = new EnumMap<>(Operation.class);
    Map<Operation, Duration> durations = new EnumMap<>(Operation.class);
    Map<Kind, Long> failureCounts = new EnumMap<>(Kind.class);
    requests.forEach((operation, count) -> requestCounts.put(operation, count.sum()));
    nanos.forEach((operation, count) -> durations.put(operation, Duration.ofNanos(count.sum())));
    failures.forEach((kind, count) -> failureCounts.put(kind, count.sum()));
    return new StoreStatistics(
        requestCounts, durations, failureCounts, bytes.sum(), retries, timeouts, refused);
  }
}
