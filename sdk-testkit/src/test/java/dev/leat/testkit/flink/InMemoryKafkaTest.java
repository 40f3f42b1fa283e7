package dev.leat.testkit.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.testkit.ManualClock;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InMemoryKafkaTest {
  private final InMemoryKafka kafka =
      InMemoryKafka.create(ManualClock.at(Instant.ofEpochMilli(1_000)));

  /** A value that its owner can change. */
  public static final class Play {
    public String title = "";

    public Play() {}
  }

  @AfterEach
  void close() {
    kafka.close();
    kafka.close();
  }

  @Test
  void recordsKeepWhatTheyWereGivenAndGetAnOffset() {
    InMemoryTopic<String> topic = kafka.createTopic("plays", 4, String.class);
    topic.produce(
        TopicRecord.of("a").withKey("k").withTimestamp(7).withHeader("h", "1").inPartition(2));
    topic.produce(TopicRecord.of("b").inPartition(2));

    assertThat(topic.committed())
        .containsExactly(
            new PublishedRecord<>(2, 0, "k", "a", 7, Map.of("h", "1")),
            new PublishedRecord<>(2, 1, null, "b", 1_000, Map.of()));
  }

  @Test
  void recordsOfAKeyMeetInOnePartitionAndThoseWithoutAreSpread() {
    InMemoryTopic<String> topic = kafka.createTopic("plays", 3, String.class);
    for (int i = 0; i < 9; i++) {
      topic.produce(TopicRecord.of("of the key " + i).withKey("k"));
    }
    assertThat(topic.committed())
        .extracting(PublishedRecord::partition)
        .containsOnly(topic.committed().get(0).partition());

    InMemoryTopic<Integer> spread = kafka.createTopic("spread", 3, Integer.class);
    spread.produce(0, 1, 2, 3, 4, 5);
    assertThat(spread.committed())
        .extracting(PublishedRecord::partition)
        .containsExactly(0, 0, 1, 1, 2, 2);
    assertThat(spread.committedValues()).containsExactly(0, 3, 1, 4, 2, 5);
  }

  @Test
  void aValueThatChangesAfterwardsDoesNotChangeItsRecord() {
    InMemoryTopic<Play> topic = kafka.createTopic("plays", 1, Play.class);
    Play play = new Play();
    play.title = "before";
    topic.produce(play);
    play.title = "after";

    assertThat(topic.committedValues().get(0).title).isEqualTo("before");
    assertThat(topic.committedValues().get(0)).isNotSameAs(topic.committedValues().get(0));
  }

  @Test
  void transactionsAreInvisibleUntilTheyAreCommittedAndCanBeCommittedAgain() {
    InMemoryTopic<String> topic = kafka.createTopic("plays", 1, String.class);
    String first = topic.begin(0);
    String second = topic.begin(1);
    topic.write(first, topic.store(TopicRecord.of("1"), topic.newSerializer(), 0, 5));
    topic.write(second, topic.store(TopicRecord.of("2"), topic.newSerializer(), 0, 5));
    assertThat(topic.committed()).isEmpty();
    assertThat(topic.uncommitted()).isEqualTo(2);

    topic.commit(first);
    topic.commit(first);
    topic.abort(second);

    assertThat(topic.committedValues()).containsExactly("1");
    assertThat(topic.uncommitted()).isZero();
    assertThatThrownBy(() -> topic.commit(second)).hasMessageContaining("was aborted");
  }

  @Test
  void mistakesAreToldWithTheValue() {
    InMemoryTopic<String> topic = kafka.createTopic("plays", 2, String.class);
    assertThatThrownBy(() -> kafka.createTopic("plays", 1, String.class))
        .hasMessageContaining("'plays' exists already");
    assertThatThrownBy(() -> kafka.createTopic("none", 0, String.class))
        .hasMessageContaining("0 partitions");
    assertThatThrownBy(() -> topic.produce(TopicRecord.of("x").inPartition(2)))
        .hasMessageContaining("none 2");
    topic.end();
    assertThatThrownBy(() -> topic.produce("x")).hasMessageContaining("was ended");
  }

  @Test
  void sourceAndSinkTravelAsHandles() throws Exception {
    InMemoryTopic<String> topic = kafka.createTopic("plays", 1, String.class);
    Sink<String> sink = travelled(topic.sink());
    assertThat(sink).isInstanceOf(SupportsCommitter.class).hasToString("InMemoryKafkaSink[plays]");
    assertThat(travelled(topic.source().bounded()))
        .hasToString("InMemoryKafkaSource[plays, bounded]");
    Sink<String> same = sink;
    assertThat(sink).isEqualTo(same).isNotEqualTo(topic.sink());
  }

  @SuppressWarnings("unchecked")
  private static <T> T travelled(T object) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream output = new ObjectOutputStream(bytes)) {
      output.writeObject(object);
    }
    try (ObjectInputStream input =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return (T) input.readObject();
    }
  }

  @Test
  void afterCloseNothingIsLeftAndHandlesSaySo() {
    InMemoryKafka other = InMemoryKafka.create();
    InMemoryTopic<String> topic = other.createTopic("plays", 1, String.class);
    other.close();

    assertThatThrownBy(() -> InMemoryKafka.topic(other.id(), "plays"))
        .hasMessageContaining("is closed");
    assertThatThrownBy(() -> topic.produce("x")).hasMessageContaining("is closed");
    assertThatThrownBy(() -> other.createTopic("more", 1, String.class))
        .hasMessageContaining("is closed");
  }

  @Test
  void aClientThatIsStillOpenIsReportedWithThePlaceWhereItWasOpened() throws Exception {
    InMemoryKafka other = InMemoryKafka.create();
    other.opened("reader 0 of plays");
    Thread.currentThread().interrupt(); // spares the wait for a job that is being cancelled

    assertThatThrownBy(other::close)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("reader 0 of plays")
        .satisfies(failure -> assertThat(failure.getSuppressed()).hasSize(1));
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void closingWaitsForAJobThatLetsGo() throws Exception {
    InMemoryKafka other = InMemoryKafka.create();
    other.opened("reader");
    Thread letsGo = new Thread(() -> other.closed("reader"));
    letsGo.start();

    other.close();

    letsGo.join();
  }

  @Test
  void splitsSurviveTheirSerializer() throws Exception {
    List<PartitionSplit> splits = new ArrayList<>();
    splits.add(new PartitionSplit(3, 1L << 40, PartitionSplit.NEVER));
    splits.add(new PartitionSplit(0, 0, 5));
    PartitionSplit.ListSerializer serializer = new PartitionSplit.ListSerializer();

    assertThat(serializer.deserialize(1, serializer.serialize(splits))).isEqualTo(splits);
    assertThatThrownBy(() -> serializer.deserialize(2, new byte[0]))
        .hasMessageContaining("version 2");
  }
}
