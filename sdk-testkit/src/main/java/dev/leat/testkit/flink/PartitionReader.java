package dev.leat.testkit.flink;

import dev.leat.testkit.flink.InMemoryTopic.Stored;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.core.io.InputStatus;
import org.jspecify.annotations.Nullable;

/** Reads the partitions of a subtask, a record from one after the other. */
final class PartitionReader<T, R> implements SourceReader<R, PartitionSplit> {
  private final InMemoryTopic<T> topic;
  private final TypeSerializer<T> serializer;
  private final RecordMapper<T, R> mapper;
  private final SourceReaderContext context;

  /** The partitions that have not ended, the next one to look at in front. */
  private final Deque<PartitionSplit> splits = new ArrayDeque<>();

  private boolean allAssigned;

  PartitionReader(InMemoryTopic<T> topic, RecordMapper<T, R> mapper, SourceReaderContext context) {
    this.topic = topic;
    this.serializer = topic.newSerializer();
    this.mapper = mapper;
    this.context = context;
    topic.kafka().opened(this);
  }

  @Override
  public void start() {}

  @Override
  public InputStatus pollNext(ReaderOutput<R> output) {
    topic.kafka().requireOpen();
    for (int looked = 0, count = splits.size(); looked < count; looked++) {
      PartitionSplit split = splits.remove();
      if (hasEnded(split)) {
        output.releaseOutputForSplit(split.splitId());
        continue;
      }
      Stored stored = topic.at(split.partition(), split.offset());
      if (stored == null) {
        splits.add(split);
        continue;
      }
      R element = mapper.map(topic.published(stored, split.offset(), serializer));
      output.createOutputForSplit(split.splitId()).collect(element, stored.timestamp());
      context.metricGroup().getIOMetricGroup().getNumRecordsInCounter().inc();
      splits.add(split.from(split.offset() + 1));
      return InputStatus.MORE_AVAILABLE;
    }
    return splits.isEmpty() && allAssigned
        ? InputStatus.END_OF_INPUT
        : InputStatus.NOTHING_AVAILABLE;
  }

  private boolean hasEnded(PartitionSplit split) {
    // The order matters: a record that came before the end was said is seen.
    boolean noMore = topic.hasEnded();
    return split.offset() >= split.stop()
        || (noMore && topic.at(split.partition(), split.offset()) == null);
  }

  @Override
  public CompletableFuture<@Nullable Void> isAvailable() {
    CompletableFuture<@Nullable Void> change = topic.nextChange();
    boolean now = splits.isEmpty() && allAssigned;
    for (PartitionSplit split : splits) {
      now |= hasEnded(split) || topic.at(split.partition(), split.offset()) != null;
    }
    return now ? CompletableFuture.completedFuture(null) : change;
  }

  @Override
  public List<PartitionSplit> snapshotState(long checkpointId) {
    return new ArrayList<>(splits);
  }

  @Override
  public void addSplits(List<PartitionSplit> added) {
    splits.addAll(added);
    topic.changed(); // the future that Flink waits for was made before
  }

  @Override
  public void notifyNoMoreSplits() {
    allAssigned = true;
    topic.changed();
  }

  @Override
  public void close() {
    topic.kafka().closed(this);
  }

  @Override
  public String toString() {
    return "reader " + context.getIndexOfSubtask() + " of " + topic.name();
  }
}
