package dev.leat.it.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.leat.testserver.RealKafka;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TransactionListing;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.FileRecords;
import org.apache.kafka.common.record.RecordBatch;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * What a job has committed to a topic, as a consumer of committed records sees it, and for each
 * record the checkpoint that committed it.
 *
 * <p>The checkpoint is not in the record. The broker's segments tell which producer wrote it, the
 * broker tells the transactional id of each producer, and Flink's sink gives each subtask one id
 * for each checkpoint: {@code prefix-subtask-checkpoint}.
 */
final class CommittedOutput implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration POLL = Duration.ofMillis(100);

  private final RealKafka kafka;
  private final String topic;
  private final List<TopicPartition> partitions;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<Enriched> records = new ArrayList<>();
  private int latestEdition;

  /** A committed record. */
  record Enriched(
      TopicPartition partition,
      long offset,
      long event,
      @Nullable String customer,
      String video,
      long started,
      Customers.@Nullable Row row) {}

  CommittedOutput(RealKafka kafka, String topic, int partitions) {
    this.kafka = kafka;
    this.topic = topic;
    this.partitions =
        IntStream.range(0, partitions)
            .mapToObj(partition -> new TopicPartition(topic, partition))
            .toList();
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                kafka.bootstrapServers(),
                "isolation.level",
                "read_committed",
                "enable.auto.commit",
                "false"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.assign(this.partitions);
    consumer.seekToBeginning(this.partitions);
  }

  /** Takes what was committed since the last call, waiting a moment for it. */
  void poll() throws IOException {
    for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
      JsonNode json = JSON.readTree(message.value());
      Customers.Row row =
          json.path("validVersion").isNull()
              ? null
              : new Customers.Row(
                  json.path("subscriptionTier").asText(),
                  text(json, "countryCode"),
                  json.path("accountStatus").asText(),
                  json.path("validVersion").asInt());
      records.add(
          new Enriched(
              new TopicPartition(topic, message.partition()),
              message.offset(),
              json.path("eventId").asLong(),
              text(json, "customerId"),
              json.path("videoId").asText(),
              json.path("startedAt").asLong(),
              row));
      latestEdition = row == null ? latestEdition : Math.max(latestEdition, row.edition());
    }
  }

  private static @Nullable String text(JsonNode json, String field) {
    return json.path(field).isNull() ? null : json.path(field).asText();
  }

  List<Enriched> records() {
    return records;
  }

  /** The newest edition that a committed record has; 0 where none has one. */
  int latestEdition() {
    return latestEdition;
  }

  /** The checkpoint of each committed record, by partition and offset. */
  Map<TopicPartition, Map<Long, Long>> epochs() throws Exception {
    Map<Long, Long> epochOfProducer = new HashMap<>();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      for (TransactionListing listing : admin.listTransactions().all().get()) {
        String id = listing.transactionalId();
        epochOfProducer.put(
            listing.producerId(), Long.parseLong(id.substring(id.lastIndexOf('-') + 1)));
      }
    }
    Map<TopicPartition, Map<Long, Long>> epochs = new HashMap<>();
    for (TopicPartition partition : partitions) {
      Map<Long, Long> epochOfOffset = new HashMap<>();
      for (Path segment : segments(kafka.segments(topic, partition.partition()))) {
        try (FileRecords file = FileRecords.open(segment.toFile(), false)) {
          for (RecordBatch batch : file.batches()) {
            Long epoch = epochOfProducer.get(batch.producerId());
            if (batch.isTransactional() && !batch.isControlBatch() && epoch != null) {
              for (long offset = batch.baseOffset(); offset <= batch.lastOffset(); offset++) {
                epochOfOffset.put(offset, epoch);
              }
            }
          }
        }
      }
      epochs.put(partition, epochOfOffset);
    }
    return epochs;
  }

  private static List<Path> segments(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.filter(file -> file.toString().endsWith(".log")).sorted().toList();
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
