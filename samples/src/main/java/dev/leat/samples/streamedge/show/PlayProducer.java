package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.JsonValue;
import dev.leat.samples.streamedge.VideoPlay;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends video plays to Kafka at a steady rate from a thread of its own, and keeps a list of them on
 * disk. Play n goes to partition n mod partitions, so within a partition the plays are in the order
 * of their numbers.
 */
final class PlayProducer implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final String brokers;
  private final String topic;
  private final int partitions;
  private final PlayGenerator generator;
  private final int perSecond;
  private final Path sentPlays;
  private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
  private final Thread thread;
  private volatile boolean stopping;
  private volatile long startedNanos;
  private final AtomicLong sent = new AtomicLong();

  PlayProducer(
      String brokers,
      String topic,
      int partitions,
      PlayGenerator generator,
      int perSecond,
      Path sentPlays) {
    this.brokers = brokers;
    this.topic = topic;
    this.partitions = partitions;
    this.generator = generator;
    this.perSecond = perSecond;
    this.sentPlays = sentPlays;
    this.thread = new Thread(this::run, "video-plays");
  }

  void start() {
    startedNanos = System.nanoTime();
    thread.start();
  }

  /** How many were handed to Kafka so far. */
  long sent() {
    return sent.get();
  }

  /** How long it has been sending. */
  Duration age() {
    return Duration.ofNanos(System.nanoTime() - startedNanos);
  }

  /** Stops sending, and returns when Kafka has confirmed all plays. */
  @Override
  public void close() throws InterruptedException {
    stopping = true;
    thread.join();
    checkFailure();
  }

  void checkFailure() {
    Exception cause = failure.get();
    if (cause != null) {
      throw new IllegalStateException("video plays could not be sent to Kafka: " + cause, cause);
    }
  }

  private void run() {
    Properties properties = new Properties();
    properties.put(ProducerConfig.BOOTSTRAP_SERVERS_CONFIG, brokers);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    properties.put(ProducerConfig.LINGER_MS_CONFIG, "20");
    try (KafkaProducer<byte[], byte[]> producer =
            new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
        BufferedWriter list = Files.newBufferedWriter(sentPlays)) {
      JsonValue<VideoPlay> json = JsonValue.of(VideoPlay.class);
      long start = System.nanoTime();
      while (!stopping && failure.get() == null) {
        long due = (System.nanoTime() - start) / 1_000 * perSecond / 1_000_000;
        while (sent.get() < due) {
          send(producer, json, list);
          sent.incrementAndGet();
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
      producer.flush();
    } catch (IOException | RuntimeException e) {
      failure.compareAndSet(null, e);
    }
  }

  private void send(
      KafkaProducer<byte[], byte[]> producer, JsonValue<VideoPlay> json, BufferedWriter list) {
    VideoPlay play = generator.next(System.currentTimeMillis());
    int partition = (int) (play.eventId() % partitions);
    Future<RecordMetadata> unused = // the callback gets what goes wrong
        producer.send(
            new ProducerRecord<>(topic, partition, null, json.serialize(play)),
            (metadata, problem) -> {
              if (problem != null) {
                failure.compareAndSet(null, problem);
              }
            });
    try {
      list.write(
          play.eventId()
              + "|"
              + partition
              + "|"
              + (play.customerId() == null ? "" : play.customerId())
              + "|"
              + play.videoId()
              + "|"
              + play.startedAt()
              + "|"
              + play.seconds()
              + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
