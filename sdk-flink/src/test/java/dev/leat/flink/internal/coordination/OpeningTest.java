package dev.leat.flink.internal.coordination;

import static dev.leat.flink.internal.coordination.FakeSteered.known;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.Refresh;
import dev.leat.VersionGone;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.jobgraph.tasks.TaskOperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.util.SerializedValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Subtasks that begin on hosts of their own, before a coordinator without a JobManager. */
class OpeningTest {
  private static final Activation V5 = new Activation(1, known("v5"), Activation.AT_ONCE);
  private static final Activation V6 = new Activation(2, known("v6"), 10);

  private final List<Order> orders = new ArrayList<>();
  private final JobVersions versions =
      new JobVersions(
          "customers",
          new Pace(
              Refresh.every(Duration.ofMinutes(1)).withJitter(0), () -> 0.5, Clock.systemUTC()),
          (subtask, order) -> orders.add(order));
  private final FakeSteered host = new FakeSteered(Runnable::run);

  /** Answers as the JobManager does. */
  private final class JobManager implements TaskOperatorEventGateway {
    @Override
    public void sendOperatorEventToCoordinator(
        OperatorID operator, SerializedValue<OperatorEvent> event) {
      throw new AssertionError("events have a gateway of their own");
    }

    @Override
    public CompletableFuture<CoordinationResponse> sendRequestToCoordinator(
        OperatorID operator, SerializedValue<CoordinationRequest> request) {
      try {
        Question question = (Question) request.deserializeValue(getClass().getClassLoader());
        return CompletableFuture.completedFuture(WireAnswer.wrap(versions.answer(question, 0)));
      } catch (IOException | ClassNotFoundException e) {
        throw new AssertionError(e);
      }
    }
  }

  @BeforeEach
  void start() {
    versions.runs(2, true);
  }

  private Opening opening(int subtask, int attempt) {
    return new Opening(new JobManager(), new OperatorID(), subtask, attempt);
  }

  private SubtaskVersion open(
      int subtask, int attempt, @Nullable Activation state, VersionGone policy)
      throws InterruptedException {
    FakeTask task = new FakeTask();
    return opening(subtask, attempt)
        .open(
            new SubtaskContext(
                "subtask " + subtask,
                "customers",
                event -> versions.report(subtask, attempt, (Report) event, 0),
                task,
                task),
            state == null ? null : Codec.bytes(state),
            policy,
            host,
            Clock.systemUTC());
  }

  /** V5 is what the job has in checkpoint 9, and v6 was decided for one that never completed. */
  private void v6IsPending() {
    versions.reset(9, Optional.of(V5));
    versions.answer(new Question.Begin(0, 0, V5), 0);
    versions.reachable(0, 0);
    versions.report(0, 0, new Report.Began(1), 0);
    versions.answer(new Question.Begin(1, 0, V5), 0);
    versions.reachable(1, 0);
    versions.report(1, 0, new Report.Began(1), 0);
    versions.tick(0);
    versions.report(0, 0, new Report.Looked(1, known("v6")), 0);
    versions.report(0, 0, new Report.Prepared("v6"), 0);
    versions.report(1, 0, new Report.Prepared("v6"), 0);
    versions.checkpoint(10, 0, state -> assertThat(state).contains(V6));
    versions.checkpointAborted(10);
    assertThat(versions.active()).contains(V6);
    versions.restarts(1, 9, 0);
  }

  private static void assertGone(Throwable thrown) {
    assertThat(thrown)
        .isInstanceOfSatisfying(
            LeatException.class,
            error -> assertThat(error.errorCode()).isEqualTo(ErrorCode.VERSION_GONE));
  }

  @Test
  void aSubtaskWithoutStateHoldsToTheVersionOfTheCheckpointWhereThePolicySaysSo() {
    versions.reset(9, Optional.of(V5));
    host.loses("v5");
    host.source("v7");
    assertThatThrownBy(() -> open(1, 0, null, VersionGone.FAIL)).satisfies(OpeningTest::assertGone);
    assertThat(versions.active()).contains(V5);
  }

  @Test
  void aSubtaskWithoutStateTakesANewerVersionWhereThePolicyAllowsIt() throws Exception {
    versions.reset(9, Optional.of(V5));
    host.loses("v5");
    host.source("v7");
    open(1, 0, null, VersionGone.USE_NEWER);
    assertThat(host.reads()).isEqualTo("v7");
    assertThat(versions.active()).map(active -> active.version().id()).contains("v7");
  }

  @Test
  void aJobWithoutACheckpointBeginsWithANewerVersionWhateverThePolicy() throws Exception {
    versions.answer(new Question.Begin(0, 0, null), 0);
    versions.answer(new Question.Led(0, 0, known("v5")), 0);
    host.loses("v5");
    host.source("v7");
    open(1, 0, null, VersionGone.FAIL);
    assertThat(host.reads()).isEqualTo("v7");
  }

  @Test
  void aSubtaskThatLeadsBeginsWithWhatTheSourceHas() throws Exception {
    host.source("v7");
    open(0, 0, null, VersionGone.FAIL);
    assertThat(host.reads()).isEqualTo("v7");
    assertThat(host.held()).isEmpty();
  }

  @Test
  void aSubtaskThatRestartsWhileASwitchIsPendingHoldsBothVersions() throws Exception {
    v6IsPending();
    SubtaskVersion version = open(1, 1, V5, VersionGone.FAIL);
    assertThat(host.reads()).isEqualTo("v5");
    assertThat(host.held()).containsExactly("v6");
    version.atBarrier(11);
    assertThat(host.reads()).isEqualTo("v6");
  }

  @Test
  void whereBothTheVersionAndThePendingOneAreGoneANewerOneIsReadAsThePolicyAllows()
      throws Exception {
    v6IsPending();
    host.loses("v5");
    host.loses("v6");
    host.source("v7");
    open(1, 1, V5, VersionGone.USE_NEWER);
    assertThat(host.reads()).isEqualTo("v7");
    assertThat(host.held()).isEmpty();
    assertThat(versions.active()).contains(new Activation(3, known("v7"), Activation.AT_ONCE));
    assertThat(orders)
        .as("the other subtask moves, too")
        .contains(new Order.Prepare(known("v7")))
        .contains(new Order.Activate(new Activation(3, known("v7"), Activation.AT_ONCE)));
  }

  @Test
  void whereOnlyThePendingVersionIsGoneANewerOneIsReadAsThePolicyAllows() throws Exception {
    v6IsPending();
    host.loses("v6");
    host.source("v7");
    open(1, 1, V5, VersionGone.USE_NEWER);
    assertThat(host.reads()).isEqualTo("v7");
    assertThat(host.held()).isEmpty();
  }

  @Test
  void whereThePendingVersionIsGoneTheTaskFailsIfThePolicySaysSo() {
    v6IsPending();
    host.loses("v6");
    assertThatThrownBy(() -> open(1, 1, V5, VersionGone.FAIL)).satisfies(OpeningTest::assertGone);
  }

  @Test
  void aJoinIsLoadedAheadUntilItIsOpened() throws Exception {
    assertThat(opening(0, 0).beginLoad(() -> host)).containsSame(host);
    assertThat(host.held()).containsExactly("v1");
    assertThat(opening(1, 0).beginLoad(() -> host)).as("one of them leads").isEmpty();
    open(0, 0, null, VersionGone.FAIL);
    assertThat(opening(0, 0).beginLoad(() -> host)).isEmpty();
    assertThat(opening(0, 0).isCoordinated()).isTrue();
    versions.reachable(0, 0);
    versions.tick(60_000);
    assertThat(orders).contains(new Order.Look(1));
  }
}
