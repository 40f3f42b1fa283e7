package dev.leat.flink.internal.coordination;

import static dev.leat.flink.internal.coordination.FakeSteered.known;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.Refresh;
import java.time.Clock;
import java.time.Duration;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The coordinator and its subtasks on one thread, with events, answers, barriers, aborts, failures
 * of one subtask, of all and of the whole job, savepoints, restarts in which some have no state,
 * and a source that goes forth and back, in a random order. Barriers overtake all orders that a
 * subtask has not read yet, as unaligned ones do.
 */
class RandomRunsTest {
  private static final int SUBTASKS = 3;
  private static final int STEPS = 6_000;
  private static final long BARRIER_PATIENCE = 30_000;

  static List<Long> seeds() {
    long first = Long.getLong("leat.coordination.seed", 1);
    int count = Integer.getInteger("leat.coordination.seeds", 400);
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
    private int newest = 1;
    private boolean faults = true;

    /** Whether most checkpoints fail at their end. */
    private boolean storm;

    /** Whether there is more time between checkpoints than between looks. */
    private boolean seldom;

    private long lastCheckpoint;
    private long pending = -1;
    private long pendingSince;
    private boolean pendingIsSavepoint;
    private @Nullable Optional<Activation> pendingState;

    /** Those of which the coordinator has not yet completed its part. */
    private final Set<Long> held = new HashSet<>();

    private long completed = -1;
    private Optional<Activation> completedState = Optional.empty();
    private final Map<Integer, byte[]> completedTasks = new HashMap<>();

    /** The last barrier that all have seen. */
    private long previousBarrier = -1;

    /** Whether nothing has failed and no checkpoint was aborted since the last one. */
    private boolean calm = true;

    private int switches;

    Run(long seed) {
      this.random = new Random(seed);
      this.versions =
          new JobVersions(
              "customers",
              new Pace(
                  Refresh.every(Duration.ofSeconds(1)).withJitter(0), () -> 0.5, Clock.systemUTC()),
              (subtask, order) -> tasks.get(subtask).inbound.add(new Inbound(order, -1)));
      for (int i = 0; i < SUBTASKS; i++) {
        tasks.add(new Task(i));
      }
      versions.runs(SUBTASKS, true);
    }

    void run() throws Exception {
      for (int step = 0; step < STEPS; step++) {
        if (step % 1_000 == 0) {
          storm = random.nextBoolean();
          seldom = random.nextBoolean();
        }
        step();
      }
      // In quiet times the job comes to what the source has, and keeps nothing else for long.
      faults = false;
      storm = false;
      seldom = false;
      for (int step = 0; step < 20_000 && !allRead("v" + source); step++) {
        step();
      }
      assertThat(tasks).allMatch(task -> task.reads().equals("v" + source));
      for (int step = 0; step < 20_000 && !nothingElseIsHeld(); step++) {
        step();
      }
      assertThat(tasks).allMatch(task -> task.engine.held().isEmpty());
      assertThat(switches).isPositive();
    }

    private boolean allRead(String version) {
      return tasks.stream().allMatch(task -> task.reads().equals(version));
    }

    private boolean nothingElseIsHeld() {
      return tasks.stream().allMatch(task -> task.engine.held().isEmpty());
    }

    private void step() throws Exception {
      passes(random.nextInt(50));
      assertNoBarrierWaitsForNothing();
      Task task = tasks.get(random.nextInt(SUBTASKS));
      switch (random.nextInt(12)) {
        case 0, 1 -> versions.tick(now);
        case 2, 3, 4 -> task.receive();
        case 5, 6 -> task.work();
        case 7 -> task.speak();
        case 8 -> task.proceed();
        case 9 -> {
          boolean due = !seldom || random.nextInt(8) == 0;
          if (due && pending < 0 && tasks.stream().allMatch(each -> each.version != null)) {
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

    private void assertNoBarrierWaitsForNothing() {
      if (held.contains(pending) && now - pendingSince >= BARRIER_PATIENCE / 2) {
        assertThat(tasks)
            .as("why checkpoint %s waits for so long", pending)
            .anyMatch(task -> task.deafUntil > pendingSince);
      }
    }

    private void passes(long millis) throws Exception {
      now += millis;
      for (Task task : tasks) {
        task.passes(millis);
      }
    }

    private void fault(Task task) throws Exception {
      switch (random.nextInt(44)) {
        case 0 -> {
          abort(true);
          task.fail();
        }
        case 1, 2 -> {
          // Flink need not tell of a checkpoint that has not got so far as to have barriers.
          abort(random.nextBoolean());
          versions.reset(completed, completedState);
          assertThat(held).as("checkpoints of which Flink still waits for a part").isEmpty();
          if (random.nextBoolean()) {
            rescale();
          }
          restart();
        }
        case 3 -> {
          // All tasks are connected: all restart, and the coordinator is not told of more.
          abort(true);
          restart();
        }
        case 4, 5 -> abort(true);
        case 6, 7 -> source = ++newest;
        case 8, 9, 10, 11 -> source = Math.max(1, newest - random.nextInt(3));
        case 12 -> {
          // Not often: little happens while one is deaf.
          if (random.nextInt(10) == 0) {
            task.deafUntil = now + random.nextInt(60_000);
          }
        }
        default -> passes(100);
      }
    }

    /** With a changed parallelism some subtasks get no state, and one more than one. */
    private void rescale() {
      completedTasks.keySet().removeIf(subtask -> random.nextBoolean());
    }

    private void restart() {
      tasks.forEach(Task::fail);
      read.clear();
      previousBarrier = completed;
      calm = true;
    }

    private void trigger() {
      pending = ++lastCheckpoint;
      pendingSince = now;
      pendingIsSavepoint = random.nextInt(5) == 0;
      pendingState = null;
      long id = pending;
      held.add(id);
      versions.checkpoint(
          id,
          now,
          state -> {
            held.remove(id);
            if (pending == id) {
              pendingState = state;
              tasks.forEach(task -> task.inbound.addFirst(new Inbound(null, id)));
            }
          });
    }

    private void abort(boolean told) {
      calm = false;
      if (pending < 0) {
        return;
      }
      long aborted = pending;
      pending = -1;
      if (told) {
        versions.checkpointAborted(aborted);
        assertThat(held).as("checkpoints of which Flink still waits for a part").isEmpty();
      }
      for (Task task : tasks) {
        task.snapshot = null;
        // Some see the barrier all the same.
        if (random.nextBoolean()) {
          task.inbound.removeIf(message -> message.barrier() == aborted);
        }
      }
    }

    private void end() {
      if (storm && random.nextInt(4) > 0) {
        abort(true);
        if (random.nextInt(4) == 0) {
          restart();
        }
      } else {
        complete();
      }
    }

    private void complete() {
      long barrier = pending;
      boolean allKnew = now - pendingSince < BARRIER_PATIENCE;
      Optional<Activation> state = requireNonNull(pendingState);
      pending = -1;
      for (Task task : tasks) {
        byte[] snapshot = requireNonNull(task.snapshot);
        if (allKnew) {
          assertThat(Codec.activation(snapshot).version().id())
              .as("the state of subtask %s in checkpoint %s", task.number, barrier)
              .isEqualTo(state.orElseThrow().version().id());
        }
        if (!pendingIsSavepoint) {
          completedTasks.put(task.number, snapshot);
        }
        task.snapshot = null;
      }
      if (calm) {
        assertOneVersionSince(previousBarrier);
      }
      previousBarrier = barrier;
      calm = allKnew;
      read.removeIf(epoch -> epoch.afterBarrier() < barrier);
      // A savepoint is nothing that a failure leads back to, and its end is told to nobody.
      if (!pendingIsSavepoint) {
        completed = barrier;
        completedState = state;
        for (Task task : tasks) {
          if (task.version != null) {
            task.version.checkpointComplete(barrier);
          }
        }
        versions.checkpointCompleted(barrier);
      }
    }

    private void assertOneVersionSince(long barrier) {
      Set<String> inEpoch = new HashSet<>();
      for (Epoch epoch : read) {
        if (epoch.afterBarrier() == barrier) {
          inEpoch.add(epoch.version());
        }
      }
      assertThat(inEpoch).as("versions read after checkpoint %s", barrier).hasSizeLessThan(2);
    }

    /** One subtask with its engine. */
    private final class Task {
      private final int number;
      private final Deque<Inbound> inbound = new ArrayDeque<>();
      private final Deque<Report> outbound = new ArrayDeque<>();
      private final Deque<Runnable> work = new ArrayDeque<>();
      private FakeTask flink = new FakeTask();
      private FakeSteered engine = new Engine(work);
      private int attempt;
      private @Nullable Activation restored;
      private @Nullable SubtaskVersion version;
      private byte @Nullable [] snapshot;
      private long barrier = -1;

      /** Until when it reads no orders, though barriers come through. */
      private long deafUntil;

      Task(int number) {
        this.number = number;
      }

      String reads() {
        return engine.reads();
      }

      /** Goes on with its beginning. */
      void proceed() {
        if (random.nextInt(4) == 0) {
          // Another join of the task is opened, before this one or after it.
          versions.answer(new Question.Ahead(number, attempt), now);
        }
        if (version != null) {
          if (random.nextInt(4) == 0) {
            // An answer was late, and the question is asked again.
            versions.answer(new Question.Begin(number, attempt, restored), now);
          }
          return;
        }
        Answer answer = versions.answer(new Question.Begin(number, attempt, restored), now);
        if (answer instanceof Answer.Lead) {
          assertThat(completed).as("the checkpoint when a subtask leads").isEqualTo(-1);
          answer = versions.answer(new Question.Led(number, attempt, known(lookAtSource())), now);
        }
        if (answer instanceof Answer.Begin begin) {
          completedState.ifPresent(
              state ->
                  assertThat(begin.first().version().id())
                      .as("what subtask %s resumes with from checkpoint %s", number, completed)
                      .isEqualTo(state.version().id()));
          if (random.nextInt(3) == 0) {
            // It takes its time to load, and asks anew as a later attempt would.
            return;
          }
          engine.held().add(begin.first().version().id());
          version =
              new SubtaskVersion(
                  new SubtaskContext(
                      "subtask " + number,
                      "customers",
                      event -> outbound.add((Report) event),
                      flink,
                      flink),
                  engine,
                  begin.first());
          if (begin.next().isPresent()) {
            engine.held().add(begin.next().get().version().id());
            version.alsoHolds(begin.next().get());
          }
          versions.reachable(number, attempt);
          version.began();
        }
      }

      void passes(long millis) throws Exception {
        flink.passes(millis);
        assertThat(flink.failure()).isNull();
      }

      void receive() {
        Inbound message = inbound.peek();
        if (message == null || message.order() != null && now < deafUntil) {
          return;
        }
        inbound.remove();
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
              end();
            }
          }
        }
      }

      void work() {
        Runnable next = work.poll();
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

      /** Fails, and begins anew with the state of the last checkpoint. */
      void fail() {
        List<Report> late = List.copyOf(outbound);
        inbound.clear();
        outbound.clear();
        work.clear();
        flink = new FakeTask();
        engine = new Engine(work);
        version = null;
        snapshot = null;
        restored =
            Optional.ofNullable(completedTasks.get(number)).map(Codec::activation).orElse(null);
        barrier = completed;
        versions.gone(number, now);
        if (random.nextBoolean()) {
          late.forEach(report -> versions.report(number, attempt, report, now));
        }
        attempt++;
        versions.restarts(number, completed, now);
      }
    }

    private String lookAtSource() {
      String found = "v" + source;
      announced.add(found);
      return found;
    }

    private final class Engine extends FakeSteered {
      Engine(Deque<Runnable> work) {
        super(work::add);
      }

      @Override
      void beforeWork() {
        if (faults && random.nextInt(10) == 0) {
          throw new LeatException(ErrorCode.DISK_FULL, "a fault");
        }
      }

      @Override
      String sourceNow() {
        return lookAtSource();
      }
    }
  }
}
