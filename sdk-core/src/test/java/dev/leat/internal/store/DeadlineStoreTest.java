package dev.leat.internal.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.internal.store.ScriptedStore.Hang;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeadlineStoreTest {
  private static final URI FILE = URI.create("mem://store/file");
  private static final Duration CALL = Duration.ofSeconds(30);

  private final ScriptedStore store = new ScriptedStore();
  private final ManualStoreTime time = new ManualStoreTime();
  private final ResilienceSettings settings =
      ImmutableResilienceSettings.builder()
          .callTimeout(CALL)
          .bulkTimeout(Duration.ofMinutes(10))
          .concurrentCalls(2)
          .streamChunkBytes(8)
          .build();
  private final DeadlineStore deadline = new DeadlineStore(store, settings, time);
  private final List<Hang> hangs = new ArrayList<>();

  @AfterEach
  void closingLeavesNoThread() {
    hangs.forEach(Hang::release);
    deadline.close();
    deadline.close();
    assertThat(store.isClosed()).isTrue();
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .extracting(Thread::getName)
                    .noneMatch(name -> name.endsWith("-of-ScriptedStore")));
    assertThat(store.open).hasValue(0);
  }

  private Hang hang(Operation operation) {
    Hang hang = store.hang(operation);
    hangs.add(hang);
    return hang;
  }

  private static <T> FutureTask<T> inBackground(Callable<T> call) {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task, "caller");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static void assertTimesOut(FutureTask<?> call) {
    assertThatThrownBy(call::get)
        .isInstanceOf(ExecutionException.class)
        .cause()
        .satisfies(DeadlineStoreTest::isTimeout);
  }

  private static void assertTimesOut(ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call).satisfies(DeadlineStoreTest::isTimeout);
  }

  private static void isTimeout(Throwable failure) {
    assertThat(failure)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.TIMEOUT));
  }

  @Test
  void aCallThatEndsInTimeGivesItsResultAndItsFailure() throws IOException {
    Blob blob = store.put(FILE.toString(), "content".getBytes(US_ASCII));
    assertThat(deadline.find(FILE)).contains(blob);
    store.fail(Operation.FIND, Kind.ACCESS_DENIED, 1);

    assertThatThrownBy(() -> deadline.find(FILE))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED))
        .hasMessage("scripted ACCESS_DENIED");
    store.fail(Operation.FIND, new IllegalStateException("a defect of the client"));
    assertThatThrownBy(() -> deadline.find(FILE))
        .hasMessageContaining("a defect of the client")
        .hasCauseInstanceOf(IllegalStateException.class);
  }

  @Test
  void aCallThatHangsIsAbandonedWhenItsTimeIsOver() throws InterruptedException {
    Hang hang = hang(Operation.FIND);
    FutureTask<?> call = inBackground(() -> deadline.find(FILE));
    hang.awaitReached();
    time.advance(CALL.minusNanos(1));
    assertThat(call.isDone()).isFalse();

    time.advance(Duration.ofNanos(1));

    assertTimesOut(call);
    assertThat(deadline.timeouts()).isEqualTo(1);
    await().until(() -> store.interrupts.get() == 1);
  }

  @Test
  void callsOfManyRequestsHaveMoreTime() throws Exception {
    Hang hang = hang(Operation.LIST);
    FutureTask<List<Blob>> call = inBackground(() -> deadline.list(FILE));
    hang.awaitReached();
    time.advance(CALL.multipliedBy(2));
    hang.release();

    assertThat(call.get()).isEmpty();
  }

  @Test
  void aClientThatHearsInterruptsGivesItsThreadBackAtOnce() throws Exception {
    for (int i = 0; i < 5; i++) {
      Hang hang = store.hangUntilInterrupted(Operation.FIND);
      FutureTask<?> call = inBackground(() -> deadline.find(FILE));
      hang.awaitReached();
      time.advance(CALL);
      assertTimesOut(call);
    }
    assertThat(deadline.find(FILE)).isEmpty();
  }

  @Test
  void whenAllThreadsHangFurtherCallsFailInTimeAndTheStoreRecoversWithTheClient() throws Exception {
    Hang first = hang(Operation.FIND);
    Hang second = hang(Operation.FIND);
    List<FutureTask<?>> calls =
        List.of(inBackground(() -> deadline.find(FILE)), inBackground(() -> deadline.find(FILE)));
    first.awaitReached();
    second.awaitReached();
    time.advance(CALL);
    calls.forEach(DeadlineStoreTest::assertTimesOut);

    CompletableFuture<Thread> caller = new CompletableFuture<>();
    FutureTask<?> third =
        inBackground(
            () -> {
              caller.complete(Thread.currentThread());
              return deadline.find(FILE);
            });
    await().until(() -> caller.get().getState() == Thread.State.TIMED_WAITING);
    time.advance(CALL);
    assertTimesOut(third);
    assertThat(store.calls()).as("the third never reached the client").hasSize(2);

    first.release();
    assertThat(deadline.find(FILE)).isEmpty();
  }

  @Test
  void anAbandonedReadNeverTouchesTheArrayOfTheCaller() throws Exception {
    Blob blob = store.put(FILE.toString(), "content".getBytes(US_ASCII));
    byte[] target = new byte[7];
    try (BlobReader reader = deadline.open(blob)) {
      Hang hang = hang(Operation.READ);
      FutureTask<Boolean> call =
          inBackground(
              () -> {
                reader.readFully(0, target, 0, 7);
                return true;
              });
      hang.awaitReached();
      time.advance(CALL);
      assertTimesOut(call);
      hang.release();
      reader.readFully(0, new byte[7], 0, 7);

      assertThat(target).isEqualTo(new byte[7]);
      reader.readFully(0, target, 0, 7);
      assertThat(target).isEqualTo("content".getBytes(US_ASCII));
    }
  }

  @Test
  void whatAnAbandonedCallOpensIsClosed() throws Exception {
    Blob blob = store.put(FILE.toString(), "content".getBytes(US_ASCII));
    Hang hang = hang(Operation.OPEN);
    FutureTask<?> call = inBackground(() -> deadline.open(blob));
    hang.awaitReached();
    time.advance(CALL);
    assertTimesOut(call);
    hang.release();

    await().until(() -> store.calls().contains(Operation.OPEN) && store.open.get() == 0);
  }

  @Test
  void aStreamIsFetchedInChunksOfWhichEachHasTheDeadline() throws Exception {
    Blob blob = store.put(FILE.toString(), "0123456789abcdefghij".getBytes(US_ASCII));
    try (BlobReader reader = deadline.open(blob);
        InputStream stream = reader.stream(1)) {
      assertThat(stream.read()).isEqualTo('1');
      time.advance(CALL.multipliedBy(3)); // a slow caller is not the store's fault
      assertThat(stream.readNBytes(10)).isEqualTo("23456789ab".getBytes(US_ASCII));
      assertThat(stream.readNBytes(5)).isEqualTo("cdefg".getBytes(US_ASCII));

      Hang hang = hang(Operation.STREAM);
      FutureTask<Integer> call = inBackground(stream::read);
      hang.awaitReached();
      time.advance(CALL);
      assertTimesOut(call);
      hang.release();
      assertThatThrownBy(stream::read)
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
    }
  }

  @Test
  void aStreamThatEndsWithAChunkEnds() throws IOException {
    Blob blob = store.put(FILE.toString(), "0123456789abcdef".getBytes(US_ASCII));
    try (BlobReader reader = deadline.open(blob);
        InputStream stream = reader.stream(0)) {
      assertThat(stream.readAllBytes()).hasSize(16);
      assertThat(stream.read()).isEqualTo(-1);
    }
  }

  @Test
  void anInterruptOfTheCallerEndsTheCallAndStays() throws Exception {
    Hang hang = hang(Operation.FIND);
    CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
    CompletableFuture<Throwable> failure = new CompletableFuture<>();
    Thread caller =
        new Thread(
            () -> {
              try {
                deadline.find(FILE);
              } catch (IOException e) {
                failure.complete(e);
              }
              interrupted.complete(Thread.currentThread().isInterrupted());
            });
    caller.start();
    hang.awaitReached();
    caller.interrupt();

    assertThat(failure.get()).isInstanceOf(InterruptedIOException.class);
    assertThat(interrupted.get()).isTrue();
  }

  @Test
  void aCallAfterCloseSaysThatTheStoreIsClosed() {
    deadline.close();

    assertThatThrownBy(() -> deadline.find(FILE))
        .hasMessage("cannot find mem://store/file: the store is closed");
  }

  @Test
  void closingEndsCallsThatRunAndThenTheClient() throws Exception {
    Hang hang = store.hangUntilInterrupted(Operation.FIND);
    FutureTask<?> call = inBackground(() -> deadline.find(FILE));
    hang.awaitReached();
    deadline.close();

    assertThat(store.closedBelow()).isZero();
    assertThatThrownBy(call::get)
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(StoreException.class);
  }

  @Test
  void whoeverWasInterruptedWaitsForTheCallsAndStaysInterrupted() throws Exception {
    Hang hang = store.hangUntilInterrupted(Operation.FIND);
    FutureTask<?> call = inBackground(() -> deadline.find(FILE));
    hang.awaitReached();
    Thread.currentThread().interrupt();
    deadline.close();

    assertThat(Thread.interrupted()).isTrue();
    assertThat(store.closedBelow()).isZero();
    assertThatThrownBy(call::get).isInstanceOf(ExecutionException.class);
  }

  /** {@link #closingLeavesNoThread} counts what is open. */
  @Test
  void whatIsBeingClosedIsClosedAlthoughItsThreadWasBusyAndNobodyWaits() throws Exception {
    BlobReader reader = deadline.open(store.put(FILE.toString(), "content".getBytes(US_ASCII)));
    Hang first = store.hangUntilInterrupted(Operation.FIND);
    Hang second = store.hangUntilInterrupted(Operation.FIND);
    FutureTask<?> one = inBackground(() -> deadline.find(FILE));
    FutureTask<?> other = inBackground(() -> deadline.find(FILE));
    first.awaitReached();
    second.awaitReached();
    Thread.currentThread().interrupt();
    assertThatThrownBy(reader::close).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
    assertThat(store.open).hasValue(1);

    deadline.close();

    assertThat(store.open).hasValue(0);
    assertThatThrownBy(one::get).hasMessageContaining("the store was closed");
    assertThatThrownBy(other::get).hasMessageContaining("the store was closed");
  }

  @Test
  void theClientIsClosedAlthoughACallDoesNotEnd() throws Exception {
    Hang hang = hang(Operation.FIND);
    FutureTask<?> call = inBackground(() -> deadline.find(FILE));
    hang.awaitReached();
    FutureTask<?> closing =
        inBackground(
            () -> {
              deadline.close();
              return true;
            });

    await().until(store::isClosed);
    assertThat(store.closedBelow()).isOne();
    hang.release();
    closing.get();
    assertThatThrownBy(call::get).hasMessageContaining("the store was closed");
  }

  @Test
  void timeoutsOfOpenReadersCloseTheirResultOnce() throws Exception {
    Blob blob = store.put(FILE.toString(), "content".getBytes(US_ASCII));
    try (BlobReader reader = deadline.open(blob)) {
      Hang hang = hang(Operation.STREAM);
      FutureTask<?> call = inBackground(() -> reader.stream(0));
      hang.awaitReached();
      time.advance(CALL);
      assertTimesOut(
          () -> {
            try {
              call.get();
            } catch (ExecutionException e) {
              throw e.getCause();
            }
          });
      hang.release();
      await().until(() -> store.open.get() == 1);
    }
  }
}
