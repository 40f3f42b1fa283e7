package dev.leat.internal.store;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes only by {@link #advance} and by {@link #sleep}, which returns at once. */
final class ManualStoreTime implements StoreTime {
  private final AtomicLong now =
      new AtomicLong(Long.MAX_VALUE - 1_000); // overflows soon, as System.nanoTime may
  private final List<Duration> sleeps = new ArrayList<>();

  void advance(Duration duration) {
    now.addAndGet(duration.toNanos());
  }

  /** All sleeps so far. */
  synchronized List<Duration> sleeps() {
    return List.copyOf(sleeps);
  }

  @Override
  public long nanoTime() {
    return now.get();
  }

  @Override
  public synchronized void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    sleeps.add(duration);
    advance(duration);
  }

  @Override
  public <T> T await(Future<T> result, long deadline)
      throws InterruptedException, ExecutionException, TimeoutException {
    while (true) {
      try {
        return result.get(
            2, TimeUnit.MILLISECONDS); // only how soon it is seen that the manual time has moved
      } catch (TimeoutException e) {
        if (now.get() - deadline >= 0) {
          throw e;
        }
      }
    }
  }
}
