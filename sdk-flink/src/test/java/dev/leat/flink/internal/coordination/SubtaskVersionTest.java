package dev.leat.flink.internal.coordination;

import static dev.leat.flink.internal.coordination.FakeSteered.known;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SubtaskVersionTest {
  private static final Activation FIRST = new Activation(1, known("v5"), Activation.AT_ONCE);

  private final FakeTask task = new FakeTask();
  private final Deque<Runnable> work = new ArrayDeque<>();
  private final List<Report> reports = new ArrayList<>();
  private final Engine engine = new Engine();
  private SubtaskVersion version = begin(FIRST);

  private final class Engine extends FakeSteered {
    private @Nullable LeatException fault;

    Engine() {
      super(work::add);
    }

    @Override
    void beforeWork() {
      if (fault != null) {
        throw fault;
      }
    }
  }

  private SubtaskVersion begin(Activation first) {
    engine.held().add(first.version().id());
    return new SubtaskVersion(
        new SubtaskContext(
            "subtask 0", "customers", event -> reports.add((Report) event), task, task),
        engine,
        first);
  }

  private void work() {
    for (Runnable next = work.poll(); next != null; next = work.poll()) {
      next.run();
    }
  }

  private List<Report> reports() {
    List<Report> taken = List.copyOf(reports);
    reports.clear();
    return taken;
  }

  private void prepare(String versionId) {
    version.handle(new Order.Prepare(known(versionId)));
  }

  private void activate(long number, String versionId, long checkpoint) {
    version.handle(new Order.Activate(new Activation(number, known(versionId), checkpoint)));
  }

  /** It reads v5, and v6 is decided for a checkpoint that was aborted before it saw the barrier. */
  private void isAboutToMoveToV6() {
    prepare("v6");
    work();
    activate(2, "v6", 10);
    assertThat(reports()).containsExactly(new Report.Prepared("v6"), new Report.Decided(2));
  }

  @Test
  void itMovesAtTheBarrierAndLetsGoOfTheOldVersionWhenTheCheckpointIsComplete() {
    isAboutToMoveToV6();
    version.atBarrier(9);
    assertThat(engine.reads()).isEqualTo("v5");
    version.atBarrier(10);
    assertThat(engine.reads()).isEqualTo("v6");
    version.checkpointComplete(9);
    assertThat(engine.held()).containsExactly("v5");
    version.checkpointComplete(10);
    assertThat(engine.held()).isEmpty();
  }

  @Test
  void aSwitchThatIsPendingCanBeTakenBackBeforeItsBarrier() {
    isAboutToMoveToV6();
    prepare("v5");
    assertThat(reports()).containsExactly(new Report.Prepared("v5"));
    activate(3, "v5", 11);
    assertThat(reports()).containsExactly(new Report.Decided(3));
    assertThat(engine.held()).as("v6 will not be read").doesNotContain("v6");
    assertThat(Codec.activation(version.atBarrier(11)))
        .isEqualTo(new Activation(3, known("v5"), 11));
    assertThat(engine.reads()).isEqualTo("v5");
    assertThat(engine.held()).isEmpty();
  }

  @Test
  void aVersionToReturnToIsKeptWhileAnotherOneIsReadInBetween() {
    isAboutToMoveToV6();
    prepare("v5");
    version.atBarrier(11);
    assertThat(engine.reads()).isEqualTo("v6");
    version.checkpointComplete(11);
    activate(3, "v5", 12);
    assertThat(reports()).containsExactly(new Report.Prepared("v5"), new Report.Decided(3));
    version.atBarrier(12);
    assertThat(engine.reads()).isEqualTo("v5");
    version.checkpointComplete(12);
    assertThat(engine.held()).isEmpty();
  }

  @Test
  void aVersionThatIsForgottenWhileItIsLoadedIsLetGo() {
    prepare("v6");
    version.handle(new Order.Forget("v6"));
    work();
    assertThat(engine.held()).isEmpty();
    assertThat(reports()).isEmpty();
  }

  @Test
  void aVersionThatWasDecidedAndIsNotLoadedIsLoadedNow() {
    activate(2, "v6", 10);
    version.atBarrier(10);
    assertThat(engine.reads()).isEqualTo("v5");
    assertThat(reports()).isEmpty();
    work();
    assertThat(reports()).containsExactly(new Report.Decided(2));
    version.atBarrier(11);
    assertThat(engine.reads()).isEqualTo("v6");
  }

  @Test
  void aCandidateThatCannotBeLoadedIsReported() {
    engine.fault = new LeatException(ErrorCode.DISK_FULL, "full");
    prepare("v6");
    work();
    assertThat(reports()).containsExactly(new Report.PrepareFailed("v6", "LEAT-3003: full"));
    assertThat(task.nextTimer()).isEqualTo(-1);
  }

  @Test
  void aDecidedVersionThatCannotBeLoadedIsTriedAgainAfterPausesThatGrow() throws Exception {
    engine.fault = new LeatException(ErrorCode.DISK_FULL, "full");
    activate(2, "v6", 10);
    List<Long> pauses = new ArrayList<>();
    for (int i = 0; i < 9; i++) {
      work();
      assertThat(work).as("nothing is done before the pause has passed").isEmpty();
      pauses.add(task.nextTimer());
      task.passes(task.nextTimer());
    }
    assertThat(pauses)
        .containsExactly(
            1_000L, 2_000L, 4_000L, 8_000L, 16_000L, 32_000L, 60_000L, 60_000L, 60_000L);
    engine.fault = null;
    work();
    assertThat(reports()).containsExactly(new Report.Decided(2));
    version.atBarrier(11);
    assertThat(engine.reads()).isEqualTo("v6");
    assertThat(task.nextTimer()).isEqualTo(-1);
  }

  @Test
  void aDecidedVersionThatIsGoneFailsTheTaskSinceThePolicyAppliesWhereItBegins() {
    engine.loses("v6");
    activate(2, "v6", 10);
    work();
    assertThat(task.failure())
        .hasMessageContaining("version v6 of dimension 'customers'")
        .cause()
        .isInstanceOfSatisfying(
            LeatException.class,
            error -> assertThat(error.errorCode()).isEqualTo(ErrorCode.VERSION_GONE));
    assertThat(task.nextTimer()).isEqualTo(-1);
  }

  @Test
  void aRestartedSubtaskMovesBackToTheVersionThatItReadsAtTheNextBarrier() {
    engine.held().add("v5");
    version.alsoHolds(new Activation(3, known("v5"), 11));
    activate(3, "v5", 11);
    assertThat(reports()).containsExactly(new Report.Decided(3));
    version.atBarrier(12);
    assertThat(engine.reads()).isEqualTo("v5");
    assertThat(engine.held()).isEmpty();
  }
}
