package dev.leat.testkit.flink;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Reads an {@link InMemoryTopic} in a job, from its first record on. A partition is a split, and
 * its offset is part of every checkpoint. Immutable.
 *
 * @param <T> the type of the topic's values
 * @param <R> the type of the stream
 */
public final class InMemoryKafkaSource<T, R>
    implements Source<R, PartitionSplit, List<PartitionSplit>>, ResultTypeQueryable<R> {
  private static final long serialVersionUID = 1L;

  private final UUID kafka;
  private final String topic;
  private final RecordMapper<T, R> mapper;
  private final TypeInformation<R> type;
  private final boolean bounded;

  InMemoryKafkaSource(
      UUID kafka,
      String topic,
      RecordMapper<T, R> mapper,
      TypeInformation<R> type,
      boolean bounded) {
    this.kafka = kafka;
    this.topic = topic;
    this.mapper = mapper;
    this.type = type;
    this.bounded = bounded;
  }

  /** The same, ending at the last record that the topic has when the job starts. */
  public InMemoryKafkaSource<T, R> bounded() {
    return new InMemoryKafkaSource<>(kafka, topic, mapper, type, true);
  }

  /** The same, giving something else than values, e.g. the key or a header. */
  public <N> InMemoryKafkaSource<T, N> giving(RecordMapper<T, N> newMapper, Class<N> newType) {
    requireNonNull(newMapper, "newMapper");
    TypeInformation<N> information = TypeInformation.of(requireNonNull(newType, "newType"));
    return new InMemoryKafkaSource<>(kafka, topic, newMapper, information, bounded);
  }

  @Override
  public Boundedness getBoundedness() {
    return bounded ? Boundedness.BOUNDED : Boundedness.CONTINUOUS_UNBOUNDED;
  }

  @Override
  public TypeInformation<R> getProducedType() {
    return type;
  }

  @Override
  public SourceReader<R, PartitionSplit> createReader(SourceReaderContext context) {
    return new PartitionReader<>(open(), mapper, context);
  }

  @Override
  public SplitEnumerator<PartitionSplit, List<PartitionSplit>> createEnumerator(
      SplitEnumeratorContext<PartitionSplit> context) {
    InMemoryTopic<T> opened = open();
    List<PartitionSplit> splits = new ArrayList<>();
    for (int partition = 0; partition < opened.partitions(); partition++) {
      long stop = bounded ? opened.endOffset(partition) : PartitionSplit.NEVER;
      splits.add(new PartitionSplit(partition, 0, stop));
    }
    return new PartitionEnumerator(splits, context);
  }

  @Override
  public SplitEnumerator<PartitionSplit, List<PartitionSplit>> restoreEnumerator(
      SplitEnumeratorContext<PartitionSplit> context, List<PartitionSplit> checkpoint) {
    return new PartitionEnumerator(checkpoint, context);
  }

  @Override
  public SimpleVersionedSerializer<PartitionSplit> getSplitSerializer() {
    return new PartitionSplit.Serializer();
  }

  @Override
  public SimpleVersionedSerializer<List<PartitionSplit>> getEnumeratorCheckpointSerializer() {
    return new PartitionSplit.ListSerializer();
  }

  @SuppressWarnings("unchecked") // the topic that made this source has this type
  private InMemoryTopic<T> open() {
    return (InMemoryTopic<T>) InMemoryKafka.topic(kafka, topic);
  }

  @Override
  public String toString() {
    return "InMemoryKafkaSource[" + topic + (bounded ? ", bounded]" : "]");
  }
}
