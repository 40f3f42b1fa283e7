package dev.leat.it.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.leat.testserver.RealKafka;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends video plays at a steady rate until it is closed. Play n goes to partition n mod partitions;
 * some name a customer that the table does not have, or none.
 */
final class Plays implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(20);

  private final String brokers;
  private final String topic;
  private final int partitions;
  private final int perSecond;
  private final List<Play> sent = Collections.synchronizedList(new ArrayList<>());
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final Thread thread;
  private volatile boolean ending;

  /**
   * One play.
   *
   * @param event its number; the first is 0
   */
  record Play(long event, int partition, @Nullable String customer, String video, long started) {}

  private Plays(String brokers, String topic, int partitions, int perSecond) {
    this.brokers = brokers;
    this.topic = topic;
    this.partitions = partitions;
    this.perSecond = perSecond;
    this.thread = new Thread(this::run, "plays-of-" + topic);
  }

  static Plays start(RealKafka kafka, String topic, int partitions, int perSecond) {
    Plays plays = new Plays(kafka.bootstrapServers(), topic, partitions, perSecond);
    plays.thread.start();
    return plays;
  }

  private void run() {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of(
                "bootstrap.servers", brokers,
                "acks", "all",
                "enable.idempotence", "true",
                "linger.ms", "10"),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      long begin = System.nanoTime();
      while (!ending && failure.get() == null) {
        long due = (System.nanoTime() - begin) / 1_000_000 * perSecond / 1_000;
        while (sent.size() < due) {
          send(producer);
        }
        LockSupport.parkNanos(TICK_NANOS);
      }
      producer.flush();
    } catch (Exception e) {
      failure.compareAndSet(null, e);
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer) throws Exception {
    long event = sent.size();
    int number = Math.floorMod((int) event * 0x9E3779B1, Customers.count() + 100);
    String customer = event % 101 == 0 ? null : Customers.id(number);
    Play play =
        new Play(
            event,
            (int) (event % partitions),
            customer,
            "video-" + event % 97,
            System.currentTimeMillis());
    ObjectNode json = JSON.createObjectNode();
    json.put("eventId", event);
    json.put("customerId", customer);
    json.put("videoId", play.video());
    json.put("startedAt", play.started());
    json.put("seconds", 60);
    Future<RecordMetadata> unused = // the callback gets what goes wrong
        producer.send(
            new ProducerRecord<>(topic, play.partition(), null, JSON.writeValueAsBytes(json)),
            (metadata, problem) -> {
              if (problem != null) {
                failure.compareAndSet(null, problem);
              }
            });
    sent.add(play);
  }

  /** The plays that were handed to Kafka, in the order of their numbers. */
  List<Play> sent() {
    synchronized (sent) {
      return List.copyOf(sent);
    }
  }

  /** Stops, and returns when Kafka has confirmed all plays. */
  @Override
  public void close() throws Exception {
    ending = true;
    thread.join();
    Exception problem = failure.get();
    if (problem != null) {
      throw problem;
    }
  }
}
