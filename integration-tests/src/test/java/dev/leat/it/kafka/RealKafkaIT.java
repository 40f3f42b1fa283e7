package dev.leat.it.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.testserver.RealKafka;
import dev.leat.testserver.ServerKind;
import dev.leat.testserver.TestServer;
import java.io.BufferedReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;

/** The real broker as the launcher starts it, and how a server in a child process ends. */
class RealKafkaIT {

  @Test
  void recordsAreReadInTheOrderInWhichTheyWereWritten() throws Exception {
    try (RealKafka kafka = RealKafka.start()) {
      kafka.createTopic("plays", 2);
      Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
      try (KafkaProducer<String, String> producer =
          new KafkaProducer<>(client, new StringSerializer(), new StringSerializer())) {
        for (int i = 0; i < 100; i++) {
          producer.send(new ProducerRecord<>("plays", i % 2, "key", "value " + i)).get();
        }
      }
      List<String> read = new ArrayList<>();
      try (KafkaConsumer<String, String> consumer =
          new KafkaConsumer<>(client, new StringDeserializer(), new StringDeserializer())) {
        List<TopicPartition> odd = List.of(new TopicPartition("plays", 1));
        consumer.assign(odd);
        consumer.seekToBeginning(odd);
        while (read.size() < 50) {
          for (ConsumerRecord<String, String> next : consumer.poll(Duration.ofSeconds(10))) {
            read.add(next.value());
          }
        }
      }
      assertThat(read).hasSize(50).startsWith("value 1", "value 3").endsWith("value 99");

      assertThatThrownBy(() -> kafka.createTopic("plays", 1))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("TopicExistsException");
      assertThatThrownBy(() -> kafka.createTopic("pl ays", 1))
          .isInstanceOf(IllegalArgumentException.class);
      kafka.deleteTopic("plays");
    }
  }

  @Test
  void aServerThatDoesNotStartShowsItsLog() {
    assertThatThrownBy(() -> TestServer.of(ServerKind.KAFKA).with("num.io.threads", "none").start())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("did not become ready")
        .hasMessageContaining("num.io.threads");
  }

  @Test
  void aServerEndsWhenItsParentIsKilled() throws Exception {
    Path log = Files.createTempFile("parent", ".log");
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName())
            .redirectError(log.toFile())
            .start();
    try (BufferedReader output = parent.inputReader(StandardCharsets.UTF_8)) {
      String line = output.readLine();
      assertThat(line).as("what the parent says; its log: %s", Files.readString(log)).isNotNull();
      ProcessHandle server = ProcessHandle.of(Long.parseLong(line)).orElseThrow();
      assertThat(server.isAlive()).isTrue();

      parent.destroyForcibly();

      await().atMost(Duration.ofMinutes(2)).until(() -> !server.isAlive());
    } finally {
      parent.destroyForcibly();
      Files.delete(log);
    }
  }

  /** A process that starts a server and then waits to be killed. */
  static final class Parent {
    private Parent() {}

    public static void main(String... args) throws InterruptedException {
      TestServer server = TestServer.of(ServerKind.S3).start();
      System.out.println(server.pid());
      Thread.currentThread().join();
    }
  }
}
