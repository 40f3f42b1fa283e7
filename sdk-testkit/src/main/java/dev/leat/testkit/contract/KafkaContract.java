package dev.leat.testkit.contract;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.MapFunction;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a Flink job may expect of Kafka: order, offsets in checkpoints, event time, and
 * transactions. Runs a Flink cluster in this JVM, so {@code flink-clients} must be on the class
 * path.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS) // one cluster for all tests of a class
@Timeout(value = 5, unit = TimeUnit.MINUTES)
public abstract class KafkaContract {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration OFTEN = Duration.ofMillis(200);
  private static final Duration NEVER = Duration.ofHours(1);

  @TempDir private Path directory;

  private @Nullable MiniCluster cluster;

  /** A topic of the thing that is tested. Its values are text. */
  protected interface Topic {

    /** Appends a record to a partition, at once visible. */
    void produce(int partition, String value, long timestamp);

    /** A source of all values that ends at the last record that is there when the job starts. */
    Source<String, ?, ?> boundedSource();

    /** A source of all values that does not end. */
    Source<String, ?, ?> unboundedSource();

    /** An exactly-once sink. Records of one subtask keep their order. */
    Sink<String> sink();

    /** The values that a reader of committed records sees, a list for each partition. */
    List<List<String>> committed();
  }

  /** Makes a topic that does not exist yet. */
  protected abstract Topic createTopic(String name, int partitions);

  @BeforeAll
  void startFlink() throws Exception {
    Configuration configuration = new Configuration();
    configuration.setString("rest.address", "localhost");
    configuration.setString("rest.bind-port", "0");
    cluster =
        new MiniCluster(
            new MiniClusterConfiguration.Builder()
                .setConfiguration(configuration)
                .setNumTaskManagers(1)
                .setNumSlotsPerTaskManager(2)
                .build());
    cluster.start();
  }

  @AfterAll
  void stopFlink() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @Test
  void recordsOfAPartitionKeepTheirOrder() throws Exception {
    Topic topic = createTopic("order", 3);
    for (int i = 0; i < 300; i++) {
      topic.produce(i % 3, (i % 3) + ":" + i, 1000 + i);
    }
    StreamExecutionEnvironment environment = environment(2, NEVER, null);
    List<String> read = collect(read(environment, topic.boundedSource()));

    assertThat(read).hasSize(300);
    for (int partition = 0; partition < 3; partition++) {
      int number = partition;
      assertThat(read.stream().filter(value -> value.startsWith(number + ":")))
          .containsExactlyElementsOf(
              IntStream.range(0, 100).mapToObj(i -> number + ":" + (3 * i + number)).toList());
    }
  }

  @Test
  void recordsHaveTheirTimestampAndWatermarksFollowThem() throws Exception {
    Topic topic = createTopic("time", 2);
    for (int i = 0; i < 50; i++) {
      topic.produce(i % 2, "record " + i, 10_000L * i);
    }
    StreamExecutionEnvironment environment = environment(1, NEVER, null);
    // Emits a watermark after every record, so that what the test sees depends on no clock.
    WatermarkStrategy<String> strategy =
        WatermarkStrategy.forGenerator(context -> new WatermarkOfEveryRecord());
    List<String> read =
        collect(
            environment
                .fromSource(topic.boundedSource(), strategy, "source")
                .process(new WithTime()));

    assertThat(read).hasSize(50);
    for (String line : read) {
      String[] parts = line.split("\\|", -1);
      long timestamp = Long.parseLong(parts[1]);
      assertThat(parts[0]).isEqualTo("record " + timestamp / 10_000);
      assertThat(Long.parseLong(parts[2])).isLessThanOrEqualTo(490_000L);
    }
    assertThat(read)
        .anySatisfy(line -> assertThat(Long.parseLong(line.split("\\|", -1)[2])).isPositive());
  }

  @Test
  void aJobResumesAtTheOffsetsOfItsSavepoint() throws Exception {
    Topic input = createTopic("resume-in", 2);
    Topic output = createTopic("resume-out", 1);
    produce(input, 0, 100);

    JobClient first = copy(environment(1, OFTEN, null), input, output, value -> value);
    awaitCommitted(first, output, 100);
    produce(input, 100, 150);
    String savepoint =
        first
            .stopWithSavepoint(false, directory.toUri().toString(), SavepointFormatType.CANONICAL)
            .get();
    first.getJobExecutionResult().get();
    produce(input, 150, 250);
    JobClient second = copy(environment(1, OFTEN, savepoint), input, output, value -> value);
    awaitCommitted(second, output, 250);
    stop(second);

    assertThat(flat(output)).containsExactlyInAnyOrderElementsOf(values(0, 250));
  }

  @Test
  void recordsBecomeVisibleWithTheCheckpointThatFollowsThem() throws Exception {
    Topic input = createTopic("visible-in", 1);
    Topic output = createTopic("visible-out", 1);
    produce(input, 0, 50);
    Path seen = directory.resolve("seen");

    JobClient job =
        copy(
            environment(1, NEVER, null),
            input,
            output,
            new MarkWhenSeen("value 49", seen.toString()));
    await().atMost(PATIENCE).until(() -> Files.exists(seen));
    assertThat(flat(output)).isEmpty();
    job.stopWithSavepoint(false, directory.toUri().toString(), SavepointFormatType.CANONICAL).get();
    job.getJobExecutionResult().get();

    assertThat(flat(output)).containsExactlyElementsOf(values(0, 50));
  }

  @Test
  void recordsOfAJobThatFailedNeverBecomeVisible() throws Exception {
    Topic input = createTopic("abort-in", 1);
    Topic output = createTopic("abort-out", 1);
    produce(input, 0, 40);
    Path seen = directory.resolve("seen");

    StreamExecutionEnvironment environment = environment(1, NEVER, null);
    JobClient job =
        copy(
            environment,
            input,
            output,
            new InTurn(
                new MarkWhenSeen("value 39", seen.toString()),
                new FailOnce("value 40", directory.resolve("failed").toString())),
            0);
    // Not before all events of the source's start are there: one that meets a task which has just
    // failed is a failure of its own to Flink, and may be told instead.
    await().atMost(PATIENCE).until(() -> Files.exists(seen));
    produce(input, 40, 50);
    assertThatThrownBy(() -> job.getJobExecutionResult().get())
        .hasStackTraceContaining("the test wants it");

    assertThat(flat(output)).isEmpty();
  }

  @Test
  void everyRecordArrivesExactlyOnceAcrossAFailure() throws Exception {
    Topic input = createTopic("failure-in", 2);
    Topic output = createTopic("failure-out", 1);
    produce(input, 0, 200);
    Path failed = directory.resolve("failed");

    JobClient job =
        copy(
            environment(1, OFTEN, null),
            input,
            output,
            new FailOnce("value 299", failed.toString()),
            3);
    awaitCommitted(job, output, 200);
    produce(
        input, 200,
        300); // 299 makes it fail: what was written since the latest checkpoint is written again
    await().atMost(PATIENCE).until(() -> Files.exists(failed));
    awaitCommitted(job, output, 300);
    stop(job);

    assertThat(flat(output)).containsExactlyInAnyOrderElementsOf(values(0, 300));
  }

  private static void produce(Topic topic, int from, int to) {
    int partitions = topic.committed().size();
    for (int i = from; i < to; i++) {
      topic.produce(i % partitions, "value " + i, 1_000L * i);
    }
  }

  /**
   * Waits for at least so many: where some come twice the test shall see which. A job that ends
   * meanwhile will bring no more, so its failure is shown at once.
   */
  private static void awaitCommitted(JobClient job, Topic topic, int count) {
    await()
        .atMost(PATIENCE)
        .failFast(
            "the job ended before " + count + " records were committed",
            () -> {
              if (job.getJobStatus().get().isGloballyTerminalState()) {
                job.getJobExecutionResult().get();
                throw new IllegalStateException("the job ended without a failure");
              }
            })
        .untilAsserted(() -> assertThat(flat(topic)).hasSizeGreaterThanOrEqualTo(count));
  }

  private static List<String> values(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "value " + i).toList();
  }

  private static List<String> flat(Topic topic) {
    return topic.committed().stream().flatMap(Collection::stream).toList();
  }

  private StreamExecutionEnvironment environment(
      int parallelism, Duration checkpoints, @Nullable String savepoint) throws Exception {
    // Keys and not constants, because the classes that hold the constants differ between the lines
    // of Flink.
    Configuration configuration = new Configuration();
    configuration.setString("restart-strategy.type", "none");
    configuration.setString("execution.checkpointing.interval", checkpoints.toMillis() + " ms");
    if (savepoint != null) {
      configuration.setString("execution.state-recovery.path", savepoint);
    }
    URI rest = requireNonNull(cluster, "cluster").getRestAddress().get();
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createRemoteEnvironment(
            rest.getHost(), rest.getPort(), configuration);
    environment.setParallelism(parallelism);
    return environment;
  }

  private static DataStream<String> read(
      StreamExecutionEnvironment environment, Source<String, ?, ?> source) {
    return environment.fromSource(source, WatermarkStrategy.noWatermarks(), "source").uid("source");
  }

  private static List<String> collect(DataStream<String> stream) throws Exception {
    List<String> all = new ArrayList<>();
    try (var elements = stream.executeAndCollect()) {
      elements.forEachRemaining(all::add);
    }
    return all;
  }

  private static JobClient copy(
      StreamExecutionEnvironment environment,
      Topic input,
      Topic output,
      MapFunction<String, String> function)
      throws Exception {
    return copy(environment, input, output, function, 0);
  }

  private static JobClient copy(
      StreamExecutionEnvironment environment,
      Topic input,
      Topic output,
      MapFunction<String, String> function,
      int restarts)
      throws Exception {
    if (restarts > 0) {
      Configuration restart = new Configuration();
      restart.setString("restart-strategy.type", "fixed-delay");
      restart.setString("restart-strategy.fixed-delay.attempts", Integer.toString(restarts));
      restart.setString("restart-strategy.fixed-delay.delay", "10 ms");
      environment.configure(restart);
    }
    read(environment, input.unboundedSource())
        .map(function)
        .uid("map")
        .sinkTo(output.sink())
        .uid("sink");
    return environment.executeAsync();
  }

  private static void stop(JobClient job) throws Exception {
    job.cancel().get();
    job.getJobExecutionResult()
        .handle((result, failure) -> true)
        .get(); // ended, which is a failure as well
  }

  private static final class WatermarkOfEveryRecord implements WatermarkGenerator<String> {
    private long latest = Long.MIN_VALUE;

    @Override
    public void onEvent(String event, long timestamp, WatermarkOutput output) {
      latest = Math.max(latest, timestamp);
      output.emitWatermark(new Watermark(latest - 1));
    }

    @Override
    public void onPeriodicEmit(WatermarkOutput output) {}
  }

  private static final class WithTime extends ProcessFunction<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public void processElement(String value, Context context, Collector<String> out) {
      out.collect(
          value + "|" + context.timestamp() + "|" + context.timerService().currentWatermark());
    }
  }

  /** Leaves a file when a value passes. */
  private static final class MarkWhenSeen implements MapFunction<String, String> {
    private static final long serialVersionUID = 1L;
    private final String value;
    private final String file;

    MarkWhenSeen(String value, String file) {
      this.value = value;
      this.file = file;
    }

    @Override
    public String map(String element) throws IOException {
      if (element.equals(value)) {
        Files.createFile(Path.of(file));
      }
      return element;
    }
  }

  /** One function after another. */
  private record InTurn(MapFunction<String, String> first, MapFunction<String, String> second)
      implements MapFunction<String, String> {
    private static final long serialVersionUID = 1L;

    @Override
    public String map(String element) throws Exception {
      return second.map(first.map(element));
    }
  }

  /** Fails when a value passes for the first time, which a file remembers. */
  private static final class FailOnce implements MapFunction<String, String> {
    private static final long serialVersionUID = 1L;
    private final String value;
    private final String file;

    FailOnce(String value, String file) {
      this.value = value;
      this.file = file;
    }

    @Override
    public String map(String element) throws IOException {
      if (element.equals(value)) {
        try {
          Files.createFile(Path.of(file));
        } catch (FileAlreadyExistsException e) {
          return element; // it has failed before
        }
        throw new IllegalStateException("the test wants it to fail at " + value);
      }
      return element;
    }
  }
}
