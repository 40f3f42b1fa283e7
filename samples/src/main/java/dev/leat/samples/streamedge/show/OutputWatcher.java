package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.EnrichedPlay;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Follows the job's committed output while it runs, so that the person sees each switch of versions
 * where it counts: in the output.
 */
final class OutputWatcher implements AutoCloseable {
  private static final int SAMPLES = 4;

  /**
   * What has been seen so far.
   *
   * @param events how many
   * @param misses those without a customer
   * @param byVersion those of each edition of the table
   */
  record Seen(long events, long misses, Map<Integer, Long> byVersion) {

    long ofVersion(int version) {
      return byVersion.getOrDefault(version, 0L);
    }
  }

  private final Thread thread;
  private final Map<Integer, Long> byVersion = new TreeMap<>();
  private final Deque<EnrichedPlay> latestMatched = new ArrayDeque<>();
  private @Nullable EnrichedPlay latestUnknown;
  private @Nullable EnrichedPlay latestWithoutKey;
  private long events;
  private long misses;
  private @Nullable Throwable failure;
  private volatile boolean stopping;

  OutputWatcher(String brokers, String topic) {
    thread = new Thread(() -> run(brokers, topic), "output-watcher");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  synchronized Seen seen() {
    return new Seen(events, misses, Map.copyOf(byVersion));
  }

  /** The latest events with a customer, then the latest of an unknown customer and of none. */
  synchronized List<EnrichedPlay> samples() {
    List<EnrichedPlay> samples = new ArrayList<>(latestMatched);
    Stream.of(latestUnknown, latestWithoutKey).filter(Objects::nonNull).forEach(samples::add);
    return samples;
  }

  /**
   * Waits until the output is as wanted.
   *
   * @param what what is waited for, for the error
   * @throws IllegalStateException if it is not so in time
   */
  synchronized Seen await(String what, Duration atMost, Predicate<Seen> wanted)
      throws InterruptedException {
    long end = System.nanoTime() + atMost.toNanos();
    while (true) {
      if (failure != null) {
        throw new IllegalStateException("the job or its output failed: " + failure, failure);
      }
      Seen seen = seen();
      if (wanted.test(seen)) {
        return seen;
      }
      long left = (end - System.nanoTime()) / 1_000_000;
      if (left <= 0) {
        throw new IllegalStateException(
            "within "
                + atMost.toSeconds()
                + " s the output did not show "
                + what
                + "; it has "
                + seen);
      }
      wait(left);
    }
  }

  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join();
  }

  private void run(String brokers, String topic) {
    try (EnrichedTopic output = new EnrichedTopic(brokers, topic)) {
      while (!stopping) {
        List<EnrichedPlay> batch = new ArrayList<>();
        output.poll((message, play) -> batch.add(play));
        if (!batch.isEmpty()) {
          add(batch);
        }
      }
    } catch (RuntimeException e) {
      fail(e);
    }
  }

  private synchronized void add(List<EnrichedPlay> batch) {
    events += batch.size();
    for (EnrichedPlay play : batch) {
      Integer version = play.validVersion();
      if (version != null) {
        byVersion.merge(version, 1L, Long::sum);
        latestMatched.addLast(play);
        if (latestMatched.size() > SAMPLES) {
          latestMatched.removeFirst();
        }
      } else {
        misses++;
        if (play.customerId() == null) {
          latestWithoutKey = play;
        } else {
          latestUnknown = play;
        }
      }
    }
    notifyAll();
  }

  /** Lets whoever waits fail with {@code cause}. */
  synchronized void fail(Throwable cause) {
    failure = cause;
    notifyAll();
  }
}
