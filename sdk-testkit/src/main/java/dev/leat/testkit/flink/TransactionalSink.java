package dev.leat.testkit.flink;

import java.io.IOException;
import java.io.Serializable;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.InitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.jspecify.annotations.Nullable;

/**
 * The sink of an {@link InMemoryTopic}: two-phase commit through Flink's checkpoints.
 *
 * <p>It is a proxy, because no class can implement {@code Sink} for both lines of Flink: 1.20 wants
 * a method with a parameter of type {@code Sink.InitContext}, and 2 has no such type, so that Java
 * serialization, which looks at all methods of a class, fails there.
 */
final class TransactionalSink<T> implements InvocationHandler, Serializable {
  private static final long serialVersionUID = 1L;

  private final UUID kafka;
  private final String topic;
  private final RecordFactory<T> factory;

  private TransactionalSink(UUID kafka, String topic, RecordFactory<T> factory) {
    this.kafka = kafka;
    this.topic = topic;
    this.factory = factory;
  }

  /** Puts the class of the proxy into this package, where reflection may look at it. */
  interface Marker {}

  @SuppressWarnings("unchecked") // the proxy has all of the interfaces
  static <T> Sink<T> create(UUID kafka, String topic, RecordFactory<T> factory) {
    return (Sink<T>)
        Proxy.newProxyInstance(
            TransactionalSink.class.getClassLoader(),
            new Class<?>[] {Sink.class, SupportsCommitter.class, Marker.class},
            new TransactionalSink<>(kafka, topic, factory));
  }

  @Override
  public @Nullable Object invoke(Object proxy, Method method, @Nullable Object[] arguments)
      throws Throwable {
    return switch (method.getName()) {
      case "createWriter" -> {
        int subtask =
            arguments[0] instanceof InitContext context
                ? context.getTaskInfo().getIndexOfThisSubtask()
                : 0;
        yield new Writer<>(open(), factory, subtask);
      }
      case "createCommitter" -> new TransactionCommitter(open());
      case "getCommittableSerializer" -> new TransactionSerializer();
      case "toString" -> "InMemoryKafkaSink[" + topic + "]";
      case "hashCode" -> System.identityHashCode(proxy);
      case "equals" -> proxy == arguments[0];
      default -> InvocationHandler.invokeDefault(proxy, method, arguments);
    };
  }

  @SuppressWarnings("unchecked") // the topic that made this sink has this type
  private InMemoryTopic<T> open() {
    return (InMemoryTopic<T>) InMemoryKafka.topic(kafka, topic);
  }

  private static final class Writer<T> implements CommittingSinkWriter<T, String> {
    private final InMemoryTopic<T> topic;
    private final TypeSerializer<T> serializer;
    private final RecordFactory<T> factory;
    private final int subtask;

    /**
     * The transaction of the records since the latest checkpoint; null before the first of them.
     */
    private @Nullable String transaction;

    Writer(InMemoryTopic<T> topic, RecordFactory<T> factory, int subtask) {
      this.topic = topic;
      this.serializer = topic.newSerializer();
      this.factory = factory;
      this.subtask = subtask;
      topic.kafka().opened(this);
    }

    @Override
    public void write(T element, SinkWriter.Context context) {
      TopicRecord<T> record = factory.recordOf(element);
      Long timestamp = context.timestamp();
      long now = timestamp == null ? topic.kafka().currentMillis() : timestamp;
      String current = transaction;
      if (current == null) {
        current = topic.begin(subtask);
        transaction = current;
      }
      topic.write(current, topic.store(record, serializer, subtask, now));
    }

    @Override
    public void flush(boolean endOfInput) {}

    @Override
    public Collection<String> prepareCommit() {
      String prepared = transaction;
      transaction = null;
      return prepared == null ? List.of() : List.of(prepared);
    }

    @Override
    public void close() {
      if (transaction != null) {
        topic.abort(transaction);
      }
      topic.kafka().closed(this);
    }

    @Override
    public String toString() {
      return "writer " + subtask + " of " + topic.name();
    }
  }

  private static final class TransactionCommitter implements Committer<String> {
    private final InMemoryTopic<?> topic;

    TransactionCommitter(InMemoryTopic<?> topic) {
      this.topic = topic;
    }

    @Override
    public void commit(Collection<CommitRequest<String>> requests) {
      for (CommitRequest<String> request : requests) {
        topic.commit(request.getCommittable());
      }
    }

    @Override
    public void close() {}
  }

  private static final class TransactionSerializer implements SimpleVersionedSerializer<String> {
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(String transaction) {
      return transaction.getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public String deserialize(int version, byte[] serialized) throws IOException {
      if (version != VERSION) {
        throw new IOException(
            "a transaction of version " + version + " cannot be read, only " + VERSION);
      }
      return new String(serialized, StandardCharsets.UTF_8);
    }
  }
}
