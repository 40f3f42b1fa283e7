package dev.leat.internal.store;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResilientStoreTest {
  private static final URI FILE = URI.create("mem://store/file");

  private final ScriptedStore store = new ScriptedStore();
  private final ManualStoreTime time = new ManualStoreTime();
  private final List<String> events = new ArrayList<>();
  private final ResilientStore resilient =
      ResilientStore.over(
          store,
          ImmutableResilienceSettings.builder()
              .attempts(4)
              .breakerWindow(10)
              .breakerFailures(6)
              .breakerProbes(1)
              .build(),
          time,
          new ResilienceListener() {
            @Override
            public void retrying(
                Operation operation, URI uri, int attempt, Duration wait, StoreException failure) {
              events.add("retrying " + operation);
            }

            @Override
            public void breakerChanged(BreakerState from, BreakerState to, String reason) {
              events.add(from + " -> " + to);
            }
          },
          bound -> bound / 2);

  @AfterEach
  void close() {
    resilient.close();
    assertThat(store.isClosed()).isTrue();
    assertThat(store.open).hasValue(0);
  }

  @Test
  void allOperationsReachTheStore(@TempDir Path directory) throws IOException {
    Path local = Files.write(directory.resolve("local"), "published".getBytes(US_ASCII));
    resilient.publish(local, FILE);
    assertThat(resilient.publishIfAbsent(new byte[1], FILE)).isFalse();
    Blob blob = resilient.find(FILE).orElseThrow();
    assertThat(resilient.list(URI.create("mem://store/"))).containsExactly(blob);
    byte[] read = new byte[9];
    try (BlobReader reader = resilient.open(blob)) {
      reader.readFully(0, read, 0, 9);
      try (InputStream stream = reader.stream(2)) {
        assertThat(stream.readAllBytes()).isEqualTo("blished".getBytes(US_ASCII));
      }
    }
    assertThat(read).isEqualTo("published".getBytes(US_ASCII));
    resilient.delete(FILE);
    assertThat(resilient.find(FILE)).isEmpty();

    StoreStatistics statistics = resilient.statistics();
    assertThat(statistics.requests())
        .containsEntry(Operation.PUBLISH, 1L)
        .containsEntry(Operation.PUBLISH_IF_ABSENT, 1L)
        .containsEntry(Operation.FIND, 2L)
        .containsEntry(Operation.LIST, 1L)
        .containsEntry(Operation.OPEN, 1L)
        .containsEntry(Operation.READ, 1L)
        .containsEntry(Operation.DELETE, 1L);
    assertThat(statistics.bytesRead()).isEqualTo(9 + 7);
    assertThat(statistics.totalFailures()).isZero();
    assertThat(statistics.retries()).isZero();
  }

  @Test
  void anOpenBreakerEndsTheRetriesAtOnceAndHealsByItself() throws IOException {
    store.fail(Operation.FIND, Kind.UNAVAILABLE, 6);

    assertThatThrownBy(() -> resilient.find(FILE))
        .hasMessageContaining("given up after 4 attempts");
    assertThatThrownBy(() -> resilient.find(FILE)).hasMessageContaining("left alone for a while");
    assertThat(store.calls()).hasSize(6);
    assertThat(resilient.breakerState()).isEqualTo(BreakerState.OPEN);
    int sleeps = time.sleeps().size();
    assertThatThrownBy(() -> resilient.find(FILE)).isInstanceOf(StoreException.class);
    assertThat(time.sleeps()).hasSize(sleeps);
    assertThat(store.calls()).hasSize(6);

    time.advance(Duration.ofSeconds(5));
    assertThat(resilient.find(FILE)).isEmpty();
    assertThat(resilient.breakerState()).isEqualTo(BreakerState.CLOSED);

    assertThat(events)
        .containsSubsequence(
            "retrying find", "CLOSED -> OPEN", "OPEN -> HALF_OPEN", "HALF_OPEN -> CLOSED");
    StoreStatistics statistics = resilient.statistics();
    assertThat(statistics.failures()).containsEntry(Kind.UNAVAILABLE, 6L);
    assertThat(statistics.refused()).isEqualTo(2);
    assertThat(statistics.retries()).isEqualTo(5);
    assertThat(statistics.totalRequests()).isEqualTo(7);
  }

  @Test
  void throttlingIsBackedOffAndDoesNotOpenTheBreaker() throws IOException {
    for (int i = 0; i < 10; i++) {
      store.fail(Operation.FIND, Kind.THROTTLED, 3);
      assertThat(resilient.find(FILE)).isEmpty();
    }

    assertThat(resilient.breakerState()).isEqualTo(BreakerState.CLOSED);
    assertThat(time.sleeps())
        .hasSize(30)
        .startsWith(Duration.ofMillis(250), Duration.ofMillis(500), Duration.ofSeconds(1));
  }

  @Test
  void theDurationsOfRequestsAreMeasuredWithTheTimeGiven() throws IOException {
    store.fail(Operation.LIST, Kind.UNAVAILABLE, 1);
    resilient.list(FILE);

    assertThat(resilient.statistics().durations())
        .containsEntry(
            Operation.LIST, Duration.ZERO); // the manual time moved between the requests only
  }

  @Test
  void settingsOutOfBoundsSayWhatToDo() {
    assertThatThrownBy(() -> ImmutableResilienceSettings.builder().attempts(0).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("attempts is 0; use at least 1");
    assertThatThrownBy(
            () -> ImmutableResilienceSettings.builder().callTimeout(Duration.ZERO).build())
        .hasMessage("callTimeout is PT0S; use a positive duration");
    assertThatThrownBy(() -> ImmutableResilienceSettings.builder().breakerWindow(65).build())
        .hasMessageContaining("use 10 to 64");
  }
}
