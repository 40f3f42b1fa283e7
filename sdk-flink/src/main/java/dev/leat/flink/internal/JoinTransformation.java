package dev.leat.flink.internal;

import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.dag.Transformation;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * Puts a join into the job graph, as one operator that is chained to its neighbours:
 *
 * <pre>
 *   events ──▶ [ Leat join customers ] ──▶ combined events
 *                        └────────────────▶ side output of misses, if asked for
 * </pre>
 */
public final class JoinTransformation {

  /**
   * What the default uid of a join begins with; the dimension's name follows. Changing it would
   * orphan the state of the operators of running jobs at their next restore.
   */
  static final String UID_PREFIX = "leat-";

  private JoinTransformation() {}

  /**
   * Adds the operator of a plan.
   *
   * @param name the operator's name, or empty for the default
   * @param uid the operator's uid, or empty for the default
   */
  public static <E, K, D, R, O> SingleOutputStreamOperator<O> apply(
      DataStream<E> events,
      JoinPlan<E, K, D, R, O> plan,
      TypeInformation<O> outputType,
      Optional<String> name,
      Optional<String> uid) {
    StreamExecutionEnvironment environment = events.getExecutionEnvironment();
    KeySelector<E, K> key = environment.clean(plan.key());
    JoinFunction<E, R, O> combiner = environment.clean(plan.combiner());
    JoinPlan<E, K, D, R, O> cleaned =
        new JoinPlan<>(
            plan.request(),
            key,
            plan.rows(),
            plan.misses(),
            combiner,
            plan.versionGone(),
            plan.hotRows());
    String operatorName =
        name.orElseGet(() -> "Leat " + plan.rows().joinName() + " " + plan.dimensionName());
    return events
        .transform(operatorName, outputType, new EnrichmentOperatorFactory<>(cleaned))
        .uid(uid.orElseGet(() -> freeUid(environment, UID_PREFIX + plan.dimensionName())))
        .setDescription(
            operatorName
                + " [key "
                + plan.request().dimension().keyColumns()
                + ", misses "
                + plan.misses()
                + ", refresh "
                + plan.request().refresh()
                + "]");
  }

  /** The uid, or the first of {@code uid-2, uid-3, …} that no operator of the job has yet. */
  private static String freeUid(StreamExecutionEnvironment environment, String uid) {
    Set<String> taken =
        environment.getTransformations().stream()
            .map(Transformation::getUid)
            .filter(other -> other != null)
            .collect(Collectors.toSet());
    String free = uid;
    for (int n = 2; taken.contains(free); n++) {
      free = uid + "-" + n;
    }
    return free;
  }
}
