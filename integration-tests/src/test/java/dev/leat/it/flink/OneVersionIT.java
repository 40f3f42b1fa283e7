package dev.leat.it.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.Dimension;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.flink.Enrichment;
import dev.leat.format.DelimitedText;
import dev.leat.testkit.flink.InMemoryKafka;
import dev.leat.testkit.flink.InMemoryTopic;
import dev.leat.testkit.flink.TopicRecord;
import java.io.IOException;
import java.io.Serializable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.common.state.CheckpointListener;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All subtasks read the same version between two barriers, through failures between a switch and
 * the next checkpoint, and through restarts with another parallelism.
 */
class OneVersionIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int PARTITIONS = 4;

  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(2)
              .setNumberSlotsPerTaskManager(2)
              .build());

  @TempDir private Path directory;
  private Path table;
  private final AtomicBoolean producing = new AtomicBoolean(true);

  /** One row of the dimension: all of a version have the same number. */
  public record Stamp(String id, int version) implements Serializable {}

  /** An event. */
  public record Event(String key, long number) implements Serializable {}

  /**
   * What became of an event.
   *
   * @param version of the row that it met
   * @param barrier the last barrier that its subtask had seen
   */
  public record Stamped(long number, int version, long barrier) implements Serializable {}

  private Dimension<String, Stamp> stamps() {
    return Dimension.named("stamps-" + directory.getFileName())
        .at(table.toUri().toString())
        .rows(Stamp.class, DelimitedText.separatedBy('|').columns("id", "version"))
        .keyedBy(String.class, "id");
  }

  private void publish(int version) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int key = 0; key < 10; key++) {
      rows.append('k').append(key).append('|').append(version).append('\n');
    }
    Path fresh = Files.writeString(directory.resolve("fresh"), rows);
    Files.move(fresh, table.resolve("part-0"), StandardCopyOption.ATOMIC_MOVE);
  }

  private Path killAt(int version) {
    return directory.resolve("kill-at-" + version);
  }

  private JobClient start(
      int parallelism,
      boolean unaligned,
      String restoreFrom,
      InMemoryTopic<Event> events,
      InMemoryTopic<Stamped> out)
      throws Exception {
    Map<String, String> settings = new HashMap<>();
    settings.put("execution.checkpointing.interval", "150 ms");
    settings.put("execution.checkpointing.unaligned.enabled", String.valueOf(unaligned));
    settings.put(
        "execution.checkpointing.dir", directory.resolve("checkpoints").toUri().toString());
    settings.put(
        "execution.checkpointing.externalized-checkpoint-retention", "RETAIN_ON_CANCELLATION");
    settings.put("restart-strategy.type", "fixed-delay");
    settings.put("restart-strategy.fixed-delay.attempts", "100");
    settings.put("restart-strategy.fixed-delay.delay", "10 ms");
    if (!restoreFrom.isEmpty()) {
      settings.put("execution.state-recovery.path", restoreFrom);
    }
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    environment.configure(Configuration.fromMap(settings));
    environment.setParallelism(parallelism);
    Enrichment.from(
            environment
                .fromSource(events.source(), WatermarkStrategy.noWatermarks(), "events")
                .uid("events")
                // Through the network, where barriers overtake records or are waited for.
                .rebalance())
        .join(stamps())
        .on(Event::key)
        .cachedIn(LocalDisk.at(directory.resolve("disk")))
        .refresh(Refresh.every(Duration.ofMillis(100)))
        .combine((event, row) -> new Stamped(event.number(), row.version(), 0), Stamped.class)
        .map(new Barriers(directory.toString()))
        .uid("barriers")
        .sinkTo(out.sink(TopicRecord::of))
        .uid("out");
    return environment.executeAsync();
  }

  /**
   * Writes down the last barrier beside each record; and throws at the first record of a version
   * for which a kill file is there: at once, or when the checkpoint of that barrier is complete.
   */
  private static final class Barriers
      implements MapFunction<Stamped, Stamped>, CheckpointedFunction, CheckpointListener {
    private static final long serialVersionUID = 1L;
    private final String directory;
    private long barrier;
    private long complete;

    Barriers(String directory) {
      this.directory = directory;
    }

    @Override
    public Stamped map(Stamped value) throws IOException {
      Path kill = Path.of(directory, "kill-at-" + value.version());
      if (Files.exists(kill)) {
        boolean early = Files.readString(kill).equals("early");
        if ((early || complete >= barrier) && Files.deleteIfExists(kill)) {
          throw new IllegalStateException("killed at version " + value.version());
        }
      }
      return new Stamped(value.number(), value.version(), barrier);
    }

    @Override
    public void snapshotState(FunctionSnapshotContext context) {
      barrier = context.getCheckpointId();
    }

    @Override
    public void initializeState(FunctionInitializationContext context) {
      barrier = context.getRestoredCheckpointId().orElse(0);
      complete = barrier;
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) {
      complete = checkpointId;
    }
  }

  private Thread producer(InMemoryTopic<Event> events, List<Long> produced) {
    Thread thread =
        new Thread(
            () -> {
              long number = 0;
              while (producing.get()) {
                for (int i = 0; i < 20; i++, number++) {
                  events.produce(new Event("k" + number % 10, number));
                }
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
              }
              for (long i = 0; i < number; i++) {
                produced.add(i);
              }
            },
            "producer");
    thread.start();
    return thread;
  }

  private static int newest(InMemoryTopic<Stamped> out) {
    return out.committedValues().stream().mapToInt(Stamped::version).max().orElse(0);
  }

  private static void awaitVersion(InMemoryTopic<Stamped> out, int version) {
    await().atMost(SOON).until(() -> newest(out) >= version);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyEventMeetsTheVersionOfItsCheckpointEpochWhateverFails(boolean unaligned)
      throws Exception {
    table = Files.createDirectory(directory.resolve("stamps"));
    publish(1);
    try (InMemoryKafka kafka = InMemoryKafka.create()) {
      InMemoryTopic<Event> events = kafka.createTopic("events", PARTITIONS, Event.class);
      InMemoryTopic<Stamped> out = kafka.createTopic("out", PARTITIONS, Stamped.class);
      List<Long> produced = new ArrayList<>();
      Thread producer = producer(events, produced);
      try {
        JobClient job = start(2, unaligned, "", events, out);
        awaitVersion(out, 1);
        for (int version = 2; version <= 7; version++) {
          Files.writeString(killAt(version), version % 2 == 0 ? "early" : "late");
          publish(version);
          awaitVersion(out, version);
          Path kill = killAt(version);
          await().atMost(SOON).until(() -> !Files.exists(kill));
        }

        // 2 to 4, from a savepoint; the source has moved on while the job stood still.
        String savepoint =
            job.stopWithSavepoint(
                    false,
                    directory.resolve("savepoints").toUri().toString(),
                    SavepointFormatType.CANONICAL)
                .get(2, TimeUnit.MINUTES);
        Set<Long> beforeTheSavepoint = numbers(out);
        publish(8);
        job = start(4, unaligned, savepoint, events, out);
        awaitVersion(out, 8);
        assertThat(out.committedValues())
            .as("the job goes on with the version of the savepoint")
            .anyMatch(each -> each.version() == 7 && !beforeTheSavepoint.contains(each.number()));

        // 4 to 3, from a retained checkpoint.
        job.cancel().get(2, TimeUnit.MINUTES);
        awaitCancelled(job);
        publish(9);
        assertThat(newest(out)).isEqualTo(8);
        job = start(3, unaligned, latestCheckpoint(job), events, out);
        awaitVersion(out, 9);
        producing.set(false);
        producer.join();
        await().atMost(SOON).until(() -> out.committedValues().size() >= produced.size());
        job.cancel().get(2, TimeUnit.MINUTES);
        awaitCancelled(job);

        assertThat(out.committedValues().stream().map(Stamped::number).sorted())
            .containsExactlyElementsOf(produced);
        assertOneVersionPerEpoch(out.committedValues());
      } finally {
        producing.set(false);
        producer.join();
      }
    }
  }

  private static void assertOneVersionPerEpoch(List<Stamped> all) {
    Map<Long, Set<Integer>> versions = new TreeMap<>();
    all.forEach(
        each ->
            versions.computeIfAbsent(each.barrier(), none -> new TreeSet<>()).add(each.version()));
    assertThat(versions).allSatisfy((barrier, read) -> assertThat(read).hasSize(1));
    List<Integer> inOrder = versions.values().stream().flatMap(Set::stream).toList();
    assertThat(inOrder).isSorted();
    assertThat(new TreeSet<>(inOrder))
        .containsExactlyElementsOf(IntStream.rangeClosed(1, 9).boxed().toList());
  }

  private static void awaitCancelled(JobClient job) {
    await()
        .atMost(SOON)
        .until(() -> job.getJobStatus().get(1, TimeUnit.MINUTES) == JobStatus.CANCELED);
  }

  private static Set<Long> numbers(InMemoryTopic<Stamped> out) {
    return out.committedValues().stream().map(Stamped::number).collect(Collectors.toSet());
  }

  private String latestCheckpoint(JobClient job) throws IOException {
    try (Stream<Path> checkpoints =
        Files.list(directory.resolve("checkpoints").resolve(job.getJobID().toHexString()))) {
      return checkpoints
          .filter(path -> Files.exists(path.resolve("_metadata")))
          .max(
              Comparator.comparingInt(
                  path -> Integer.parseInt(path.getFileName().toString().substring(4))))
          .orElseThrow()
          .toUri()
          .toString();
    }
  }
}
