package dev.leat.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTest {
  private static final StoreException UNAVAILABLE =
      new StoreException(Kind.UNAVAILABLE, "away", null);
  private static final StoreException THROTTLED =
      new StoreException(Kind.THROTTLED, "slow down", null);

  private final ResilienceSettings settings =
      ImmutableResilienceSettings.builder()
          .firstBackoff(Duration.ofMillis(100))
          .throttledBackoff(Duration.ofMillis(500))
          .longestBackoff(Duration.ofSeconds(3))
          .build();

  @Test
  void theBoundDoublesWithEachAttemptUpToTheLongest() {
    Backoff longest = new Backoff(settings, bound -> bound - 1);

    assertThat(
            new Duration[] {
              longest.after(UNAVAILABLE, 1),
              longest.after(UNAVAILABLE, 2),
              longest.after(UNAVAILABLE, 3)
            })
        .containsExactly(Duration.ofMillis(100), Duration.ofMillis(200), Duration.ofMillis(400));
    assertThat(longest.after(UNAVAILABLE, 5)).isEqualTo(Duration.ofMillis(1600));
    assertThat(longest.after(UNAVAILABLE, 6)).isEqualTo(Duration.ofSeconds(3));
    assertThat(longest.after(UNAVAILABLE, Integer.MAX_VALUE)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void aStoreThatAsksToSlowDownIsGivenMoreTime() {
    Backoff longest = new Backoff(settings, bound -> bound - 1);

    assertThat(longest.after(THROTTLED, 1)).isEqualTo(Duration.ofMillis(500));
    assertThat(longest.after(THROTTLED, 2)).isEqualTo(Duration.ofSeconds(1));
  }

  @Test
  void theWaitIsDrawnEvenlyBetweenZeroAndTheBound() {
    Random random = new Random(20261129);
    Backoff backoff = new Backoff(settings, bound -> random.nextLong(bound));
    int[] quarters = new int[4];

    for (int i = 0; i < 4000; i++) {
      long nanos = backoff.after(UNAVAILABLE, 3).toNanos();
      assertThat(nanos).isBetween(0L, 400_000_000L);
      quarters[(int) Math.min(3, nanos / 100_000_000L)]++;
    }

    for (int count : quarters) {
      assertThat(count).isBetween(900, 1100);
    }
  }

  @Test
  void aLongestBackoffBelowTheFirstOneWins() {
    ResilienceSettings odd =
        ImmutableResilienceSettings.builder()
            .firstBackoff(Duration.ofSeconds(9))
            .longestBackoff(Duration.ofSeconds(1))
            .build();

    assertThat(new Backoff(odd, bound -> bound - 1).after(UNAVAILABLE, 1))
        .isEqualTo(Duration.ofSeconds(1));
  }
}
