package dev.leat.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RetryingStoreTest {
  private static final URI FILE = URI.create("mem://store/file");
  private static final byte[] CONTENT = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

  private final ScriptedStore store = new ScriptedStore();
  private final ManualStoreTime time = new ManualStoreTime();
  private final List<String> events = new ArrayList<>();
  private final ResilienceListener listener =
      new ResilienceListener() {
        @Override
        public void retrying(
            Operation operation, URI uri, int attempt, Duration wait, StoreException failure) {
          events.add(operation + " " + attempt + " " + failure.kind());
        }
      };
  private final ResilienceSettings settings =
      ImmutableResilienceSettings.builder()
          .attempts(4)
          .firstBackoff(Duration.ofMillis(100))
          .retryFor(Duration.ofMinutes(1))
          .build();
  private final RetryingStore retrying = over(settings);

  private RetryingStore over(ResilienceSettings chosen) {
    return new RetryingStore(
        store, chosen, time, listener, new Backoff(chosen, bound -> bound - 1));
  }

  @AfterEach
  void nothingIsLeftOpen() {
    assertThat(store.open).hasValue(0);
  }

  @ParameterizedTest
  @EnumSource
  void onlyAFailureThatMayPassIsTriedAgain(Kind kind) throws IOException {
    store.fail(Operation.FIND, kind, 1);

    if (kind.retriable()) {
      assertThat(retrying.find(FILE)).isEmpty();
      assertThat(events).containsExactly("find 1 " + kind);
      assertThat(retrying.retries()).isEqualTo(1);
    } else {
      assertThatThrownBy(() -> retrying.find(FILE))
          .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
      assertThat(events).isEmpty();
      assertThat(time.sleeps()).isEmpty();
    }
  }

  @Test
  void theWaitsGrowAndTheLastFailureIsThrownWithTheNumberOfAttempts() {
    store.fail(Operation.LIST, Kind.UNAVAILABLE, 9);

    assertThatThrownBy(() -> retrying.list(FILE))
        .isInstanceOf(StoreException.class)
        .hasMessage("scripted UNAVAILABLE (given up after 4 attempts within PT0.7S)")
        .hasCauseInstanceOf(StoreException.class);
    assertThat(time.sleeps())
        .containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
    assertThat(store.calls()).hasSize(4);
  }

  @Test
  void noAttemptIsBegunWhenTheTimeIsOver() {
    RetryingStore hasty =
        over(
            ImmutableResilienceSettings.builder()
                .attempts(100)
                .firstBackoff(Duration.ofSeconds(1))
                .retryFor(Duration.ofSeconds(5))
                .build());
    store.fail(Operation.LIST, Kind.UNAVAILABLE, 100);

    assertThatThrownBy(() -> hasty.list(FILE))
        .hasMessageContaining("given up after 3 attempts within PT3S");
    assertThat(time.sleeps()).containsExactly(Duration.ofSeconds(1), Duration.ofSeconds(2));
  }

  @Test
  void theSameSeedGivesTheSameWaits() {
    List<Duration> first = sleepsWithSeed(7);

    assertThat(sleepsWithSeed(7)).isEqualTo(first);
    assertThat(sleepsWithSeed(8)).isNotEqualTo(first);
  }

  private List<Duration> sleepsWithSeed(long seed) {
    ManualStoreTime own = new ManualStoreTime();
    Random random = new Random(seed);
    RetryingStore seeded =
        new RetryingStore(store, settings, own, listener, new Backoff(settings, random::nextLong));
    store.fail(Operation.DELETE, Kind.THROTTLED, 4);
    assertThatThrownBy(() -> seeded.delete(FILE)).isInstanceOf(StoreException.class);
    return own.sleeps();
  }

  @Test
  void aRuntimeExceptionPassesAtOnce() {
    store.fail(Operation.FIND, new IllegalStateException("a defect"));

    assertThatThrownBy(() -> retrying.find(FILE)).isInstanceOf(IllegalStateException.class);
    assertThat(store.calls()).hasSize(1);
  }

  @Test
  void anInterruptEndsTheWaitAndStays() {
    store.fail(Operation.FIND, Kind.UNAVAILABLE, 1);
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> retrying.find(FILE)).isInstanceOf(InterruptedIOException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void aCreationOfWhichTheAnswerWasLostIsRecognizedByItsContent() throws IOException {
    store.loseAnswer(Operation.PUBLISH_IF_ABSENT, Kind.TIMEOUT);

    assertThat(retrying.publishIfAbsent(CONTENT, FILE)).isTrue();
    assertThat(store.content(FILE.toString())).isEqualTo(CONTENT);
  }

  @Test
  void aCreationThatAnotherCallerWonIsNotTakenForOurs() throws IOException {
    store.put(FILE.toString(), "of somebody else".getBytes(StandardCharsets.US_ASCII));
    store.fail(Operation.PUBLISH_IF_ABSENT, Kind.UNAVAILABLE, 1);

    assertThat(retrying.publishIfAbsent(CONTENT, FILE)).isFalse();
    assertThat(store.content(FILE.toString())).isNotEqualTo(CONTENT);
  }

  @Test
  void withoutALostAnswerEqualContentIsNoProof() throws IOException {
    store.put(FILE.toString(), CONTENT);

    assertThat(retrying.publishIfAbsent(CONTENT, FILE)).isFalse();
    assertThat(store.calls()).containsExactly(Operation.PUBLISH_IF_ABSENT);
  }

  @Test
  void aReaderThatFailedIsOpenedAgain() throws IOException {
    Blob blob = store.put(FILE.toString(), CONTENT);
    store.fail(Operation.READ, Kind.UNAVAILABLE, 2);
    byte[] target = new byte[6];

    try (BlobReader reader = retrying.open(blob)) {
      reader.readFully(4, target, 1, 4);
    }

    assertThat(target).isEqualTo(new byte[] {0, '4', '5', '6', '7', 0});
    assertThat(store.calls())
        .containsExactly(
            Operation.OPEN,
            Operation.READ,
            Operation.OPEN,
            Operation.READ,
            Operation.OPEN,
            Operation.READ);
  }

  @Test
  void aReaderThatIsOpenedAgainStillAnswersForTheSameContentOnly() throws IOException {
    Blob blob = store.put(FILE.toString(), CONTENT);
    store.fail(Operation.READ, Kind.UNAVAILABLE, 1);

    try (BlobReader reader = retrying.open(blob)) {
      store.put(FILE.toString(), "another content!".getBytes(StandardCharsets.US_ASCII));

      assertThatThrownBy(() -> reader.readFully(0, new byte[4], 0, 4))
          .isInstanceOfSatisfying(
              StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED));
    }
  }

  @Test
  void aStreamGoesOnBehindTheLastByteEvenWhenItsReaderIsClosed() throws IOException {
    Blob blob = store.put(FILE.toString(), CONTENT);
    store.pass(Operation.STREAM); // opens
    store.pass(Operation.STREAM); // brings the first bytes
    store.fail(Operation.STREAM, Kind.TRUNCATED, 1);
    InputStream stream;
    try (BlobReader reader = retrying.open(blob)) {
      stream = reader.stream(2);
    }

    try (stream) {
      assertThat(stream.readNBytes(5)).isEqualTo("23456".getBytes(StandardCharsets.US_ASCII));
      assertThat(stream.read()).isEqualTo('7');
      assertThat(stream.readAllBytes()).isEqualTo("89abcdef".getBytes(StandardCharsets.US_ASCII));
      assertThat(stream.read()).isEqualTo(-1);
    }
    assertThat(events).containsExactly("stream 1 TRUNCATED");
  }

  @Test
  void everyReadOfAStreamHasAllAttempts() throws IOException {
    Blob blob = store.put(FILE.toString(), CONTENT);
    StringBuilder read = new StringBuilder();
    try (BlobReader reader = retrying.open(blob);
        InputStream stream = reader.stream(0)) {
      for (int i = 0; i < CONTENT.length; i++) {
        store.fail(Operation.STREAM, Kind.UNAVAILABLE, 3);
        read.append((char) stream.read());
      }
    }
    assertThat(read).hasToString("0123456789abcdef");
    assertThat(retrying.retries()).isEqualTo(3L * CONTENT.length);
  }

  @Test
  void aClosedReaderSaysSo() throws IOException {
    BlobReader reader = retrying.open(store.put(FILE.toString(), CONTENT));
    reader.close();
    reader.close();

    assertThatThrownBy(() -> reader.readFully(0, new byte[1], 0, 1)).hasMessageContaining("closed");
  }

  @Test
  void aReaderThatFailedIsClosedByItsLastUserAlsoWhenTheWholeWasClosedMeanwhile() throws Exception {
    BlobReader reader = retrying.open(store.put(FILE.toString(), CONTENT));
    ScriptedStore.Hang hang = store.hang(Operation.READ);
    byte[] read = new byte[4];
    CompletableFuture<Void> user =
        CompletableFuture.runAsync(
            () -> {
              try {
                reader.readFully(0, read, 0, read.length);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    hang.awaitReached();
    store.fail(Operation.READ, Kind.UNAVAILABLE, settings.attempts());
    assertThatThrownBy(() -> reader.readFully(0, new byte[1], 0, 1))
        .isInstanceOf(StoreException.class);

    reader.close();
    assertThat(store.open).hasValue(1);
    hang.release();
    user.get(20, TimeUnit.SECONDS);

    assertThat(read).isEqualTo("0123".getBytes(StandardCharsets.US_ASCII));
    assertThat(store.open).hasValue(0);
  }
}
