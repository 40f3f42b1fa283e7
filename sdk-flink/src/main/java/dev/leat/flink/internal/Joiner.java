package dev.leat.flink.internal;

import static java.util.Objects.requireNonNull;

import dev.leat.DuplicateKeys;
import dev.leat.internal.engine.DimensionReader;
import java.util.function.Consumer;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.util.FlinkRuntimeException;
import org.jspecify.annotations.Nullable;

/**
 * Finds the row of each event and gives out what the combiner makes of both. Belongs to one subtask
 * and its thread.
 *
 * <p>An event is not kept beyond the call, so that upstream may reuse it. Nothing is allocated per
 * event but what the user's functions make, the row, and the {@code Optional} of a left join.
 */
final class Joiner<E, K, D, R, O> implements AutoCloseable {
  private final KeySelector<E, K> keySelector;
  private final RowView<D, R> rows;
  private final Misses<E> misses;
  private final JoinFunction<E, R, O> combiner;
  private final DimensionReader<K, D> reader;
  private final JoinMetrics metrics;
  private final Output<StreamRecord<O>> output;
  private final String dimension;
  private final String nullOutputMessage;
  private final @Nullable EachRow eachRow;

  Joiner(
      JoinPlan<E, K, D, R, O> plan,
      DimensionReader<K, D> reader,
      JoinMetrics metrics,
      Output<StreamRecord<O>> output) {
    this.keySelector = plan.key();
    this.rows = plan.rows();
    this.misses = plan.misses();
    this.combiner = plan.combiner();
    this.reader = reader;
    this.metrics = metrics;
    this.output = output;
    this.dimension = plan.dimensionName();
    this.nullOutputMessage =
        "the combiner of the join with dimension '"
            + plan.dimensionName()
            + "' returned null; return an output for each event, and filter the stream afterwards";
    this.eachRow = plan.request().duplicates() == DuplicateKeys.KEEP_ALL ? new EachRow() : null;
  }

  /** Moves to the newest version that is ready; one volatile read where there is none. */
  void advance() {
    reader.advance();
  }

  /** Joins one event. The record is reused for the output. */
  void join(StreamRecord<E> element) throws Exception {
    reader.advance();
    E event = element.getValue();
    K key = keyOf(event);
    if (eachRow != null) {
      if (eachRow.join(element, key)) {
        return;
      }
    } else {
      D row = reader.find(key);
      if (row != null) {
        metrics.hit();
        output.collect(element.replace(combine(event, rows.present(row, reader))));
        return;
      }
    }
    miss(element, event, key);
  }

  private K keyOf(E event) throws Exception {
    try {
      return keySelector.getKey(event);
    } catch (Exception e) {
      throw named("key selector", e);
    }
  }

  /**
   * The exception of a user's function as it is, with the place where it was thrown beside it: of
   * several joins in a job, the stack trace alone does not say which one it is.
   */
  private Exception named(String function, Exception thrown) {
    thrown.addSuppressed(
        new FlinkRuntimeException(
            "thrown by the " + function + " of the join with dimension '" + dimension + "'"));
    return thrown;
  }

  private void miss(StreamRecord<E> element, E event, @Nullable K key) throws Exception {
    if (key == null) {
      metrics.nullKey();
    } else {
      metrics.miss();
    }
    if (misses instanceof Misses.Keep<E>) {
      output.collect(element.replace(combine(event, rows.absent(reader))));
    } else if (misses instanceof Misses.ToSideOutput<E> side) {
      output.collect(side.tag(), element);
    }
  }

  private O combine(E event, R row) throws Exception {
    O combined;
    try {
      combined = combiner.join(event, row);
    } catch (Exception e) {
      throw named("combiner", e);
    }
    return requireNonNull(combined, nullOutputMessage);
  }

  @Override
  public void close() {
    reader.close();
  }

  /** One output per row of a key; made once, so that no event allocates a consumer. */
  private final class EachRow implements Consumer<D> {
    private final StreamRecord<O> record = new StreamRecord<>(null);
    private @Nullable E event;
    private boolean hasTimestamp;
    private long timestamp;

    boolean join(StreamRecord<E> element, @Nullable K key) throws Exception {
      event = element.getValue();
      hasTimestamp = element.hasTimestamp();
      timestamp = hasTimestamp ? element.getTimestamp() : 0;
      try {
        int found = reader.findAll(key, this);
        if (found > 0) {
          metrics.hit();
        }
        return found > 0;
      } catch (CombinerFailure failure) {
        throw failure.cause;
      } finally {
        event = null;
      }
    }

    // The timestamp is set for each output, since an operator behind may have changed it.
    @Override
    public void accept(D row) {
      record.replace(null);
      if (hasTimestamp) {
        record.setTimestamp(timestamp);
      } else {
        record.eraseTimestamp();
      }
      try {
        output.collect(record.replace(combine(requireNonNull(event), rows.present(row, reader))));
      } catch (RuntimeException e) {
        throw e;
      } catch (Exception e) {
        throw new CombinerFailure(e);
      }
    }
  }

  /** Carries a checked exception of the combiner through the reader; never leaves this class. */
  private static final class CombinerFailure extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final Exception cause;

    CombinerFailure(Exception cause) {
      super(cause);
      this.cause = cause;
    }
  }
}
