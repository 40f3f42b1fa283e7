package dev.leat.testkit.flink;

import dev.leat.testkit.contract.KafkaContract;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

class InMemoryKafkaContractTest extends KafkaContract {
  private InMemoryKafka kafka;

  @BeforeEach
  void open() {
    kafka = InMemoryKafka.create();
  }

  @AfterEach
  void close() {
    kafka.close();
  }

  @Override
  protected Topic createTopic(String name, int partitions) {
    InMemoryTopic<String> topic = kafka.createTopic(name, partitions, String.class);
    return new Topic() {
      @Override
      public void produce(int partition, String value, long timestamp) {
        topic.produce(TopicRecord.of(value).inPartition(partition).withTimestamp(timestamp));
      }

      @Override
      public Source<String, ?, ?> boundedSource() {
        return topic.source().bounded();
      }

      @Override
      public Source<String, ?, ?> unboundedSource() {
        return topic.source();
      }

      @Override
      public Sink<String> sink() {
        return topic.sink();
      }

      @Override
      public List<List<String>> committed() {
        List<List<String>> partitionValues = new ArrayList<>();
        for (int i = 0; i < topic.partitions(); i++) {
          partitionValues.add(new ArrayList<>());
        }
        topic
            .committed()
            .forEach(record -> partitionValues.get(record.partition()).add(record.value()));
        return partitionValues;
      }
    };
  }
}
