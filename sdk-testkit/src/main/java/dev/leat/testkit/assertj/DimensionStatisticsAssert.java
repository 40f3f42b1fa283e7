package dev.leat.testkit.assertj;

import dev.leat.event.DimensionStatistics;
import dev.leat.event.DimensionStatistics.Lookups;
import dev.leat.event.DimensionStatistics.Tier;
import org.assertj.core.api.AbstractAssert;

/** Assertions on how a dimension stands. */
public final class DimensionStatisticsAssert
    extends AbstractAssert<DimensionStatisticsAssert, DimensionStatistics> {

  DimensionStatisticsAssert(DimensionStatistics actual) {
    super(actual, DimensionStatisticsAssert.class);
  }

  /** A version with this many rows is served. */
  public DimensionStatisticsAssert servesRows(long rows) {
    isNotNull();
    if (actual.served().isEmpty()) {
      failWithMessage("Expected a version of %d rows but none is served yet: %s", rows, actual);
    } else if (actual.served().get().rows() != rows) {
      failWithMessage(
          "Expected a version of %d rows but %s is served", rows, actual.served().get());
    }
    return this;
  }

  /** Lookups have found, and not found, this many keys. */
  public DimensionStatisticsAssert hasLookups(long hits, long misses) {
    isNotNull();
    Lookups lookups = actual.lookups();
    if (lookups.hits() != hits || lookups.misses() != misses) {
      failWithMessage("Expected %d hits and %d misses but there were %s", hits, misses, lookups);
    }
    return this;
  }

  /** No load has failed and no tier had to be replaced by the next one. */
  public DimensionStatisticsAssert hasNoFailures() {
    isNotNull();
    if (actual.loads().failures() != 0
        || actual.tiers().values().stream().anyMatch(tier -> tier.fallbacks() != 0)) {
      failWithMessage("Expected no failure but there were: %s, %s", actual.loads(), actual.tiers());
    }
    return this;
  }

  /** A tier failed, and the next one served in its place, at least once. */
  public DimensionStatisticsAssert fellBackFrom(String tierName) {
    isNotNull();
    Tier tier = actual.tiers().get(tierName);
    if (tier == null) {
      failWithMessage(
          "Expected a tier '%s' but there are only %s", tierName, actual.tiers().keySet());
    } else if (tier.fallbacks() == 0) {
      failWithMessage("Expected a fallback from '%s' but there was none: %s", tierName, tier);
    }
    return this;
  }
}
