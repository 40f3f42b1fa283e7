package dev.leat.testkit.assertj;

import static dev.leat.testkit.assertj.LeatAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DimensionVersion;
import dev.leat.event.DimensionStatistics;
import dev.leat.event.DimensionStatistics.Health;
import dev.leat.event.DimensionStatistics.Loads;
import dev.leat.event.DimensionStatistics.Lookups;
import dev.leat.event.DimensionStatistics.Served;
import dev.leat.event.DimensionStatistics.Tier;
import dev.leat.testkit.flink.InMemoryKafka;
import dev.leat.testkit.flink.InMemoryTopic;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class LeatAssertionsTest {

  @Test
  void aTopicTellsWhatWasLostAndWhatWasDoubled() {
    try (InMemoryKafka kafka = InMemoryKafka.create()) {
      InMemoryTopic<String> topic = kafka.createTopic("plays", 1, String.class);
      topic.produce("a", "b", "b", "x");

      assertThat(topic).hasNothingUncommitted().committedValues().contains("a");
      assertThat(topic).hasExactlyOnce(Function.identity(), List.of("a", "b", "b", "x"));
      assertThatThrownBy(() -> assertThat(topic).hasExactlyOnce(Function.identity(), "a", "b", "c"))
          .isInstanceOf(AssertionError.class)
          .hasMessageContaining("1 are lost: [c]")
          .hasMessageContaining("2 are doubled or not expected: [b, x]");
    }
  }

  @Test
  void statisticsTellWhatIsDifferent() {
    Tier tier = new Tier(3, 1, 100, 1, 0, 1, 0, Health.CLOSED);
    DimensionStatistics statistics =
        new DimensionStatistics(
            Optional.of(
                new Served(
                    new DimensionVersion("1f", Instant.EPOCH), Duration.ZERO, 5, 1, 0, 0, 0, 0, 0)),
            new Lookups(2, 1, 0),
            new Loads(
                1,
                0,
                Duration.ZERO,
                1,
                0,
                0,
                0,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                0,
                0,
                Optional.empty()),
            Map.of("alluxio", tier));

    assertThat(statistics).servesRows(5).hasLookups(2, 1).fellBackFrom("alluxio");
    assertThatThrownBy(() -> assertThat(statistics).servesRows(6)).hasMessageContaining("6 rows");
    assertThatThrownBy(() -> assertThat(statistics).hasLookups(3, 1))
        .hasMessageContaining("3 hits and 1 misses");
    assertThatThrownBy(() -> assertThat(statistics).hasNoFailures())
        .hasMessageContaining("alluxio");
    assertThatThrownBy(() -> assertThat(statistics).fellBackFrom("disk"))
        .hasMessageContaining("only [alluxio]");
  }
}
