package dev.leat.testkit;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.Callable;
import java.util.concurrent.Delayed;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Runs tasks when the time of a {@link ManualClock} is moved. */
final class ManualScheduler extends AbstractExecutorService implements ScheduledExecutorService {
  private final PriorityQueue<Task<?>> tasks = new PriorityQueue<>();

  /** Nanoseconds since the start; only goes forward. */
  private long elapsed;

  /** What the clock shows when nothing has elapsed. */
  private Instant origin;

  private long taskCount;
  private boolean shutdown;

  ManualScheduler(Instant origin) {
    this.origin = origin;
  }

  synchronized Instant now() {
    return origin.plusNanos(elapsed);
  }

  synchronized void setBack(Duration by) {
    origin = origin.minus(by);
  }

  synchronized int waitingTasks() {
    return tasks.size();
  }

  private synchronized long elapsed() {
    return elapsed;
  }

  void advance(Duration by) {
    long until = Math.addExact(elapsed(), by.toNanos());
    for (Task<?> task = nextUntil(until); task != null; task = nextUntil(until)) {
      task.run(); // without the lock: it may schedule, or wait for another thread that does
    }
  }

  /** Moves to the next task that is due and takes it; or moves to the end. */
  private synchronized @Nullable Task<?> nextUntil(long until) {
    Task<?> task = tasks.peek();
    if (task == null || task.due > until) {
      elapsed = Math.max(elapsed, until);
      return null;
    }
    elapsed = Math.max(elapsed, task.due);
    return tasks.poll();
  }

  private synchronized <V> Task<V> add(Callable<V> work, long delay, long period, TimeUnit unit) {
    requireNonNull(work, "work");
    if (shutdown) {
      throw new RejectedExecutionException("the scheduler of this ManualClock is shut down");
    }
    long due = elapsed + Math.max(0, unit.toNanos(delay));
    Task<V> task = new Task<>(work, due, unit.toNanos(period), taskCount++);
    tasks.add(task);
    return task;
  }

  private synchronized void addAgain(Task<?> task, long due) {
    if (!shutdown) {
      task.due = due;
      tasks.add(task);
    }
  }

  private synchronized void remove(Task<?> task) {
    tasks.remove(task);
  }

  private static Callable<@Nullable Void> callable(Runnable runnable) {
    requireNonNull(runnable, "runnable");
    return () -> {
      runnable.run();
      return null;
    };
  }

  /** Nobody gets a future of it, so what it throws goes where an executor of the JDK sends it. */
  @Override
  public void execute(Runnable command) {
    requireNonNull(command, "command");
    Task<?> unused =
        add(
            callable(
                () -> {
                  try {
                    command.run();
                  } catch (RuntimeException | Error e) {
                    Thread thread = Thread.currentThread();
                    thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
                  }
                }),
            0,
            0,
            TimeUnit.NANOSECONDS);
  }

  @Override
  public ScheduledFuture<?> schedule(Runnable command, long delay, TimeUnit unit) {
    return add(callable(command), delay, 0, unit);
  }

  @Override
  public <V> ScheduledFuture<V> schedule(Callable<V> callable, long delay, TimeUnit unit) {
    return add(callable, delay, 0, unit);
  }

  @Override
  public ScheduledFuture<?> scheduleAtFixedRate(
      Runnable command, long initialDelay, long period, TimeUnit unit) {
    return add(callable(command), initialDelay, positive(period), unit);
  }

  /** The same as at a fixed rate, since a task takes no time unless it moves the clock itself. */
  @Override
  public ScheduledFuture<?> scheduleWithFixedDelay(
      Runnable command, long initialDelay, long delay, TimeUnit unit) {
    return add(callable(command), initialDelay, positive(delay), unit);
  }

  private static long positive(long period) {
    if (period <= 0) {
      throw new IllegalArgumentException("a period of " + period + " is not positive");
    }
    return period;
  }

  @Override
  public synchronized void shutdown() {
    shutdown = true;
  }

  @Override
  public synchronized List<Runnable> shutdownNow() {
    shutdown = true;
    List<Runnable> waiting = List.copyOf(tasks);
    tasks.clear();
    return waiting;
  }

  @Override
  public synchronized boolean isShutdown() {
    return shutdown;
  }

  @Override
  public synchronized boolean isTerminated() {
    return shutdown && tasks.isEmpty();
  }

  /** Does not wait, since only the test moves the time. */
  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return isTerminated();
  }

  private final class Task<V> extends FutureTask<V> implements ScheduledFuture<V> {
    private final long period;
    private final long number;
    private long due;

    Task(Callable<V> work, long due, long period, long number) {
      super(work);
      this.due = due;
      this.period = period;
      this.number = number;
    }

    @Override
    public void run() {
      if (period == 0) {
        super.run();
      } else if (runAndReset()) {
        addAgain(this, due + period);
      }
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
      remove(this);
      return super.cancel(mayInterruptIfRunning);
    }

    @Override
    public long getDelay(TimeUnit unit) {
      return unit.convert(due - elapsed(), TimeUnit.NANOSECONDS);
    }

    @Override
    public int compareTo(Delayed other) {
      Task<?> task = (Task<?>) other;
      int byTime = Long.compare(due, task.due);
      return byTime != 0 ? byTime : Long.compare(number, task.number);
    }
  }
}
