package dev.leat.internal.index;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** The threads of one build. */
final class Workers implements AutoCloseable {
  private final int threads;
  private final ExecutorService executor;

  Workers(int threads) {
    this.threads = threads;
    AtomicInteger number = new AtomicInteger();
    this.executor =
        Executors.newFixedThreadPool(
            threads,
            task -> {
              Thread thread = new Thread(task, "leat-index-build-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** Runs all tasks, each on some thread, and gives up at the first failure. */
  void run(Stream<Integer> tasks, IntConsumer task) {
    Iterator<Integer> queue = tasks.iterator();
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      futures.add(
          executor.submit(
              () -> {
                while (true) {
                  int next;
                  synchronized (queue) {
                    if (!queue.hasNext()) {
                      return;
                    }
                    next = queue.next();
                  }
                  boolean done = false;
                  try {
                    task.accept(next);
                    done = true;
                  } finally {
                    if (!done) {
                      drain(queue);
                    }
                  }
                }
              }));
    }
    for (Future<?> future : futures) {
      result(future);
    }
  }

  /** Takes the rest of the tasks away, so that the other threads stop, too. */
  private static void drain(Iterator<Integer> queue) {
    synchronized (queue) {
      while (queue.hasNext()) {
        queue.next();
      }
    }
  }

  /**
   * Begins {@code count} tasks, a few more than there are threads at a time, whose results are
   * taken in order.
   */
  <T> Ordered<T> ordered(int count, IntFunction<T> task) {
    return new Ordered<>(count, task);
  }

  private static <T> T result(Future<T> future) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get();
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      if (e.getCause() instanceof Error cause) {
        throw cause;
      }
      throw new IllegalStateException(e.getCause());
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Waits until the threads have left their tasks, which end soon since a build that fails is
   * cancelled piece by piece.
   */
  @Override
  public void close() {
    executor.shutdown();
    boolean interrupted = false;
    while (true) {
      try {
        if (executor.awaitTermination(1, TimeUnit.DAYS)) {
          break;
        }
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Results in the order of their tasks. */
  final class Ordered<T> implements AutoCloseable {
    private final int count;
    private final IntFunction<T> task;
    private final Queue<Future<T>> running = new ArrayDeque<>();
    private int begun;

    Ordered(int count, IntFunction<T> task) {
      this.count = count;
      this.task = task;
    }

    /** The next result. */
    T next() {
      while (begun < count && running.size() < threads + 2) {
        int number = begun++;
        Callable<T> call = () -> task.apply(number);
        running.add(executor.submit(call));
      }
      return result(running.remove());
    }

    /** Takes back what has not begun. */
    @Override
    public void close() {
      for (Future<T> future : running) {
        future.cancel(false);
      }
    }
  }
}
