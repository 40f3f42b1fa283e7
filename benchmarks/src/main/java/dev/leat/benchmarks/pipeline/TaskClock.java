package dev.leat.benchmarks.pipeline;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The CPU time of a job in windows of events: that of the threads of its chains of operators, and
 * that of the whole process, with the collection of the garbage that the job makes. The owner of a
 * clock is the first of a chain, so that all that the chain does for an event is in the window of
 * that event; what comes before the windows warms up.
 */
final class TaskClock {
  /** Windows per job. */
  static final int WINDOWS = 3;

  /** A chain tells how far it is after so many events. */
  private static final int PROGRESS_MASK = 0x3FF;

  private static final AtomicLongArray TASK_NANOS = new AtomicLongArray(WINDOWS);
  private static final AtomicLongArray TASK_EVENTS = new AtomicLongArray(WINDOWS);
  private static final AtomicLongArray PROCESS_NANOS = new AtomicLongArray(WINDOWS);
  private static final AtomicLongArray PROCESS_EVENTS = new AtomicLongArray(WINDOWS);

  /** The events of all chains of the job so far. */
  private static final AtomicLong ALL_EVENTS = new AtomicLong();

  /**
   * The chain whose windows are those of the process: the first one that is warm. In a short job
   * another one may get no event at all.
   */
  private static final AtomicReference<@Nullable TaskClock> FIRST = new AtomicReference<>();

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
  private final OperatingSystemMXBean process =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
  private final long warmUp;
  private final long window;
  private long events;
  private long told;
  private long next;
  private long began;
  private long processBegan;
  private long allBegan;

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
    ALL_EVENTS.set(0);
    FIRST.set(null);
    for (int i = 0; i < WINDOWS; i++) {
      TASK_NANOS.set(i, 0);
      TASK_EVENTS.set(i, 0);
      PROCESS_NANOS.set(i, 0);
      PROCESS_EVENTS.set(i, 0);
    }
  }

  /**
   * The CPU time of the chains' threads per event, of each window that had events, in microseconds.
   */
  static double[] taskMicrosPerEvent() {
    return micros(TASK_NANOS, TASK_EVENTS);
  }

  /** The CPU time of the process per event, of each window that had events, in microseconds. */
  static double[] processMicrosPerEvent() {
    return micros(PROCESS_NANOS, PROCESS_EVENTS);
  }

  private static double[] micros(AtomicLongArray nanos, AtomicLongArray events) {
    double[] micros = new double[WINDOWS];
    int full = 0;
    for (int i = 0; i < WINDOWS; i++) {
      if (events.get(i) > 0) {
        micros[full++] = nanos.get(i) / 1e3 / events.get(i);
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
    if ((number & PROGRESS_MASK) == PROGRESS_MASK) {
      tellProgress();
    }
    return number;
  }

  private void tellProgress() {
    ALL_EVENTS.addAndGet(events - told);
    told = events;
  }

  private void turn(long number) {
    closeWindow(number);
    FIRST.compareAndSet(null, this);
    began = threads.getCurrentThreadCpuTime();
    processBegan = process.getProcessCpuTime();
    allBegan = ALL_EVENTS.get();
    next += window;
  }

  private void closeWindow(long number) {
    int closed = (int) ((next - warmUp) / window) - 1;
    if (closed < 0 || closed >= WINDOWS) {
      return;
    }
    TASK_NANOS.addAndGet(closed, threads.getCurrentThreadCpuTime() - began);
    TASK_EVENTS.addAndGet(closed, number - (next - window));
    if (FIRST.get() == this) {
      PROCESS_NANOS.set(closed, process.getProcessCpuTime() - processBegan);
      PROCESS_EVENTS.set(closed, ALL_EVENTS.get() - allBegan);
    }
  }

  /** Ends the window that is open, if any. */
  void close() {
    if (events > warmUp) {
      closeWindow(events);
    }
  }
}
