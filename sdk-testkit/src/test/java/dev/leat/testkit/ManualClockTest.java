package dev.leat.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

@SuppressWarnings(
    "FutureReturnValueIgnored") // most tests look at what a task did and not at its future
class ManualClockTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final ManualClock clock = ManualClock.at(START);
  private final ScheduledExecutorService scheduler = clock.scheduler();
  private final List<String> done = new ArrayList<>();

  private Runnable note(String name) {
    return () -> done.add(name + " at " + Duration.between(START, clock.instant()).toSeconds());
  }

  @Test
  void itStandsStillUntilItIsMoved() {
    assertThat(clock.instant()).isEqualTo(START);
    assertThat(clock.millis()).isEqualTo(START.toEpochMilli());
    clock.advance(Duration.ofSeconds(90));
    assertThat(clock.instant()).isEqualTo(START.plusSeconds(90));
    assertThat(clock.withZone(ZoneId.of("Asia/Tokyo")).instant()).isEqualTo(clock.instant());
    assertThatThrownBy(() -> clock.advance(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S");
  }

  @Test
  void tasksRunInTheOrderInWhichTheyBecomeDueAndSeeThatMoment() {
    scheduler.schedule(note("late"), 30, TimeUnit.SECONDS);
    scheduler.schedule(note("early"), 10, TimeUnit.SECONDS);
    scheduler.schedule(note("early too"), 10, TimeUnit.SECONDS);
    scheduler.schedule(note("not yet"), 61, TimeUnit.SECONDS);

    clock.advance(Duration.ofMinutes(1));

    assertThat(done).containsExactly("early at 10", "early too at 10", "late at 30");
    assertThat(clock.instant()).isEqualTo(START.plusSeconds(60));
    assertThat(clock.waitingTasks()).isEqualTo(1);
  }

  @Test
  void whatIsSubmittedForAtOnceRunsAtTheNextMove() throws Exception {
    Future<Integer> answer = scheduler.submit(() -> 42);
    assertThat(answer).isNotDone();

    clock.advance(Duration.ZERO);

    assertThat(answer.get()).isEqualTo(42);
  }

  @Test
  void aTaskMayScheduleAnotherWithinTheSameMove() {
    scheduler.schedule(
        () -> scheduler.schedule(note("second"), 10, TimeUnit.SECONDS), 10, TimeUnit.SECONDS);

    clock.advance(Duration.ofSeconds(20));

    assertThat(done).containsExactly("second at 20");
  }

  @Test
  void aPeriodicTaskRunsUntilItIsCancelled() {
    ScheduledFuture<?> task = scheduler.scheduleAtFixedRate(note("tick"), 5, 10, TimeUnit.SECONDS);
    clock.advance(Duration.ofSeconds(30));
    assertThat(done).containsExactly("tick at 5", "tick at 15", "tick at 25");
    assertThat(task.getDelay(TimeUnit.SECONDS)).isEqualTo(5);

    task.cancel(false);
    clock.advance(Duration.ofSeconds(30));

    assertThat(done).hasSize(3);
    assertThat(clock.waitingTasks()).isZero();
  }

  @Test
  void aPeriodicTaskThatFailsEndsAndKeepsItsFailure() {
    ScheduledFuture<?> task =
        scheduler.scheduleWithFixedDelay(
            () -> {
              throw new IllegalStateException("a defect");
            },
            1,
            1,
            TimeUnit.SECONDS);
    clock.advance(Duration.ofSeconds(5));

    assertThatThrownBy(task::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("a defect");
    assertThat(clock.waitingTasks()).isZero();
  }

  @Test
  void aClockThatIsSetBackDelaysNoTask() {
    scheduler.schedule(note("task"), 10, TimeUnit.SECONDS);
    clock.setBack(Duration.ofHours(1));
    assertThat(clock.instant()).isEqualTo(START.minusSeconds(3600));

    clock.advance(Duration.ofSeconds(10));

    assertThat(done).hasSize(1);
  }

  @Test
  void afterShutdownNothingIsTaken() {
    scheduler.schedule(note("task"), 10, TimeUnit.SECONDS);
    scheduler.shutdown();
    assertThatThrownBy(() -> scheduler.execute(note("more")))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(scheduler.isTerminated()).isFalse();

    assertThat(scheduler.shutdownNow()).hasSize(1);
    assertThat(scheduler.isTerminated()).isTrue();
  }
}
