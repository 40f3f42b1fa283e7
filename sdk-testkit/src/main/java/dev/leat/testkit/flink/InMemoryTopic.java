package dev.leat.testkit.flink;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.jspecify.annotations.Nullable;

/**
 * A topic of an {@link InMemoryKafka}. Values are kept serialized, as in Kafka, so that neither the
 * test nor the job can change a record afterwards. Thread-safe.
 *
 * @param <T> the type of the values
 */
public final class InMemoryTopic<T> {

  /** A record as it is kept; its place in the list is its offset. */
  record Stored(
      int partition,
      @Nullable String key,
      byte[] value,
      long timestamp,
      Map<String, String> headers) {}

  private final InMemoryKafka kafka;
  private final String name;
  private final TypeInformation<T> type;
  private final TypeSerializer<T> serializer;
  private final List<List<Stored>> partitions = new ArrayList<>();
  private final Map<String, List<Stored>> transactions = new HashMap<>();
  private final Set<String> committedTransactions = new HashSet<>();
  private long transactionCount;
  private int nextPartition;
  private boolean ended;
  private CompletableFuture<@Nullable Void> change = new CompletableFuture<>();

  InMemoryTopic(InMemoryKafka kafka, String name, int partitionCount, TypeInformation<T> type) {
    this.kafka = kafka;
    this.name = name;
    this.type = type;
    this.serializer = type.createSerializer(new SerializerConfigImpl());
    for (int i = 0; i < partitionCount; i++) {
      partitions.add(new ArrayList<>());
    }
  }

  /** Its name. */
  public String name() {
    return name;
  }

  /** The number of its partitions. */
  public int partitions() {
    return partitions.size();
  }

  /** Appends records without a key, to one partition after the other. */
  @SafeVarargs
  public final void produce(T... values) {
    for (T value : values) {
      produce(TopicRecord.of(value));
    }
  }

  /**
   * Appends a record. Without a partition it goes to that of its key; without a key, to one
   * partition after the other.
   */
  public void produce(TopicRecord<T> record) {
    requireNonNull(record, "record");
    kafka.requireOpen();
    synchronized (this) {
      if (ended) {
        throw new IllegalStateException(
            "the topic '" + name + "' was ended by end(); no record can follow");
      }
      int partition = record.key() == null && record.partition() == null ? nextPartition++ : 0;
      partition %= partitions.size();
      append(store(record, serializer, partition, kafka.currentMillis()));
    }
    changed();
  }

  /** Says that no record follows, so that jobs which read the topic end. */
  public void end() {
    synchronized (this) {
      ended = true;
    }
    changed();
  }

  /**
   * All records that were produced by the test or committed by a job, partition after partition, in
   * the order of their offsets. This is what a reader of committed records sees in Kafka.
   */
  public synchronized List<PublishedRecord<T>> committed() {
    List<PublishedRecord<T>> records = new ArrayList<>();
    for (List<Stored> partition : partitions) {
      for (int offset = 0; offset < partition.size(); offset++) {
        records.add(published(partition.get(offset), offset, serializer));
      }
    }
    return records;
  }

  /** The values of {@link #committed()}. */
  public List<T> committedValues() {
    return committed().stream().map(PublishedRecord::value).toList();
  }

  /**
   * How many records jobs have written that are not committed: their checkpoint has not completed,
   * or never will.
   */
  public synchronized int uncommitted() {
    return transactions.values().stream().mapToInt(List::size).sum();
  }

  /**
   * A source of the values from the first record on, without an end (until {@link #end()}). Records
   * have their timestamps; partitions are splits, so watermarks are generated for each.
   */
  public InMemoryKafkaSource<T, T> source() {
    return new InMemoryKafkaSource<>(kafka.id(), name, PublishedRecord::value, type, false);
  }

  /**
   * A transactional sink: records become visible when the checkpoint that follows them completes,
   * all at once and exactly once; those of an attempt that failed never do. Without checkpoints
   * they become visible when the job ends. Records without a key stay in one partition for each
   * subtask.
   */
  public Sink<T> sink() {
    return sink(TopicRecord::of);
  }

  /** The same, with what the record shall have besides its value. */
  public Sink<T> sink(RecordFactory<T> factory) {
    requireNonNull(factory, "factory");
    return TransactionalSink.create(kafka.id(), name, factory);
  }

  InMemoryKafka kafka() {
    return kafka;
  }

  TypeSerializer<T> newSerializer() {
    return serializer.duplicate();
  }

  /** The offset behind the last record of a partition. */
  synchronized long endOffset(int partition) {
    return partitions.get(partition).size();
  }

  /** The record at an offset, or null if there is none yet. */
  synchronized @Nullable Stored at(int partition, long offset) {
    List<Stored> records = partitions.get(partition);
    return offset < records.size() ? records.get((int) offset) : null;
  }

  synchronized boolean hasEnded() {
    return ended;
  }

  /**
   * Completes at the next change. To be taken before looking for records, so that none is missed.
   */
  synchronized CompletableFuture<@Nullable Void> nextChange() {
    return change;
  }

  void changed() {
    CompletableFuture<@Nullable Void> done;
    synchronized (this) {
      done = change;
      change = new CompletableFuture<>();
    }
    done.complete(null); // outside the lock, since it runs code of Flink
  }

  synchronized String begin(int subtask) {
    kafka.requireOpen();
    String transaction = name + "-" + subtask + "-" + transactionCount++;
    transactions.put(transaction, new ArrayList<>());
    return transaction;
  }

  synchronized void write(String transaction, Stored record) {
    kafka.requireOpen();
    requireNonNull(transactions.get(transaction), transaction).add(record);
  }

  synchronized void abort(String transaction) {
    transactions.remove(transaction);
  }

  /** Makes the records visible. Again and again after a restart, with no further effect. */
  void commit(String transaction) {
    kafka.requireOpen();
    synchronized (this) {
      if (committedTransactions.contains(transaction)) {
        return;
      }
      List<Stored> records = transactions.remove(transaction);
      if (records == null) {
        throw new IllegalStateException(
            "the transaction " + transaction + " was aborted; its records are lost");
      }
      committedTransactions.add(transaction);
      records.forEach(this::append);
    }
    changed();
  }

  private void append(Stored record) {
    partitions.get(record.partition()).add(record);
  }

  /** The record in the form in which it is kept. */
  Stored store(TopicRecord<T> record, TypeSerializer<T> with, int partitionWithoutKey, long now) {
    int partition;
    String key = record.key();
    Integer wanted = record.partition();
    if (wanted != null) {
      if (wanted < 0 || wanted >= partitions.size()) {
        throw new IllegalArgumentException(
            "the topic '" + name + "' has " + partitions.size() + " partitions and none " + wanted);
      }
      partition = wanted;
    } else if (key != null) {
      byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
      partition = Math.floorMod(Arrays.hashCode(bytes), partitions.size());
    } else {
      partition = partitionWithoutKey % partitions.size();
    }
    DataOutputSerializer output = new DataOutputSerializer(64);
    try {
      with.serialize(record.value(), output);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "a value for the topic '" + name + "' cannot be serialized as " + type, e);
    }
    Long timestamp = record.timestamp();
    return new Stored(
        partition,
        key,
        output.getCopyOfBuffer(),
        timestamp == null ? now : timestamp,
        record.headers());
  }

  PublishedRecord<T> published(Stored stored, long offset, TypeSerializer<T> with) {
    try {
      T value = with.deserialize(new DataInputDeserializer(stored.value()));
      return new PublishedRecord<>(
          stored.partition(), offset, stored.key(), value, stored.timestamp(), stored.headers());
    } catch (IOException e) {
      throw new UncheckedIOException("a value of the topic '" + name + "' cannot be read", e);
    }
  }

  @Override
  public String toString() {
    return name + "[" + partitions.size() + " partitions of " + type.getTypeClass().getName() + "]";
  }
}
