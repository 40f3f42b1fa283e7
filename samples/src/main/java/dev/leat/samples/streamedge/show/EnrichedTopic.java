package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.EnrichedPlay;
import dev.leat.samples.streamedge.JsonValue;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.function.BiConsumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Reads what the job has committed, from the first record on, and nothing else: records of
 * transactions that are open or aborted are not seen. For one thread.
 */
final class EnrichedTopic implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(200);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final JsonValue<EnrichedPlay> json = JsonValue.of(EnrichedPlay.class);

  EnrichedTopic(String brokers, String topic) {
    Properties properties = new Properties();
    properties.put(ConsumerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "5000");
    consumer =
        new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
    partitions =
        consumer.partitionsFor(topic).stream()
            .map(partition -> new TopicPartition(topic, partition.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Hands over what has been committed since the last call, waiting a moment for it. */
  void poll(BiConsumer<ConsumerRecord<byte[], byte[]>, EnrichedPlay> reader) {
    for (ConsumerRecord<byte[], byte[]> message : consumer.poll(POLL)) {
      try {
        reader.accept(message, json.deserialize(message.value()));
      } catch (IOException e) {
        throw new UncheckedIOException("not an enriched play: " + message, e);
      }
    }
  }

  /** Hands over everything up to the end that the topic has now. */
  void readToEnd(BiConsumer<ConsumerRecord<byte[], byte[]>, EnrichedPlay> reader) {
    for (Map.Entry<TopicPartition, Long> end : consumer.endOffsets(partitions).entrySet()) {
      while (consumer.position(end.getKey()) < end.getValue()) {
        poll(reader);
      }
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
