package dev.leat.testkit.flink;

import static java.util.Objects.requireNonNull;

import java.time.Clock;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.flink.api.common.typeinfo.TypeInformation;

/**
 * A Kafka in memory: topics that a test fills and reads, and that a job of the same process reads
 * through a {@link InMemoryTopic#source() source} and writes through a {@link InMemoryTopic#sink()
 * sink}. Thread-safe; several can exist at the same time.
 *
 * <p>Flink serializes sources and sinks. What travels is a handle; the running job finds this
 * object by it in a table of this JVM, from which {@link #close()} takes it. A job that is still
 * running then is reported as a leak.
 */
public final class InMemoryKafka implements AutoCloseable {
  private static final ConcurrentMap<UUID, InMemoryKafka> OPEN = new ConcurrentHashMap<>();

  /** How long a job that was cancelled may take to let go. */
  private static final Duration LETTING_GO = Duration.ofSeconds(10);

  private final UUID id = UUID.randomUUID();
  private final Clock clock;
  private final Map<String, InMemoryTopic<?>> topics = new LinkedHashMap<>();

  /** Readers and writers of running jobs, with the place where each was opened. */
  private final Map<Object, Throwable> clients = new LinkedHashMap<>();

  private boolean closed;

  private InMemoryKafka(Clock clock) {
    this.clock = clock;
  }

  /** A Kafka whose records get the time of the system, where a test gives none. */
  public static InMemoryKafka create() {
    return create(Clock.systemUTC());
  }

  /** A Kafka whose records get the time of {@code clock}, where a test gives none. */
  public static InMemoryKafka create(Clock clock) {
    InMemoryKafka kafka = new InMemoryKafka(requireNonNull(clock, "clock"));
    OPEN.put(kafka.id, kafka);
    return kafka;
  }

  /**
   * Makes a topic.
   *
   * @param name its name
   * @param partitions the number of its partitions
   * @param type the type of its values: anything that Flink can serialize
   * @throws IllegalArgumentException if the topic exists
   */
  public <T> InMemoryTopic<T> createTopic(String name, int partitions, Class<T> type) {
    return createTopic(name, partitions, TypeInformation.of(requireNonNull(type, "type")));
  }

  /** Makes a topic of values of a type that a class alone does not describe. */
  public <T> InMemoryTopic<T> createTopic(String name, int partitions, TypeInformation<T> type) {
    requireNonNull(name, "name");
    requireNonNull(type, "type");
    if (partitions < 1) {
      throw new IllegalArgumentException(
          "a topic of " + partitions + " partitions holds nothing; use at least 1");
    }
    synchronized (this) {
      requireOpen();
      if (topics.containsKey(name)) {
        throw new IllegalArgumentException(
            "a topic '" + name + "' exists already; the topics are " + topics.keySet());
      }
      InMemoryTopic<T> topic = new InMemoryTopic<>(this, name, partitions, type);
      topics.put(name, topic);
      return topic;
    }
  }

  /**
   * Forgets everything.
   *
   * @throws IllegalStateException if a job still reads or writes; its cause says where it was
   *     opened
   */
  @Override
  public void close() {
    IllegalStateException leak = null;
    synchronized (this) {
      if (closed) {
        return;
      }
      long deadline = System.nanoTime() + LETTING_GO.toNanos();
      try {
        for (long left = LETTING_GO.toMillis();
            !clients.isEmpty() && left > 0;
            left = (deadline - System.nanoTime()) / 1_000_000) {
          wait(left);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      if (!clients.isEmpty()) {
        leak =
            new IllegalStateException(
                "a job still uses this InMemoryKafka: "
                    + clients.keySet()
                    + "; cancel it, or end its input with InMemoryTopic.end()");
        clients.values().forEach(leak::addSuppressed);
      }
      closed = true;
    }
    OPEN.remove(id);
    topics.values().forEach(InMemoryTopic::changed); // wakes up what waits for records
    if (leak != null) {
      throw leak;
    }
  }

  UUID id() {
    return id;
  }

  long currentMillis() {
    return clock.millis();
  }

  /** The topic of a handle that has travelled. */
  static InMemoryTopic<?> topic(UUID id, String name) {
    InMemoryKafka kafka = OPEN.get(id);
    if (kafka == null) {
      throw new IllegalStateException(
          "the InMemoryKafka of the topic '"
              + name
              + "' is closed, or the job runs in another JVM, where it cannot be reached");
    }
    synchronized (kafka) {
      return requireNonNull(kafka.topics.get(name), name);
    }
  }

  synchronized void requireOpen() {
    if (closed) {
      throw new IllegalStateException("this InMemoryKafka is closed");
    }
  }

  synchronized void opened(Object client) {
    requireOpen();
    clients.put(client, new Throwable("opened here: " + client));
  }

  synchronized void closed(Object client) {
    clients.remove(client);
    notifyAll();
  }

  @Override
  public synchronized String toString() {
    return "InMemoryKafka" + topics.values();
  }
}
