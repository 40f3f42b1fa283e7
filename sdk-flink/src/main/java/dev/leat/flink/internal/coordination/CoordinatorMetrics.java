package dev.leat.flink.internal.coordination;

import java.util.function.Function;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;

/**
 * The metrics of a join on the JobManager: how far the whole job is. {@code docs/metrics.md} lists
 * them.
 */
final class CoordinatorMetrics {
  private static final String GROUP = "leat";

  private CoordinatorMetrics() {}

  /**
   * Registers them below the coordinator's group.
   *
   * @param lock guards the versions; reporters read them on threads of their own
   */
  static void register(
      MetricGroup coordinator, String dimension, JobVersions versions, Object lock) {
    MetricGroup group = coordinator.addGroup(GROUP, dimension);
    group.gauge(
        "versionId",
        read(versions, lock, v -> v.active().map(active -> active.version().id()).orElse("")));
    group.gauge("nextVersionId", read(versions, lock, v -> v.nextVersionId().orElse("")));
    group.gauge("subtasksPrepared", read(versions, lock, JobVersions::subtasksPrepared));
    group.gauge("switchCount", read(versions, lock, JobVersions::switches));
    group.gauge("refreshFailuresInARow", read(versions, lock, JobVersions::failuresInARow));
  }

  private static <T> Gauge<T> read(
      JobVersions versions, Object lock, Function<JobVersions, T> value) {
    return () -> {
      synchronized (lock) {
        return value.apply(versions);
      }
    };
  }
}
