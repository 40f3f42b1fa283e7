package dev.leat.flink.internal.coordination;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Delayed;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;

/**
 * What Flink gives to a subtask, on one thread: a mailbox that does at once what it is given, and
 * timers that fire when the test moves the time on.
 */
final class FakeTask implements MailboxExecutor, ProcessingTimeService {
  private final List<Timer> timers = new ArrayList<>();
  private long now;
  private @Nullable Throwable failure;

  private record Timer(long due, ProcessingTimeCallback callback) {}

  /** What a mail threw, with which a real task would fail. */
  @Nullable Throwable failure() {
    return failure;
  }

  /** How long until the first timer fires; -1 without one. */
  long nextTimer() {
    return timers.stream().mapToLong(timer -> timer.due - now).min().orElse(-1);
  }

  /** Moves the time on. */
  void passes(long millis) throws Exception {
    now += millis;
    List<Timer> due = timers.stream().filter(timer -> timer.due <= now).toList();
    timers.removeAll(due);
    for (Timer timer : due) {
      timer.callback.onProcessingTime(now);
    }
  }

  @Override
  public void execute(
      MailOptions options,
      ThrowingRunnable<? extends Exception> command,
      String description,
      Object... arguments) {
    try {
      command.run();
    } catch (Exception e) {
      failure = e;
    }
  }

  @Override
  public void yield() {
    throw new AssertionError("a subtask waits for nothing");
  }

  @Override
  public boolean tryYield() {
    throw new AssertionError("a subtask waits for nothing");
  }

  @Override
  public boolean shouldInterrupt() {
    return false;
  }

  @Override
  public long getCurrentProcessingTime() {
    return now;
  }

  @Override
  public ScheduledFuture<?> registerTimer(long due, ProcessingTimeCallback callback) {
    timers.add(new Timer(due, callback));
    return new Uncancelled();
  }

  /** A timer that nobody cancels. */
  private static final class Uncancelled extends CompletableFuture<Object>
      implements ScheduledFuture<Object> {
    @Override
    public long getDelay(TimeUnit unit) {
      throw new AssertionError("nobody asks");
    }

    @Override
    public int compareTo(Delayed other) {
      throw new AssertionError("nobody asks");
    }
  }
}
