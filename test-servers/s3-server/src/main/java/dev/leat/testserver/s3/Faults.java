package dev.leat.testserver.s3;

import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsErrorDetails;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.S3Exception;

/** The faults that are pending, and the count of the requests that came. Thread-safe. */
final class Faults {

  private final long latencyMillis;
  private final CopyOnWriteArrayList<Pending> pending = new CopyOnWriteArrayList<>();
  private final ConcurrentMap<String, LongAdder> operations = new ConcurrentHashMap<>();
  private final AtomicInteger held = new AtomicInteger();
  private volatile CountDownLatch release = new CountDownLatch(1);

  Faults(long latencyMillis) {
    this.latencyMillis = latencyMillis;
  }

  void add(Fault fault) {
    pending.add(new Pending(fault, new AtomicInteger(fault.times())));
  }

  void clear() {
    pending.clear();
  }

  /** The number of requests so far, e.g. {@code GET=3 LIST=1}. */
  String operations() {
    return new TreeMap<>(operations)
        .entrySet().stream()
            .map(entry -> entry.getKey() + "=" + entry.getValue().sum())
            .collect(Collectors.joining(" "));
  }

  /**
   * Called at the begin of every request: waits or throws as the faults say.
   *
   * @return a {@link Fault.Kind#RESET} that the content's stream has to commit, or null
   */
  @Nullable Fault strike(String operation, @Nullable String nullableKey) {
    operations.computeIfAbsent(operation, any -> new LongAdder()).increment();
    pause(latencyMillis);
    String key = nullableKey == null ? "" : nullableKey;
    for (Pending candidate : pending) {
      if (candidate.fault.fits(operation, key) && candidate.left.getAndDecrement() > 0) {
        return commit(candidate.fault);
      }
    }
    return null;
  }

  private @Nullable Fault commit(Fault fault) {
    switch (fault.kind()) {
      case SLOW_DOWN -> throw error(503, "SlowDown", "Please reduce your request rate.");
      case INTERNAL_ERROR -> throw error(500, "InternalError", "We encountered an internal error.");
      case ACCESS_DENIED -> throw error(403, "AccessDenied", "Access Denied");
      case EXPIRED_TOKEN -> throw error(400, "ExpiredToken", "The provided token has expired.");
      case QUOTA_EXCEEDED -> throw error(403, "QuotaExceeded", "The quota is used up.");
      case HOLD -> {
        hold();
        return null;
      }
      case DELAY -> {
        pause(fault.millis());
        return null;
      }
      case RESET -> {
        return fault;
      }
    }
    throw new IllegalStateException("no such kind: " + fault.kind());
  }

  private void hold() {
    CountDownLatch until = release;
    held.incrementAndGet();
    try {
      until.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      held.decrementAndGet();
    }
  }

  /** How many requests are being held. */
  int held() {
    return held.get();
  }

  /** Lets all go that are held. */
  void release() {
    CountDownLatch until = release;
    release = new CountDownLatch(1);
    until.countDown();
  }

  private static RuntimeException error(int status, String code, String message) {
    return S3Exception.builder()
        .statusCode(status)
        .message(message)
        .awsErrorDetails(
            AwsErrorDetails.builder()
                .errorCode(code)
                .errorMessage(message)
                .sdkHttpResponse(SdkHttpResponse.builder().statusCode(status).build())
                .build())
        .build();
  }

  private static void pause(long millis) {
    if (millis <= 0) {
      return;
    }
    try {
      // A latch that nobody opens: the wait is the fault.
      boolean opened = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
      assert !opened;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private record Pending(Fault fault, AtomicInteger left) {}
}
