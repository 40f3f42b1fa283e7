package dev.leat.testkit.assertj;

import dev.leat.event.DimensionStatistics;
import dev.leat.testkit.flink.InMemoryTopic;

/** Where the assertions begin; to be imported statically beside AssertJ's own. */
public final class LeatAssertions {

  private LeatAssertions() {}

  /** Assertions on what a job has committed to a topic. */
  public static <T> TopicAssert<T> assertThat(InMemoryTopic<T> topic) {
    return new TopicAssert<>(topic);
  }

  /** Assertions on how a dimension stands. */
  public static DimensionStatisticsAssert assertThat(DimensionStatistics statistics) {
    return new DimensionStatisticsAssert(statistics);
  }
}
