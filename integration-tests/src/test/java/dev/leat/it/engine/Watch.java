package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.it.engine.RealServers.Customer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks rows up all the time, as a stream would, while a test breaks things: each row must be there
 * and be of one of the versions that were written, and no version may follow on a newer one.
 */
final class Watch implements AutoCloseable {
  private static final int KEYS = 1_000;
  private static final int AT_A_TIME = 50;
  private static final Duration SOON = Duration.ofMinutes(1);

  private final DimensionService<Long, Customer> service;
  private final List<String> names;
  private final FutureTask<Void> work = new FutureTask<>(this::look, null);
  private volatile long lookups;
  private volatile int newest;
  private volatile boolean ended;

  private Watch(DimensionService<Long, Customer> service, List<String> names) {
    this.service = service;
    this.names = names;
  }

  /** Begins to look. */
  static Watch over(DimensionService<Long, Customer> service, String... namesInTheirOrder) {
    Watch watch = new Watch(service, List.of(namesInTheirOrder));
    Thread thread = new Thread(watch.work, "watch");
    thread.setDaemon(true);
    thread.start();
    return watch;
  }

  private void look() {
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      while (!ended) {
        reader.advance();
        for (int i = 0; i < AT_A_TIME; i++) {
          check(reader, lookups % KEYS);
          lookups++;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1)); // leaves the processor to others
      }
    }
  }

  private void check(DimensionReader<Long, Customer> reader, long id) {
    Customer row = reader.find(id);
    assertThat(row).as("the row of %s", id).isNotNull();
    String[] words = row.name().split(" ", -1);
    assertThat(words[1]).isEqualTo(Long.toString(id));
    int version = names.indexOf(words[0]);
    assertThat(version).as("the version of %s", row).isGreaterThanOrEqualTo(newest);
    newest = version;
  }

  /** Waits until all keys were looked up from now on. */
  void awaitLookups() {
    long until = lookups + KEYS;
    await().atMost(SOON).until(() -> work.isDone() || lookups >= until);
    assertThat(work.isDone()).isFalse();
  }

  /** Waits until a version is seen. */
  void awaitName(String name) {
    await().atMost(SOON).until(() -> work.isDone() || newest == names.indexOf(name));
  }

  /** Fails if a row was wrong. */
  @Override
  public void close() throws InterruptedException, TimeoutException {
    ended = true;
    try {
      work.get(SOON.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw new AssertionError("a lookup was not answered as it should be", e.getCause());
    }
    assertThat(lookups).isPositive();
  }
}
