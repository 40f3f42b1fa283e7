package dev.leat.it.kafka;

import dev.leat.testkit.contract.KafkaContract;
import dev.leat.testserver.RealKafka;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.flink.api.common.serialization.SimpleStringSchema;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.connector.base.DeliveryGuarantee;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaSink;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.KafkaSourceBuilder;
import org.apache.flink.connector.kafka.source.enumerator.initializer.OffsetsInitializer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The contract on a real broker, through Flink's own Kafka connector. */
class RealKafkaContractIT extends KafkaContract {
  private static final Logger LOG = LoggerFactory.getLogger(RealKafkaContractIT.class);

  private static RealKafka kafka;

  private final List<AutoCloseable> clients = new ArrayList<>();

  @BeforeAll
  static void start() {
    kafka = RealKafka.start();
  }

  @AfterAll
  static void stop() {
    kafka.close();
  }

  @AfterEach
  void closeClients() throws Exception {
    for (AutoCloseable client : clients) {
      client.close();
    }
    clients.clear();
  }

  @Override
  protected Topic createTopic(String name, int partitions) {
    kafka.createTopic(name, partitions);
    RealTopic topic = new RealTopic(kafka.bootstrapServers(), name, partitions);
    clients.add(topic);
    return topic;
  }

  private static final class RealTopic implements Topic, AutoCloseable {
    private final String bootstrap;
    private final String name;
    private final KafkaProducer<String, String> producer;
    private final KafkaConsumer<String, String> consumer;
    private final List<TopicPartition> partitions = new ArrayList<>();
    private final List<List<String>> read = new ArrayList<>();

    RealTopic(String bootstrap, String name, int count) {
      this.bootstrap = bootstrap;
      this.name = name;
      Map<String, Object> client =
          Map.of(
              "bootstrap.servers",
              bootstrap,
              "isolation.level",
              "read_committed",
              "auto.offset.reset",
              "none");
      producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", bootstrap),
              new StringSerializer(),
              new StringSerializer());
      consumer = new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer());
      for (int i = 0; i < count; i++) {
        partitions.add(new TopicPartition(name, i));
        read.add(new ArrayList<>());
      }
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
    }

    @Override
    public void produce(int partition, String value, long timestamp) {
      try {
        producer.send(new ProducerRecord<>(name, partition, timestamp, null, value)).get();
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }

    private KafkaSourceBuilder<String> source() {
      return KafkaSource.<String>builder()
          .setBootstrapServers(bootstrap)
          .setTopics(name)
          .setStartingOffsets(OffsetsInitializer.earliest())
          .setValueOnlyDeserializer(new SimpleStringSchema());
    }

    @Override
    public Source<String, ?, ?> boundedSource() {
      return source().setBounded(OffsetsInitializer.latest()).build();
    }

    @Override
    public Source<String, ?, ?> unboundedSource() {
      return source().build();
    }

    @Override
    public Sink<String> sink() {
      Properties properties = new Properties();
      // The connector's own hour is more than the 15 minutes that brokers allow by default; a
      // shorter time than the test's patience would lose records on a busy machine.
      properties.setProperty("transaction.timeout.ms", "840000");
      return KafkaSink.<String>builder()
          .setBootstrapServers(bootstrap)
          .setKafkaProducerConfig(properties)
          .setTransactionalIdPrefix(name)
          .setDeliveryGuarantee(DeliveryGuarantee.EXACTLY_ONCE)
          .setRecordSerializer(
              KafkaRecordSerializationSchema.builder()
                  .setTopic(name)
                  .setValueSerializationSchema(new SimpleStringSchema())
                  .build())
          .build();
    }

    @Override
    public List<List<String>> committed() {
      // Under read_committed an end offset is that of the first record that is not decided yet.
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (partitions.stream()
          .anyMatch(partition -> consumer.position(partition) < ends.get(partition))) {
        try {
          for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(100))) {
            read.get(record.partition()).add(record.value());
          }
        } catch (OffsetOutOfRangeException e) {
          // A busy broker was seen to refuse a position for a moment that is valid before and
          // after. Reset to the latest offset, as by default, the reader would skip what it has not
          // seen; like this it asks again from where it stands.
          LOG.info("the broker refused a position, which is asked for again", e);
        }
      }
      return read;
    }

    @Override
    public void close() {
      producer.close();
      consumer.close();
    }
  }
}
