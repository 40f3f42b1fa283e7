package dev.leat.internal.store;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;

/**
 * The time of the decorators: a monotonic clock, and the two ways in which they wait. Tests move it
 * by hand. Thread-safe.
 */
public interface StoreTime {

  /** The time of the system. */
  static StoreTime system() {
    return new SystemStoreTime();
  }

  /** Nanoseconds since an arbitrary moment; never goes back. */
  long nanoTime();

  /** Waits. */
  void sleep(Duration duration) throws InterruptedException;

  /**
   * Waits for a result.
   *
   * @param deadline a reading of {@link #nanoTime()}
   * @throws TimeoutException if there is none by the deadline
   */
  <T> T await(Future<T> result, long deadline)
      throws InterruptedException, ExecutionException, TimeoutException;
}
