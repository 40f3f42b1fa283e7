package dev.leat.benchmarks.pipeline;

import static java.util.Objects.requireNonNull;

import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.jspecify.annotations.Nullable;

/**
 * Gives an event its key. The keys are in random order, and each subtask reads them one after
 * another from a place of its own on, as a source reads the bytes of its events: a place that had
 * to be fetched from memory for each event would be counted as the join's, since a longer chain
 * cannot fetch the next event's meanwhile. While it warms up each key comes once, so that caches
 * that fill on demand are full then. Times the thread of its chain, of which it is the first.
 */
abstract class EventKeys<T> extends RichMapFunction<Long, T> {
  private static final long serialVersionUID = 1L;

  private final long window;
  private transient @Nullable TaskClock clock;
  private transient @Nullable PipelineTable table;
  private transient int first;

  EventKeys(long window) {
    this.window = window;
  }

  /** How many events each of some subtasks sees before it is measured. */
  static int warmUp(PipelineTable table, int subtasks) {
    return table.keys() / subtasks;
  }

  @Override
  public void open(OpenContext context) {
    PipelineTable current = PipelineTable.current();
    int subtasks = getRuntimeContext().getTaskInfo().getNumberOfParallelSubtasks();
    int warmUp = warmUp(current, subtasks);
    first = warmUp * getRuntimeContext().getTaskInfo().getIndexOfThisSubtask();
    table = current;
    clock = new TaskClock(warmUp, window);
  }

  @Override
  public T map(Long number) {
    long own = requireNonNull(clock).event();
    return event(requireNonNull(table), first + (int) own);
  }

  abstract T event(PipelineTable from, int position);

  @Override
  public void close() {
    if (clock != null) {
      clock.close();
    }
  }

  /** Events of a DataStream job. */
  static final class OfStrings extends EventKeys<String> {
    private static final long serialVersionUID = 1L;

    OfStrings(long window) {
      super(window);
    }

    @Override
    String event(PipelineTable from, int position) {
      return from.eventKey(position);
    }
  }

  /** Events of a SQL job. */
  static final class OfRows extends EventKeys<RowData> {
    private static final long serialVersionUID = 1L;

    OfRows(long window) {
      super(window);
    }

    @Override
    RowData event(PipelineTable from, int position) {
      return GenericRowData.of(BinaryStringData.fromBytes(from.eventKeyBytes(position)));
    }
  }
}
