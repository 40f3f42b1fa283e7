package dev.leat.flink.internal.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Refresh;
import dev.leat.internal.engine.KnownVersion;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JobVersionsTest {
  private static final long INTERVAL = 60_000;
  private static final KnownVersion FIRST = version("first");
  private static final KnownVersion SECOND = version("second");
  private static final KnownVersion THIRD = version("third");

  private final List<String> sent = new ArrayList<>();
  private final JobVersions versions = jobVersions(Refresh.every(Duration.ofMillis(INTERVAL)));
  private long now;

  private JobVersions jobVersions(Refresh refresh) {
    return new JobVersions(
        "customers",
        new Pace(refresh.withJitter(0), () -> 0.5, Clock.systemUTC()),
        (subtask, order) -> sent.add(subtask + " " + text(order)));
  }

  private static KnownVersion version(String id) {
    return new KnownVersion(id, "fingerprint of " + id, Instant.EPOCH);
  }

  private static String text(Order order) {
    if (order instanceof Order.Look look) {
      return "look " + look.number();
    } else if (order instanceof Order.Prepare prepare) {
      return "prepare " + prepare.version().id();
    } else if (order instanceof Order.Forget forget) {
      return "forget " + forget.versionId();
    } else if (order instanceof Order.Activate activate) {
      return "activate "
          + activate.activation().version().id()
          + " at "
          + activate.activation().checkpoint();
    } else if (order instanceof Order.Seen seen) {
      return "seen " + seen.version().id();
    }
    throw new AssertionError(order);
  }

  private List<String> sent() {
    List<String> taken = List.copyOf(sent);
    sent.clear();
    return taken;
  }

  @BeforeEach
  void start() {
    versions.runs(2, true);
  }

  private Answer begin(int subtask, int attempt, Activation... restored) {
    return versions.answer(
        new Question.Begin(subtask, attempt, restored.length == 0 ? null : restored[0]), now);
  }

  private void began(int subtask, int attempt, long activation) {
    versions.reachable(subtask, attempt);
    versions.report(subtask, attempt, new Report.Began(activation), now);
  }

  /** Both subtasks read the first version. */
  private void bothBegan() {
    begin(0, 0);
    versions.answer(new Question.Led(0, 0, FIRST), now);
    begin(1, 0);
    began(0, 0, 1);
    began(1, 0, 1);
    assertThat(sent()).containsExactly("0 seen first", "1 seen first");
  }

  private void lookedAt(KnownVersion found) {
    now += INTERVAL;
    versions.tick(now);
    String look = sent().get(0);
    int subtask = Integer.parseInt(look.substring(0, 1));
    long order = Long.parseLong(look.substring(look.lastIndexOf(' ') + 1));
    versions.report(subtask, 0, new Report.Looked(order, found), now);
  }

  /** A checkpoint at which all subtasks say at once that they know. */
  private Optional<Activation> checkpoint(long id) {
    List<Optional<Activation>> state = new ArrayList<>();
    versions.checkpoint(id, now, state::add);
    if (state.isEmpty()) {
      long number = versions.active().orElseThrow().number();
      for (int subtask = 0; subtask < 2; subtask++) {
        for (int attempt = 0; attempt < 3; attempt++) {
          versions.report(subtask, attempt, new Report.Decided(number), now);
        }
      }
    }
    assertThat(state).hasSize(1);
    return state.get(0);
  }

  @Test
  void theBarrierWaitsUntilAllSubtasksKnowOfTheSwitch() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    List<Optional<Activation>> state = new ArrayList<>();
    versions.checkpoint(1, now, state::add);
    versions.report(0, 0, new Report.Decided(2), now);
    assertThat(state).isEmpty();
    versions.report(1, 0, new Report.Decided(1), now);
    assertThat(state).isEmpty();
    versions.report(1, 0, new Report.Decided(2), now);
    assertThat(state).containsExactly(Optional.of(new Activation(2, SECOND, 1)));
  }

  @Test
  void aSubtaskThatFailsOrSaysNothingDoesNotHoldTheBarrierForEver() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    List<Optional<Activation>> state = new ArrayList<>();
    versions.checkpoint(1, now, state::add);
    versions.gone(0, now);
    assertThat(state).isEmpty();
    now = versions.nextTick().orElseThrow();
    versions.tick(now);
    assertThat(state).hasSize(1);
  }

  private void prepared(int subtask, KnownVersion version) {
    versions.report(subtask, 0, new Report.Prepared(version.id()), now);
  }

  private List<Optional<Activation>> heldCheckpoint(long id) {
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    List<Optional<Activation>> state = new ArrayList<>();
    versions.checkpoint(id, now, state::add);
    assertThat(state).isEmpty();
    return state;
  }

  @Test
  void aResetLetsABarrierGoThatIsHeldSinceFlinkWaitsForItWithoutALimit() {
    bothBegan();
    List<Optional<Activation>> state = heldCheckpoint(1);
    versions.reset(9, Optional.of(new Activation(1, FIRST, Activation.AT_ONCE)));
    assertThat(state).containsExactly(Optional.of(new Activation(2, SECOND, 1)));
    assertThat(versions.active()).contains(new Activation(1, FIRST, Activation.AT_ONCE));
  }

  @Test
  void anAbortLetsTheBarrierOfItsCheckpointGoAndNoOther() {
    bothBegan();
    List<Optional<Activation>> state = heldCheckpoint(7);
    versions.checkpointAborted(6);
    assertThat(state).isEmpty();
    versions.checkpointAborted(7);
    assertThat(state).containsExactly(Optional.of(new Activation(2, SECOND, 7)));
    versions.checkpoint(8, now, state::add);
    assertThat(state).as("the next one waits, too").hasSize(1);
    versions.report(0, 0, new Report.Decided(2), now);
    versions.report(1, 0, new Report.Decided(2), now);
    assertThat(state).hasSize(2);
  }

  @Test
  void theEndLetsABarrierGo() {
    bothBegan();
    List<Optional<Activation>> state = heldCheckpoint(1);
    versions.end();
    assertThat(state).hasSize(1);
  }

  @Test
  void aQuestionAheadOfASubtaskThatHasBegunChangesNothingForIt() {
    bothBegan();
    assertThat(ahead(0, 0)).isEqualTo(new Answer.Wait());
    assertThat(ahead(1, 0)).isEqualTo(new Answer.Wait());
    lookedAt(SECOND);
    assertThat(sent()).containsExactly("0 prepare second", "1 prepare second");
    prepared(0, SECOND);
    assertThat(ahead(0, 0)).isEqualTo(new Answer.Wait());
    prepared(1, SECOND);
    assertThat(checkpoint(1)).contains(new Activation(2, SECOND, 1));
  }

  @Test
  void aQuestionThatIsAskedTwiceChangesNothingForASubtaskThatHasBegun() {
    bothBegan();
    begin(1, 0);
    lookedAt(SECOND);
    assertThat(sent()).containsExactly("0 prepare second", "1 prepare second");
  }

  @Test
  void aQuestionAheadMakesTheSubtaskLeadAndSaysWhatWillBeRead() {
    assertThat(ahead(1, 0)).isEqualTo(new Answer.Lead());
    assertThat(ahead(0, 0)).isEqualTo(new Answer.Wait());
    assertThat(begin(0, 0)).isEqualTo(new Answer.Wait());
    assertThat(begin(1, 0)).isEqualTo(new Answer.Lead());
    versions.answer(new Question.Led(1, 0, FIRST), now);
    assertThat(ahead(0, 0)).isInstanceOf(Answer.Begin.class);
  }

  @Test
  void whatIsKnownOfAnAttemptIsNotHeldToBeTrueOfTheNextOne() {
    bothBegan();
    versions.gone(1, now);
    // Both were on their way when it failed.
    begin(1, 0);
    versions.report(1, 0, new Report.Began(1), now);
    versions.reachable(1, 1);
    lookedAt(SECOND);
    assertThat(sent()).containsExactly("0 prepare second");
  }

  private Answer ahead(int subtask, int attempt) {
    return versions.answer(new Question.Ahead(subtask, attempt), now);
  }

  @Test
  void oneSubtaskLeadsAndTheOthersBeginWithItsVersion() {
    assertThat(begin(1, 0)).isEqualTo(new Answer.Lead());
    assertThat(begin(0, 0)).isEqualTo(new Answer.Wait());
    assertThat(begin(1, 0)).isEqualTo(new Answer.Lead());
    Activation first = new Activation(1, FIRST, Activation.AT_ONCE);
    assertThat(versions.answer(new Question.Led(1, 0, FIRST), now))
        .isEqualTo(new Answer.Begin(first, Optional.empty(), false));
    assertThat(begin(0, 0)).isEqualTo(new Answer.Begin(first, Optional.empty(), false));
  }

  @Test
  void whereTheLeaderFailsAnotherOneLeads() {
    begin(0, 0);
    versions.gone(0, now);
    assertThat(begin(1, 0)).isEqualTo(new Answer.Lead());
    assertThat(begin(0, 1)).isEqualTo(new Answer.Wait());
  }

  @Test
  void aLeaderThatNeverSpeaksAgainIsReplaced() {
    begin(0, 0);
    now += Duration.ofDays(1).toMillis();
    assertThat(begin(1, 0)).isEqualTo(new Answer.Lead());
  }

  @Test
  void oneSubtaskLooksAfterEachIntervalAndAllHearThatNothingChanged() {
    bothBegan();
    now += INTERVAL - 1;
    versions.tick(now);
    assertThat(sent()).isEmpty();
    assertThat(versions.nextTick()).hasValue(now + 1);
    now++;
    versions.tick(now);
    assertThat(sent()).containsExactly("0 look 1");
    versions.tick(now);
    assertThat(sent()).isEmpty();
    versions.report(0, 0, new Report.Looked(1, FIRST.seenAt(Instant.ofEpochSecond(7))), now);
    assertThat(sent()).containsExactly("0 seen first", "1 seen first");
    assertThat(versions.active().orElseThrow().version().seen())
        .isEqualTo(Instant.ofEpochSecond(7));
    assertThat(versions.nextTick()).hasValue(now + INTERVAL);
  }

  @Test
  void aNewVersionIsPreparedByAllAndBecomesActiveWithTheNextCheckpoint() {
    bothBegan();
    lookedAt(SECOND);
    assertThat(sent()).containsExactly("0 prepare second", "1 prepare second");
    prepared(0, SECOND);
    assertThat(checkpoint(1).orElseThrow().version()).isEqualTo(FIRST);
    versions.checkpointCompleted(1);
    prepared(1, SECOND);
    assertThat(sent()).isEmpty();
    assertThat(checkpoint(2)).contains(new Activation(2, SECOND, 2));
    assertThat(sent()).containsExactly("0 activate second at 2", "1 activate second at 2");
    versions.checkpointCompleted(2);
    assertThat(checkpoint(3)).contains(new Activation(2, SECOND, 2));
    assertThat(sent()).isEmpty();
  }

  @Test
  void withoutCheckpointsItBecomesActiveWhenAllAreReady() {
    versions.runs(2, false);
    bothBegan();
    lookedAt(SECOND);
    sent();
    prepared(1, SECOND);
    assertThat(sent()).isEmpty();
    prepared(0, SECOND);
    assertThat(sent()).containsExactly("0 activate second at -1", "1 activate second at -1");
  }

  @Test
  void withAnOlderCheckpointUnderWayTheSwitchWaitsForTheNextOne() {
    bothBegan();
    lookedAt(SECOND);
    checkpoint(1);
    prepared(0, SECOND);
    prepared(1, SECOND);
    sent();
    checkpoint(2);
    assertThat(sent()).isEmpty();
    versions.checkpointAborted(1);
    versions.checkpointCompleted(2);
    checkpoint(3);
    assertThat(sent()).containsExactly("0 activate second at 3", "1 activate second at 3");
  }

  @Test
  void aCheckpointOfWhoseEndNothingIsHeardDoesNotHoldUpTheSwitchForEver() {
    bothBegan();
    lookedAt(SECOND);
    checkpoint(1);
    prepared(0, SECOND);
    prepared(1, SECOND);
    sent();
    checkpoint(2);
    versions.checkpointCompleted(2);
    assertThat(sent()).isEmpty();
    checkpoint(3);
    assertThat(sent()).hasSize(2);
  }

  @Test
  void aVersionThatOneSubtaskCannotLoadIsGivenUpByAll() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    sent();
    versions.report(1, 0, new Report.PrepareFailed("second", "disk full"), now);
    assertThat(sent()).containsExactly("0 forget second", "1 forget second");
    assertThat(versions.failuresInARow()).isEqualTo(1);
    checkpoint(1);
    assertThat(sent()).isEmpty();
    now += INTERVAL;
    versions.tick(now);
    assertThat(sent()).containsExactly("1 look 2");
  }

  @Test
  void aVersionThatIsSupersededBeforeItIsActiveIsReplacedByTheNewerOne() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    sent();
    lookedAt(THIRD);
    assertThat(sent())
        .containsExactly(
            "0 forget second", "1 forget second", "0 prepare third", "1 prepare third");
    prepared(0, SECOND);
    prepared(1, SECOND);
    checkpoint(1);
    assertThat(sent()).isEmpty();
  }

  @Test
  void aSourceThatGoesBackToTheActiveVersionEndsThePreparation() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    sent();
    lookedAt(FIRST);
    assertThat(sent())
        .containsExactly("0 forget second", "1 forget second", "0 seen first", "1 seen first");
    checkpoint(1);
    assertThat(sent()).isEmpty();
  }

  @Test
  void aLookThatIsNotAnsweredIsGivenUpAndAnotherSubtaskIsAsked() {
    bothBegan();
    now += INTERVAL;
    versions.tick(now);
    assertThat(sent()).containsExactly("0 look 1");
    now = versions.nextTick().orElseThrow();
    versions.tick(now);
    assertThat(versions.failuresInARow()).isEqualTo(1);
    now = versions.nextTick().orElseThrow();
    versions.tick(now);
    assertThat(sent()).containsExactly("1 look 2");
    versions.report(0, 0, new Report.Looked(1, SECOND), now);
    assertThat(sent()).isEmpty();
    versions.report(1, 0, new Report.Looked(2, SECOND), now);
    assertThat(sent()).hasSize(2);
  }

  @Test
  void aSubtaskThatNeverPreparesDoesNotStopTheRefreshForEver() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    sent();
    now = versions.nextTick().orElseThrow();
    versions.tick(now);
    assertThat(sent()).containsExactly("0 forget second", "1 forget second");
    now = versions.nextTick().orElseThrow();
    versions.tick(now);
    assertThat(sent()).hasSize(1).allMatch(order -> order.contains("look"));
  }

  @Test
  void aSubtaskThatFailsWhileItLooksIsReplacedAtOnce() {
    bothBegan();
    now += INTERVAL;
    versions.tick(now);
    sent();
    versions.gone(0, now);
    versions.tick(now);
    assertThat(sent()).containsExactly("1 look 2");
    assertThat(versions.failuresInARow()).isZero();
  }

  @Test
  void aSubtaskThatComesBackHearsWhatWasOrderedMeanwhile() {
    bothBegan();
    lookedAt(SECOND);
    versions.gone(1, now);
    prepared(0, SECOND);
    checkpoint(1);
    sent();
    Activation state = new Activation(1, FIRST, Activation.AT_ONCE);
    assertThat(begin(1, 1, state)).isEqualTo(new Answer.Begin(state, Optional.empty(), true));
    versions.report(1, 1, new Report.Began(1), now);
    assertThat(sent()).isEmpty();
    versions.reachable(1, 1);
    assertThat(sent()).containsExactly("1 prepare second", "1 seen first");
    versions.report(1, 0, new Report.Prepared("second"), now);
    versions.checkpointCompleted(1);
    checkpoint(2);
    assertThat(sent()).isEmpty();
    versions.report(1, 1, new Report.Prepared("second"), now);
    versions.checkpointCompleted(2);
    checkpoint(3);
    assertThat(sent()).containsExactly("0 activate second at 3", "1 activate second at 3");
  }

  @Test
  void aSubtaskThatFallsBackBehindASwitchBeginsWithItsStateAndMovesAtTheNextBarrier() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    checkpoint(5);
    versions.checkpointAborted(5);
    versions.gone(1, now);
    Activation state = new Activation(1, FIRST, Activation.AT_ONCE);
    assertThat(begin(1, 1, state))
        .isEqualTo(new Answer.Begin(state, Optional.of(new Activation(2, SECOND, 5)), true));
  }

  @Test
  void aSubtaskWithoutStateThatFallsBackBehindASwitchBeginsAsTheOthersDid() {
    // A savepoint of one subtask, and two run now: the second one has no state.
    Activation state = new Activation(1, FIRST, Activation.AT_ONCE);
    versions.reset(9, Optional.of(state));
    begin(0, 0, state);
    begin(1, 0);
    began(0, 0, 1);
    began(1, 0, 1);
    sent();
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    checkpoint(11);
    versions.checkpointAborted(11);
    versions.restarts(0, 9, now);
    versions.restarts(1, 9, now);
    Answer.Begin both = new Answer.Begin(state, Optional.of(new Activation(2, SECOND, 11)), true);
    assertThat(begin(0, 1, state)).isEqualTo(both);
    assertThat(begin(1, 1)).isEqualTo(both);
  }

  @Test
  void beforeTheFirstCheckpointASubtaskThatFallsBackBeginsAsTheOthersDid() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    checkpoint(1);
    versions.checkpointAborted(1);
    versions.restarts(1, -1, now);
    assertThat(begin(1, 1))
        .isEqualTo(
            new Answer.Begin(
                new Activation(1, FIRST, Activation.AT_ONCE),
                Optional.of(new Activation(2, SECOND, 1)),
                false));
  }

  @Test
  void afterACompleteCheckpointASubtaskBeginsWithTheVersionOfThatOne() {
    bothBegan();
    lookedAt(SECOND);
    prepared(0, SECOND);
    prepared(1, SECOND);
    checkpoint(1);
    versions.checkpointCompleted(1);
    versions.restarts(1, 1, now);
    assertThat(begin(1, 1))
        .isEqualTo(new Answer.Begin(new Activation(2, SECOND, 1), Optional.empty(), true));
  }

  @Test
  void aSubtaskThatWasToldTooLateBeginsWithTheVersionOfTheCheckpointAllTheSame() {
    Activation decided = new Activation(2, SECOND, 9);
    versions.reset(9, Optional.of(decided));
    assertThat(begin(0, 0, new Activation(1, FIRST, Activation.AT_ONCE)))
        .isEqualTo(new Answer.Begin(decided, Optional.empty(), true));
  }

  @Test
  void aVersionIsPromisedFromTheFirstCheckpointOn() {
    bothBegan();
    assertThat(begin(1, 0)).extracting("promised").isEqualTo(false);
    checkpoint(1);
    assertThat(begin(1, 0)).extracting("promised").isEqualTo(false);
    versions.checkpointCompleted(1);
    assertThat(begin(1, 0)).extracting("promised").isEqualTo(true);
    versions.reset(-1, Optional.empty());
    begin(0, 1);
    versions.answer(new Question.Led(0, 1, FIRST), now);
    assertThat(begin(1, 1)).extracting("promised").isEqualTo(false);
  }

  @Test
  void whereAVersionIsGoneTheOneThatTakesItsPlaceIsReadAlsoWhereAFailureLeadsBack() {
    Activation state = new Activation(4, FIRST, 9);
    versions.reset(9, Optional.of(state));
    begin(0, 0, state);
    versions.answer(new Question.Replaced(0, 0, state, SECOND), now);
    began(0, 0, 5);
    began(1, 0, 5);
    sent();
    lookedAt(THIRD);
    prepared(0, THIRD);
    prepared(1, THIRD);
    checkpoint(10);
    versions.restarts(1, 9, now);
    assertThat(begin(1, 1, state))
        .isEqualTo(
            new Answer.Begin(
                new Activation(5, SECOND, Activation.AT_ONCE),
                Optional.of(new Activation(6, THIRD, 10)),
                true));
  }

  @Test
  void aRestoredJobBeginsWithTheVersionOfTheCheckpointAndLooksSoon() {
    Activation state = new Activation(4, SECOND, 9);
    versions.reset(9, Optional.of(state));
    assertThat(begin(0, 0)).isEqualTo(new Answer.Begin(state, Optional.empty(), true));
    assertThat(begin(1, 0, state)).isEqualTo(new Answer.Begin(state, Optional.empty(), true));
    began(0, 0, 4);
    sent();
    versions.tick(now);
    assertThat(sent()).containsExactly("0 look 1");
  }

  @Test
  void aStateThatTheCoordinatorDoesNotKnowIsTaken() {
    Activation state = new Activation(4, SECOND, 9);
    assertThat(begin(0, 0, state)).isEqualTo(new Answer.Begin(state, Optional.empty(), true));
    assertThat(versions.active()).contains(state);
  }

  @Test
  void afterAFailureOfTheWholeJobBeforeItsFirstCheckpointTheSourceIsLookedAtAnew() {
    bothBegan();
    versions.reset(-1, Optional.empty());
    assertThat(begin(1, 1)).isEqualTo(new Answer.Lead());
  }

  @Test
  void aVersionThatIsGoneIsReplacedInAllSubtasksWhereThePolicyAllowsIt() {
    Activation state = new Activation(4, FIRST, 9);
    versions.reset(9, Optional.of(state));
    begin(0, 0, state);
    began(0, 0, 4);
    begin(1, 0, state);
    sent();
    Activation replaced = new Activation(5, SECOND, Activation.AT_ONCE);
    assertThat(versions.answer(new Question.Replaced(1, 0, state, SECOND), now))
        .isEqualTo(new Answer.Begin(replaced, Optional.empty(), true));
    assertThat(sent()).containsExactly("0 prepare second", "0 activate second at -1");
    assertThat(versions.answer(new Question.Replaced(0, 0, state, THIRD), now))
        .isEqualTo(new Answer.Begin(replaced, Optional.empty(), true));
  }

  @Test
  void aFinishedSubtaskIsNotWaitedForAndIsNotAskedToLook() {
    bothBegan();
    versions.report(0, 0, new Report.Finished(), now);
    lookedAt(SECOND);
    assertThat(sent()).containsExactly("1 prepare second");
    prepared(1, SECOND);
    checkpoint(1);
    assertThat(sent()).containsExactly("1 activate second at 1");
    versions.report(1, 0, new Report.Finished(), now);
    assertThat(versions.nextTick()).isEmpty();
  }

  @Test
  void aRefreshThatIsSetToNeverLooksNoMore() {
    JobVersions never = jobVersions(Refresh.never());
    never.runs(1, true);
    never.answer(new Question.Led(0, 0, FIRST), now);
    never.reachable(0, 0);
    never.report(0, 0, new Report.Began(1), now);
    sent();
    assertThat(never.nextTick()).isEmpty();
    never.tick(Long.MAX_VALUE / 2);
    assertThat(sent()).isEmpty();
  }

  @Test
  void aQuestionOfAnAttemptThatHasEndedChangesNothing() {
    bothBegan();
    versions.gone(1, now);
    versions.reachable(1, 2);
    begin(1, 2);
    versions.report(1, 2, new Report.Began(1), now);
    sent();
    assertThat(begin(1, 1)).isEqualTo(new Answer.Wait());
    lookedAt(SECOND);
    assertThat(sent()).containsExactly("0 prepare second", "1 prepare second");
  }
}
