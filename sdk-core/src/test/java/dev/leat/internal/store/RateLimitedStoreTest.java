package dev.leat.internal.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.RequestRate;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
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
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RateLimitedStoreTest {
  private static final URI DIRECTORY = URI.create("mem://store/");
  private static final URI FILE = URI.create("mem://store/file");

  private final ScriptedStore store = new ScriptedStore();
  private final ManualStoreTime time = new ManualStoreTime();
  private final RateLimitedStore limited = fourASecond();
  private final Blob blob =
      store.put(FILE.toString(), "0123456789".getBytes(StandardCharsets.US_ASCII));

  private RateLimitedStore fourASecond() {
    return new RateLimitedStore(store, RequestRate.perSecond(4).spacing().orElseThrow(), time);
  }

  private List<Long> sleptMillis() {
    return time.sleeps().stream().map(Duration::toMillis).toList();
  }

  @Test
  void theFirstRequestIsSentAtOnceAndTheOthersAreSpacedEvenly() throws Exception {
    for (int i = 0; i < 4; i++) {
      limited.find(FILE);
    }
    assertThat(sleptMillis()).containsExactly(250L, 250L, 250L);
  }

  @Test
  void aPauseIsNotMadeUpFor() throws Exception {
    limited.find(FILE);
    time.advance(Duration.ofMinutes(10));
    limited.find(FILE);
    assertThat(time.sleeps()).as("long enough ago").isEmpty();
    limited.find(FILE);
    assertThat(sleptMillis()).containsExactly(250L);
  }

  @Test
  void onlyWhatAClientSendsCounts() throws Exception {
    try (BlobReader reader = limited.open(blob)) {
      assertThat(time.sleeps()).as("opening sends nothing").isEmpty();
      try (InputStream in = reader.stream(0)) {
        assertThat(in.read()).isEqualTo('0');
        assertThat(in.readAllBytes()).hasSize(9);
      }
      assertThat(time.sleeps()).as("a stream is the first request").isEmpty();
      reader.readFully(2, new byte[3], 0, 3);
      reader.readFully(5, new byte[3], 0, 3);
    }
    assertThat(sleptMillis()).containsExactly(250L, 250L);
  }

  @Test
  void aListingCountsForEachThousandObjects() throws Exception {
    for (int i = 0; i < 2_500; i++) {
      store.put("mem://store/part-" + i, new byte[0]);
    }
    assertThat(limited.list(DIRECTORY)).hasSize(2_501);
    limited.find(FILE);
    assertThat(sleptMillis()).as("three requests before this one").containsExactly(750L);
  }

  @Test
  void requestsOfSeveralThreadsTakeASlotEach() throws Exception {
    StoppedTime stopped = new StoppedTime();
    RateLimitedStore shared = new RateLimitedStore(store, Duration.ofMillis(250), stopped);
    List<CompletableFuture<Void>> calls = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      calls.add(
          CompletableFuture.runAsync(
              () -> {
                try {
                  for (int call = 0; call < 50; call++) {
                    shared.find(FILE);
                  }
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              }));
    }
    for (CompletableFuture<Void> call : calls) {
      call.get(1, TimeUnit.MINUTES);
    }
    assertThat(stopped.sleeps)
        .containsExactlyInAnyOrderElementsOf(
            IntStream.range(1, 400).mapToObj(slot -> Duration.ofMillis(250L * slot)).toList());
  }

  /** Time that does not pass, so that each wait tells its slot. */
  private static final class StoppedTime implements StoreTime {
    final Queue<Duration> sleeps = new ConcurrentLinkedQueue<>();

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void sleep(Duration duration) {
      sleeps.add(duration);
    }

    @Override
    public <T> T await(Future<T> result, long deadline) {
      throw new UnsupportedOperationException("nobody waits for a result here");
    }
  }

  @Test
  void anAttemptThatIsMadeAgainWaitsForItsTurn() throws Exception {
    ResilientStore resilient =
        ResilientStore.over(
            store,
            ImmutableResilienceSettings.builder()
                .attempts(3)
                .requestSpacing(Duration.ofMillis(250))
                .build(),
            time,
            ResilienceListener.none(),
            bound -> 0);
    try (resilient) {
      store.fail(Operation.FIND, Kind.UNAVAILABLE, 2);
      assertThat(resilient.find(FILE)).isPresent();
      assertThat(sleptMillis())
          .as("no backoff here, but the rate")
          .containsExactly(0L, 250L, 0L, 250L);
    }
  }

  @Test
  void waitingForTheTurnIsNoCallThatTakesTooLong() throws Exception {
    ResilientStore resilient =
        ResilientStore.over(
            store,
            ImmutableResilienceSettings.builder()
                .callTimeout(Duration.ofSeconds(30))
                .requestSpacing(Duration.ofSeconds(100))
                .build(),
            time,
            ResilienceListener.none(),
            bound -> 0);
    try (resilient) {
      resilient.find(FILE);
      resilient.find(FILE);
      assertThat(sleptMillis()).containsExactly(100_000L);
      assertThat(resilient.statistics().timeouts()).isZero();
    }
  }

  @Test
  void aCallerWhoIsInterruptedDoesNotWaitOn() throws Exception {
    limited.find(FILE);
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> limited.find(FILE))
        .isInstanceOf(InterruptedIOException.class)
        .hasMessageContaining("rate limit");
    assertThat(Thread.interrupted()).isTrue();
    assertThat(store.calls()).hasSize(1);
  }

  @Test
  void ratesThatCannotBeKeptAreRefused() {
    for (double wrong : new double[] {0, -1, 0.001, 2_000_000, Double.NaN}) {
      assertThatThrownBy(() -> RequestRate.perSecond(wrong))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("a rate of " + wrong);
    }
    assertThat(RequestRate.unlimited().spacing()).isEmpty();
    assertThat(RequestRate.perSecond(20)).hasToString("20.0 requests a second");
  }
}
