package dev.leat.benchmarks.pipeline;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;

/**
 * The CPU time of the thread of a chain of operators, in windows of events. Its owner is the first
 * of the chain, so that all that the chain does for an event is in the window of that event; what
 * comes before the windows warms up.
 */
final class TaskClock {
  /** Windows per job. */
  static final int WINDOWS = 3;

  private static final AtomicLongArray NANOS = new AtomicLongArray(WINDOWS);
  private static final AtomicLongArray EVENTS = new AtomicLongArray(WINDOWS);

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final long warmUp;
  private final long window;
  private long events;
  private long next;
  private long began;

  /**
   * A clock of a subtask.
   *
   * @param warmUp events that are not measured
   * @param window events per window
   */
  TaskClock(long warmUp, long window) {
    this.warmUp = warmUp;
    this.window = window;
    this.next = warmUp;
  }

  static void reset() {
    for (int i = 0; i < WINDOWS; i++) {
      NANOS.set(i, 0);
      EVENTS.set(i, 0);
    }
  }

  /** The CPU time per event of each window that had events in any subtask, in microseconds. */
  static double[] microsPerEvent() {
    double[] micros = new double[WINDOWS];
    int full = 0;
    for (int i = 0; i < WINDOWS; i++) {
      if (EVENTS.get(i) > 0) {
        micros[full++] = NANOS.get(i) / 1e3 / EVENTS.get(i);
      }
    }
    return Arrays.copyOf(micros, full);
  }

  /** Counts an event, and gives its number in this subtask. */
  long event() {
    long number = events++;
    if (number == next) {
      turn(number);
    }
    return number;
  }

  private void turn(long number) {
    long now = threads.getCurrentThreadCpuTime();
    add(number, now);
    began = now;
    next += window;
  }

  private void add(long number, long now) {
    int closed = (int) ((next - warmUp) / window) - 1;
    if (closed >= 0 && closed < WINDOWS) {
      NANOS.addAndGet(closed, now - began);
      EVENTS.addAndGet(closed, number - (next - window));
    }
  }

  /** Ends the window that is open, if any. */
  void close() {
    if (events > warmUp) {
      add(events, threads.getCurrentThreadCpuTime());
    }
  }
}
