package dev.leat.internal.store;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The time of the system. */
final class SystemStoreTime implements StoreTime {

  @Override
  public long nanoTime() {
    return System.nanoTime();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (new CountDownLatch(1).await(duration.toNanos(), TimeUnit.NANOSECONDS)) {
      throw new IllegalStateException("a latch that nobody counts down was counted down");
    }
  }

  @Override
  public <T> T await(Future<T> result, long deadline)
      throws InterruptedException, ExecutionException, TimeoutException {
    return result.get(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
  }
}
