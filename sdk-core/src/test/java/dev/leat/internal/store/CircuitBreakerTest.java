package dev.leat.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.internal.store.CircuitBreaker.Outcome;
import dev.leat.internal.store.CircuitBreaker.Permit;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
  private static final StoreException AWAY =
      new StoreException(Kind.UNAVAILABLE, "the worker is away", null);

  private final ManualStoreTime time = new ManualStoreTime();
  private final List<String> events = new ArrayList<>();
  private final ResilienceListener listener =
      new ResilienceListener() {
        @Override
        public void breakerChanged(BreakerState from, BreakerState to, String reason) {
          events.add(from + " -> " + to + ": " + reason);
        }
      };
  private final CircuitBreaker breaker =
      new CircuitBreaker(
          ImmutableResilienceSettings.builder()
              .breakerWindow(6)
              .breakerFailures(3)
              .breakerProbes(2)
              .breakerOpenFor(Duration.ofSeconds(5))
              .breakerOpenAtMost(Duration.ofSeconds(15))
              .build(),
          time,
          listener);

  private void make(Outcome outcome) {
    Permit permit = breaker.tryAcquire();
    assertThat(permit).as("permit while %s", breaker.state()).isNotNull();
    breaker.release(permit, outcome, outcome == Outcome.FAILED ? AWAY : null);
  }

  private void makeAll(Outcome... outcomes) {
    for (Outcome outcome : outcomes) {
      make(outcome);
    }
  }

  @Test
  void itOpensWhenEnoughOfTheLatestCallsFailed() {
    makeAll(Outcome.FAILED, Outcome.ANSWERED, Outcome.FAILED, Outcome.ANSWERED);
    assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);

    make(Outcome.FAILED);

    assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    assertThat(events)
        .containsExactly(
            "CLOSED -> OPEN: 3 of the latest 5 calls failed, the last one with: the worker is away");
    assertThat(breaker.tryAcquire()).isNull();
    assertThat(breaker.refused()).isEqualTo(1);
  }

  @Test
  void failuresThatLieBackFurtherThanTheWindowAreForgotten() {
    makeAll(Outcome.FAILED, Outcome.FAILED);
    for (int i = 0; i < 6; i++) {
      make(Outcome.ANSWERED);
    }
    makeAll(Outcome.FAILED, Outcome.FAILED);

    assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void aWindowOfAllBitsWorks() {
    CircuitBreaker wide =
        new CircuitBreaker(
            ImmutableResilienceSettings.builder().breakerWindow(64).breakerFailures(64).build(),
            time,
            listener);
    for (int i = 0; i < 64; i++) {
      assertThat(wide.state()).isEqualTo(BreakerState.CLOSED);
      wide.release(wide.tryAcquire(), Outcome.FAILED, AWAY);
    }

    assertThat(wide.state()).isEqualTo(BreakerState.OPEN);
  }

  @Test
  void afterItsTimeItLetsOneCallThroughAtOnceAndClosesAfterEnoughAnswers() {
    makeAll(Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);
    time.advance(Duration.ofMillis(4999));
    assertThat(breaker.tryAcquire()).isNull();
    time.advance(Duration.ofMillis(1));

    Permit probe = breaker.tryAcquire();
    assertThat(probe).isNotNull();
    assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    assertThat(breaker.tryAcquire()).isNull();
    breaker.release(probe, Outcome.ANSWERED, null);
    assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    make(Outcome.ANSWERED);

    assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
    assertThat(events.subList(1, 3))
        .containsExactly(
            "OPEN -> HALF_OPEN: trying again after PT5S",
            "HALF_OPEN -> CLOSED: 2 calls in a row were answered");
    makeAll(Outcome.FAILED, Outcome.FAILED);
    assertThat(breaker.state())
        .as("what failed before it opened no longer counts")
        .isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void aTryThatFailsDoublesTheTimeUpToABound() {
    makeAll(Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);
    for (int seconds : new int[] {5, 10, 15, 15}) {
      time.advance(Duration.ofSeconds(seconds).minusNanos(1));
      assertThat(breaker.tryAcquire()).as("just before %d s", seconds).isNull();
      time.advance(Duration.ofNanos(1));
      make(Outcome.FAILED);
      assertThat(breaker.state()).isEqualTo(BreakerState.OPEN);
    }
    time.advance(Duration.ofSeconds(15));
    makeAll(Outcome.ANSWERED, Outcome.ANSWERED, Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);
    time.advance(Duration.ofSeconds(5));

    assertThat(breaker.tryAcquire()).as("healed in between: the time starts anew").isNotNull();
  }

  @Test
  void aTryOfWhichTheOutcomeIsUnknownLeavesTheDecisionToTheNext() {
    makeAll(Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);
    time.advance(Duration.ofSeconds(5));
    makeAll(Outcome.UNKNOWN);

    assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    makeAll(Outcome.ANSWERED, Outcome.ANSWERED);
    assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void aCallThatBeganBeforeAChangeOfStateDoesNotCount() {
    Permit early = breaker.tryAcquire();
    makeAll(Outcome.FAILED, Outcome.FAILED, Outcome.FAILED);
    time.advance(Duration.ofSeconds(5));
    Permit probe = breaker.tryAcquire();

    breaker.release(early, Outcome.FAILED, AWAY);

    assertThat(breaker.state()).isEqualTo(BreakerState.HALF_OPEN);
    breaker.release(probe, Outcome.ANSWERED, null);
  }

  @Test
  void throttlingNeverOpensIt() {
    for (int i = 0; i < 50; i++) {
      make(CircuitBreaker.outcomeOf(new StoreException(Kind.THROTTLED, "503 SlowDown", null)));
    }

    assertThat(breaker.state()).isEqualTo(BreakerState.CLOSED);
  }

  @Test
  void whatAFailureSaysAboutTheStore() {
    assertThat(CircuitBreaker.outcomeOf(new StoreException(Kind.NOT_FOUND, "", null)))
        .isEqualTo(Outcome.ANSWERED);
    assertThat(CircuitBreaker.outcomeOf(new StoreException(Kind.CHANGED, "", null)))
        .isEqualTo(Outcome.ANSWERED);
    assertThat(CircuitBreaker.outcomeOf(new StoreException(Kind.TIMEOUT, "", null)))
        .isEqualTo(Outcome.FAILED);
    assertThat(CircuitBreaker.outcomeOf(new IOException("not sorted by kind")))
        .isEqualTo(Outcome.FAILED);
    assertThat(CircuitBreaker.outcomeOf(new InterruptedIOException())).isEqualTo(Outcome.UNKNOWN);
    assertThat(CircuitBreaker.outcomeOf(new IllegalArgumentException("a defect of the caller")))
        .isEqualTo(Outcome.UNKNOWN);
  }

  @Test
  void aStoreBehindAnOpenBreakerIsNotAsked() throws IOException {
    ScriptedStore store = new ScriptedStore();
    CircuitBreakingStore guarded = new CircuitBreakingStore(store, breaker);
    URI uri = URI.create("mem://store/file");
    store.fail(Operation.FIND, Kind.UNAVAILABLE, 3);
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> guarded.find(uri)).isInstanceOf(StoreException.class);
    }

    assertThatThrownBy(() -> guarded.find(uri))
        .isInstanceOfSatisfying(
            StoreException.class,
            e -> {
              assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE);
              assertThat(CircuitBreakingStore.isRefusal(e)).isTrue();
            });
    assertThat(store.calls()).hasSize(3);
    time.advance(Duration.ofSeconds(5));
    assertThat(guarded.find(uri)).isEmpty();
  }
}
