package dev.leat.flink.internal.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.DataSize;
import dev.leat.DimensionVersion;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.Refresh;
import dev.leat.VersionGone;
import dev.leat.event.DimensionListener;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.KnownVersion;
import dev.leat.internal.engine.SteeredDimension;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The coordinator and its subtasks on one thread, with events, answers, barriers, aborts, failures
 * and restarts in a random order. Barriers overtake all orders that a subtask has not read yet, as
 * unaligned ones do.
 */
class RandomRunsTest {
  private static final int SUBTASKS = 3;
  private static final int STEPS = 3_000;

  static List<Long> seeds() {
    long first = Long.getLong("leat.coordination.seed", 1);
    int count = Integer.getInteger("leat.coordination.seeds", 200);
    List<Long> seeds = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      seeds.add(first + i);
    }
    return seeds;
  }

  @ParameterizedTest(name = "seed {0}")
  @MethodSource("seeds")
  void allSubtasksReadOneVersionPerCheckpoint(long seed) throws Exception {
    new Run(seed).run();
  }

  /** A message to a subtask: an order, or a barrier. */
  private record Inbound(@Nullable Order order, long barrier) {}

  /** What was read between two barriers. */
  private record Epoch(int subtask, long afterBarrier, String version) {}

  private static final class Run {
    private final Random random;
    private final JobVersions versions;
    private final List<Task> tasks = new ArrayList<>();
    private final Set<String> announced = new HashSet<>();
    private final Set<Epoch> read = new HashSet<>();
    private long now;
    private int source = 1;
    private boolean faults = true;

    private long lastCheckpoint;
    private long pending = -1;
    private @Nullable Optional<Activation> pendingState;
    private long completed = -1;
    private Optional<Activation> completedState = Optional.empty();
    private final Map<Integer, byte[]> completedTasks = new HashMap<>();

    /** Whether nothing has failed and no checkpoint was aborted since the last one. */
    private boolean calm = true;

    private int switches;

    Run(long seed) {
      this.random = new Random(seed);
      this.versions =
          new JobVersions(
              "customers",
              new Pace(Refresh.every(Duration.ofSeconds(1)).withJitter(0), () -> 0.5),
              (subtask, order) -> tasks.get(subtask).inbound.add(new Inbound(order, -1)));
      for (int i = 0; i < SUBTASKS; i++) {
        tasks.add(new Task(i));
      }
      versions.runs(SUBTASKS, true);
    }

    void run() throws Exception {
      for (int step = 0; step < STEPS; step++) {
        step();
      }
      // In quiet times the job comes to what the source has, and keeps nothing else for long.
      faults = false;
      for (int step = 0; step < 20_000 && !allRead("v" + source); step++) {
        step();
      }
      assertThat(tasks).allMatch(task -> task.reads().equals("v" + source));
      for (int step = 0;
          step < 20_000 && !tasks.stream().allMatch(task -> task.held.isEmpty());
          step++) {
        step();
      }
      assertThat(tasks).allMatch(task -> task.held.isEmpty());
      assertThat(switches).isPositive();
    }

    private boolean allRead(String version) {
      return tasks.stream().allMatch(task -> task.reads().equals(version));
    }

    private void step() throws Exception {
      now += random.nextInt(50);
      Task task = tasks.get(random.nextInt(SUBTASKS));
      switch (random.nextInt(12)) {
        case 0, 1 -> versions.tick(now);
        case 2, 3, 4 -> task.receive();
        case 5, 6 -> task.work();
        case 7 -> task.speak();
        case 8 -> task.proceed();
        case 9 -> {
          if (pending < 0 && tasks.stream().allMatch(each -> each.version != null)) {
            trigger();
          }
        }
        case 10 -> task.read();
        default -> {
          if (faults) {
            fault(task);
          }
        }
      }
    }

    private void fault(Task task) {
      switch (random.nextInt(40)) {
        case 0 -> {
          abort();
          task.fail(Optional.ofNullable(completedTasks.get(task.number)));
        }
        case 1 -> {
          abort();
          versions.reset(completedState);
          for (Task each : tasks) {
            each.fail(Optional.ofNullable(completedTasks.get(each.number)));
          }
        }
        case 2, 3 -> abort();
        case 4, 5, 6, 7, 8 -> source++;
        default -> now += 100;
      }
    }

    private void trigger() {
      pending = ++lastCheckpoint;
      long id = pending;
      versions.checkpoint(
          id,
          now,
          state -> {
            if (pending == id) {
              pendingState = state;
              tasks.forEach(task -> task.inbound.addFirst(new Inbound(null, id)));
            }
          });
    }

    private void abort() {
      calm = false;
      if (pending < 0) {
        return;
      }
      long aborted = pending;
      pending = -1;
      versions.checkpointAborted(aborted);
      for (Task task : tasks) {
        task.snapshot = null;
        // Some see the barrier all the same.
        if (random.nextBoolean()) {
          task.inbound.removeIf(message -> message.barrier() == aborted);
        }
      }
    }

    private void complete() {
      long previous = completed;
      completed = pending;
      completedState = pendingState == null ? Optional.empty() : pendingState;
      pending = -1;
      String expected = completedState.orElseThrow().version().id();
      for (Task task : tasks) {
        byte[] snapshot = task.snapshot;
        assertThat(snapshot).isNotNull();
        assertThat(Codec.activation(snapshot).version().id())
            .as("the state of subtask %s in checkpoint %s", task.number, completed)
            .isEqualTo(expected);
        completedTasks.put(task.number, snapshot);
        task.snapshot = null;
        if (task.version != null) {
          task.version.checkpointComplete(completed);
        }
      }
      if (calm && previous >= 0) {
        Set<String> inEpoch = new HashSet<>();
        for (Epoch epoch : read) {
          if (epoch.afterBarrier() == previous) {
            inEpoch.add(epoch.version());
          }
        }
        assertThat(inEpoch).as("versions read after checkpoint %s", previous).hasSizeLessThan(2);
      }
      calm = true;
      read.removeIf(epoch -> epoch.afterBarrier() < completed);
      versions.checkpointCompleted(completed);
    }

    /** One subtask with its engine. */
    private final class Task implements SteeredDimension<String, String>, MailboxExecutor {
      private final int number;
      private final Deque<Inbound> inbound = new ArrayDeque<>();
      private final Deque<Report> outbound = new ArrayDeque<>();
      private final Deque<Runnable> engine = new ArrayDeque<>();
      private final Set<String> held = new HashSet<>();
      private int attempt;
      private @Nullable Activation restored;
      private @Nullable SubtaskVersion version;
      private @Nullable String active;
      private byte @Nullable [] snapshot;
      private long barrier = -1;

      Task(int number) {
        this.number = number;
      }

      String reads() {
        return active == null ? "" : active;
      }

      /** Goes on with its beginning. */
      void proceed() {
        if (version != null) {
          return;
        }
        Answer answer = versions.answer(new Question.Begin(number, attempt, restored), now);
        if (answer instanceof Answer.Lead) {
          KnownVersion first = known("v" + source);
          announced.add(first.id());
          answer = versions.answer(new Question.Led(number, attempt, first), now);
        }
        if (answer instanceof Answer.Begin begin) {
          if (random.nextInt(3) == 0) {
            // It takes its time to load, and asks anew as a later attempt would.
            return;
          }
          held.add(begin.first().version().id());
          version =
              new SubtaskVersion(
                  "subtask " + number,
                  "customers",
                  this,
                  event -> outbound.add((Report) event),
                  this,
                  begin.first());
          if (begin.next().isPresent()) {
            held.add(begin.next().get().version().id());
            version.alsoHolds(begin.next().get());
          }
          versions.reachable(number, attempt);
          version.began();
        }
      }

      void receive() {
        Inbound message = inbound.poll();
        if (message == null) {
          return;
        }
        if (version == null) {
          // Flink has no barrier for a task that does not run; orders to it are lost.
          return;
        }
        if (message.order() != null) {
          version.handle(message.order());
        } else {
          String before = reads();
          byte[] state = version.atBarrier(message.barrier());
          barrier = message.barrier();
          if (!before.equals(reads())) {
            switches++;
          }
          if (message.barrier() == pending) {
            snapshot = state;
            if (tasks.stream().allMatch(task -> task.snapshot != null)) {
              complete();
            }
          }
        }
      }

      void work() {
        Runnable next = engine.poll();
        if (next != null) {
          next.run();
        }
      }

      void speak() {
        Report next = outbound.poll();
        if (next != null) {
          versions.report(number, attempt, next, now);
        }
      }

      void read() {
        if (version != null) {
          assertThat(announced).contains(reads());
          read.add(new Epoch(number, barrier, reads()));
        }
      }

      void fail(Optional<byte[]> state) {
        List<Report> late = List.copyOf(outbound);
        inbound.clear();
        outbound.clear();
        engine.clear();
        held.clear();
        version = null;
        active = null;
        snapshot = null;
        restored = state.map(Codec::activation).orElse(null);
        barrier = completed;
        versions.gone(number, now);
        if (random.nextBoolean()) {
          late.forEach(report -> versions.report(number, attempt, report, now));
        }
        attempt++;
        versions.gone(number, now);
      }

      // ---- its engine ------------------------------------------------------------------------

      @Override
      public CompletableFuture<KnownVersion> look() {
        CompletableFuture<KnownVersion> outcome = new CompletableFuture<>();
        engine.add(
            () -> {
              if (faults && random.nextInt(10) == 0) {
                outcome.completeExceptionally(
                    new LeatException(ErrorCode.SOURCE_UNREADABLE, "a fault"));
              } else {
                announced.add("v" + source);
                outcome.complete(known("v" + source));
              }
            });
        return outcome;
      }

      @Override
      public CompletableFuture<KnownVersion> prepare(KnownVersion wanted) {
        CompletableFuture<KnownVersion> outcome = new CompletableFuture<>();
        engine.add(
            () -> {
              if (faults && random.nextInt(10) == 0) {
                outcome.completeExceptionally(new LeatException(ErrorCode.DISK_FULL, "a fault"));
              } else {
                held.add(wanted.id());
                outcome.complete(wanted);
              }
            });
        return outcome;
      }

      @Override
      public DimensionVersion activate(String versionId) {
        assertThat(held).as("held by subtask %s", number).contains(versionId);
        held.remove(versionId);
        if (active != null) {
          held.add(active);
        }
        active = versionId;
        return known(versionId).version();
      }

      @Override
      public void release(String versionId) {
        assertThat(versionId).isNotEqualTo(active);
        held.remove(versionId);
      }

      @Override
      public void seen(KnownVersion seen) {
        assertThat(announced).contains(seen.id());
      }

      @Override
      public CompletableFuture<KnownVersion> loadFirst() {
        throw new AssertionError("the run does this itself");
      }

      @Override
      public CompletableFuture<KnownVersion> restore(KnownVersion wanted, VersionGone policy) {
        throw new AssertionError("the run does this itself");
      }

      @Override
      public DimensionReader<String, String> reader() {
        throw new AssertionError("the run reads by itself");
      }

      @Override
      public DimensionReader<String, String> reader(DataSize hotRows) {
        throw new AssertionError("the run reads by itself");
      }

      @Override
      public DimensionStatistics statistics() {
        throw new AssertionError("nobody asks");
      }

      @Override
      public void addListener(DimensionListener listener) {
        throw new AssertionError("nobody listens");
      }

      @Override
      public void close() {}

      // ---- its mailbox -----------------------------------------------------------------------

      @Override
      public void execute(
          MailOptions options,
          ThrowingRunnable<? extends Exception> command,
          String description,
          Object... arguments) {
        try {
          command.run();
        } catch (Exception e) {
          throw new AssertionError(e);
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
    }
  }

  private static KnownVersion known(String id) {
    return new KnownVersion(id, "fingerprint of " + id, Instant.EPOCH);
  }
}
