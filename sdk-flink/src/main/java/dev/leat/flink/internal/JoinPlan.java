package dev.leat.flink.internal;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.VersionGone;
import dev.leat.internal.engine.ServiceRequest;
import java.io.Serializable;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.java.functions.KeySelector;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a subtask must know to join: what travels with the job. Configuration and the
 * user's functions only; no live client, no secret.
 *
 * @param request what is asked of the engine
 * @param key gives the key of an event
 * @param rows how the combiner sees a row
 * @param misses what becomes of an event without a row
 * @param combiner makes the output
 * @param versionGone what happens where the version of a checkpoint can no longer be had
 * @param hotRows what rows that are kept as objects may take in a subtask; null for none
 */
public record JoinPlan<E, K, D, R, O>(
    ServiceRequest<K, D> request,
    KeySelector<E, K> key,
    RowView<D, R> rows,
    Misses<E> misses,
    JoinFunction<E, R, O> combiner,
    VersionGone versionGone,
    @Nullable DataSize hotRows)
    implements Serializable {

  /** Checks that all are there. */
  public JoinPlan {
    requireNonNull(request, "request");
    requireNonNull(key, "key");
    requireNonNull(rows, "rows");
    requireNonNull(misses, "misses");
    requireNonNull(combiner, "combiner");
    requireNonNull(versionGone, "versionGone");
  }

  /** The name of the dimension. */
  String dimensionName() {
    return request.dimension().name();
  }
}
