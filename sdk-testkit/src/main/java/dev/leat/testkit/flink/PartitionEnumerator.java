package dev.leat.testkit.flink;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.jspecify.annotations.Nullable;

/**
 * Gives each partition to the subtask of its number, modulo the parallelism. Its state are the
 * partitions that no subtask has; the others are in the state of their readers.
 */
final class PartitionEnumerator implements SplitEnumerator<PartitionSplit, List<PartitionSplit>> {
  private final List<PartitionSplit> unassigned;
  private final SplitEnumeratorContext<PartitionSplit> context;

  PartitionEnumerator(
      List<PartitionSplit> unassigned, SplitEnumeratorContext<PartitionSplit> context) {
    this.unassigned = new ArrayList<>(unassigned);
    this.context = context;
  }

  @Override
  public void start() {}

  @Override
  public void addReader(int subtask) {
    for (Iterator<PartitionSplit> splits = unassigned.iterator(); splits.hasNext(); ) {
      PartitionSplit split = splits.next();
      if (split.partition() % context.currentParallelism() == subtask) {
        context.assignSplit(split, subtask);
        splits.remove();
      }
    }
    context.signalNoMoreSplits(subtask);
  }

  @Override
  public void handleSplitRequest(int subtask, @Nullable String host) {
    throw new IllegalStateException("readers of an InMemoryKafka do not ask for partitions");
  }

  @Override
  public void addSplitsBack(List<PartitionSplit> splits, int subtask) {
    unassigned.addAll(splits);
    if (context.registeredReaders().containsKey(subtask)) {
      addReader(subtask);
    }
  }

  @Override
  public List<PartitionSplit> snapshotState(long checkpointId) {
    return List.copyOf(unassigned);
  }

  @Override
  public void close() {}
}
