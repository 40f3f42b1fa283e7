package dev.leat.flink.internal.coordination;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.Refresh;
import dev.leat.internal.engine.KnownVersion;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.OperatorCoordinatorMetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.runtime.checkpoint.CheckpointCoordinator;
import org.apache.flink.runtime.executiongraph.ExecutionAttemptID;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.messages.Acknowledge;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.runtime.operators.coordination.CoordinatorStore;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VersionCoordinatorTest {
  private static final Duration SOON = Duration.ofMinutes(1);
  private static final KnownVersion FIRST = version("first");
  private static final KnownVersion SECOND = version("second");

  private final Context context = new Context();
  private final long begin = System.nanoTime();
  private final VersionCoordinator coordinator =
      new VersionCoordinator(
          "coordinated",
          Refresh.every(Duration.ofMillis(100)).withJitter(0),
          context,
          Clock.systemUTC(),
          () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
  private final List<Object> sent = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    coordinator.close();
    await().atMost(SOON).until(() -> threads().isEmpty());
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.equals("leat-coordinator-coordinated"))
        .toList();
  }

  private static KnownVersion version(String id) {
    return new KnownVersion(id, "fingerprint of " + id, Instant.EPOCH);
  }

  private Answer ask(Question question) throws Exception {
    return WireAnswer.unwrap(coordinator.handleCoordinationRequest(question).get());
  }

  private void oneSubtaskBegan() throws Exception {
    coordinator.start();
    assertThat(ask(new Question.Begin(0, 0, null))).isEqualTo(new Answer.Lead());
    ask(new Question.Led(0, 0, FIRST));
    coordinator.executionAttemptReady(0, 0, new Gateway());
    coordinator.handleEventFromOperator(0, 0, new Report.Began(1));
  }

  private Order.Look awaitLook() {
    await().atMost(SOON).until(() -> sent.stream().anyMatch(Order.Look.class::isInstance));
    Order.Look look =
        sent.stream()
            .filter(Order.Look.class::isInstance)
            .map(Order.Look.class::cast)
            .findFirst()
            .orElseThrow();
    sent.clear();
    return look;
  }

  private Optional<Activation> checkpoint(long id) throws Exception {
    CompletableFuture<byte[]> state = new CompletableFuture<>();
    coordinator.checkpointCoordinator(id, state);
    return Codec.optionalActivation(state.get());
  }

  @Test
  void theTimerHasTheSourceLookedAtAndWithoutCheckpointsASwitchComesAtOnce() throws Exception {
    oneSubtaskBegan();
    Order.Look look = awaitLook();
    coordinator.handleEventFromOperator(0, 0, new Report.Looked(look.number(), SECOND));
    assertThat(sent).containsExactly(new Order.Prepare(SECOND));
    sent.clear();
    coordinator.handleEventFromOperator(0, 0, new Report.Prepared("second"));
    assertThat(sent)
        .containsExactly(new Order.Activate(new Activation(2, SECOND, Activation.AT_ONCE)));
    assertThat(checkpoint(3)).contains(new Activation(2, SECOND, Activation.AT_ONCE));
    coordinator.notifyCheckpointComplete(3);
  }

  @Test
  void itsMetricsTellHowFarTheJobIs() throws Exception {
    oneSubtaskBegan();
    assertThat(context.metrics.values())
        .containsExactlyInAnyOrderEntriesOf(metrics("first", "", 0, 0, 0));
    Order.Look failing = awaitLook();
    coordinator.handleEventFromOperator(0, 0, new Report.LookFailed(failing.number(), "gone"));
    assertThat(context.metrics.values())
        .containsExactlyInAnyOrderEntriesOf(metrics("first", "", 0, 0, 1));
    coordinator.handleEventFromOperator(0, 0, new Report.Looked(awaitLook().number(), SECOND));
    assertThat(context.metrics.values())
        .containsExactlyInAnyOrderEntriesOf(metrics("first", "second", 0, 0, 0));
    coordinator.handleEventFromOperator(0, 0, new Report.Prepared("second"));
    assertThat(context.metrics.values())
        .containsExactlyInAnyOrderEntriesOf(metrics("second", "", 0, 1, 0));
  }

  @Test
  void thePageListsExactlyItsMetrics() throws Exception {
    String page =
        Files.readString(Path.of("").toAbsolutePath().resolveSibling("docs").resolve("metrics.md"));
    String section = page.substring(page.indexOf("## The whole job"), page.indexOf("## Each tier"));
    coordinator.start();

    assertThat(
            Pattern.compile("^\\| `([^`]+)` \\| gauge \\|", Pattern.MULTILINE)
                .matcher(section)
                .results()
                .map(row -> row.group(1)))
        .containsExactlyInAnyOrderElementsOf(context.metrics.values().keySet());
  }

  private static Map<String, Object> metrics(
      String version, String next, int prepared, long switches, int failures) {
    return Map.of(
        "versionId", version,
        "nextVersionId", next,
        "subtasksPrepared", prepared,
        "switchCount", switches,
        "refreshFailuresInARow", failures);
  }

  @Test
  void itsStateIsWhatARestoredJobBeginsWith() throws Exception {
    oneSubtaskBegan();
    CompletableFuture<byte[]> state = new CompletableFuture<>();
    coordinator.checkpointCoordinator(1, state);
    coordinator.notifyCheckpointAborted(1);
    coordinator.executionAttemptFailed(0, 0, new IllegalStateException("a task failed"));
    coordinator.resetToCheckpoint(1, state.get());
    coordinator.subtaskReset(0, 1);
    assertThat(ask(new Question.Begin(0, 1, null)))
        .isEqualTo(
            new Answer.Begin(new Activation(1, FIRST, Activation.AT_ONCE), Optional.empty(), true));
    sent.clear();
    coordinator.executionAttemptReady(0, 1, new Gateway());
    coordinator.handleEventFromOperator(0, 1, new Report.Began(1));
    assertThat(awaitLook()).isNotNull();
    coordinator.resetToCheckpoint(OperatorCoordinator.NO_CHECKPOINT, null);
    assertThat(ask(new Question.Begin(0, 2, null))).isEqualTo(new Answer.Lead());
  }

  @Test
  void aSubtaskThatCannotBeReachedHarmsNothing() throws Exception {
    oneSubtaskBegan();
    context.broken = true;
    await().atMost(SOON).until(() -> context.refused > 0);
    assertThat(context.failure).isNull();
    assertThat(checkpoint(1)).isPresent();
  }

  @Test
  void theTimerEndsWithTheCoordinator() throws Exception {
    oneSubtaskBegan();
    await().atMost(SOON).until(() -> !threads().isEmpty());
    coordinator.close();
    await().atMost(SOON).until(() -> threads().isEmpty());
    // What comes late is no trouble.
    coordinator.executionAttemptFailed(0, 0, null);
    coordinator.subtaskReset(0, 1);
  }

  @Test
  void whatNoSubtaskSendsIsRefused() {
    coordinator.start();
    assertThatThrownBy(() -> coordinator.handleEventFromOperator(0, 0, new OperatorEvent() {}))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> coordinator.handleCoordinationRequest(new CoordinationRequest() {}))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private final class Gateway implements OperatorCoordinator.SubtaskGateway {
    @Override
    public CompletableFuture<Acknowledge> sendEvent(OperatorEvent event) {
      if (context.broken) {
        context.refused++;
        throw new IllegalStateException("the task is not running");
      }
      sent.add(event);
      return CompletableFuture.completedFuture(Acknowledge.get());
    }

    @Override
    public ExecutionAttemptID getExecution() {
      throw new AssertionError("nobody asks");
    }

    @Override
    public int getSubtask() {
      return 0;
    }
  }

  /** A job of one subtask without checkpoints. */
  private static final class Context implements OperatorCoordinator.Context {
    private volatile boolean broken;
    private volatile int refused;
    private volatile @Nullable Throwable failure;
    private final Metrics metrics = new Metrics();

    @Override
    public OperatorID getOperatorId() {
      throw new AssertionError("nobody asks");
    }

    @Override
    public OperatorCoordinatorMetricGroup metricGroup() {
      return metrics;
    }

    @Override
    public void failJob(Throwable cause) {
      failure = cause;
    }

    @Override
    public int currentParallelism() {
      return 1;
    }

    @Override
    public ClassLoader getUserCodeClassloader() {
      throw new AssertionError("nobody asks");
    }

    @Override
    public CoordinatorStore getCoordinatorStore() {
      throw new AssertionError("nobody asks");
    }

    @Override
    public boolean isConcurrentExecutionAttemptsSupported() {
      return false;
    }

    @Override
    public @Nullable CheckpointCoordinator getCheckpointCoordinator() {
      return null;
    }
  }

  /** Keeps the gauges by name; there is one dimension. */
  private static final class Metrics extends UnregisteredMetricsGroup
      implements OperatorCoordinatorMetricGroup {
    private final Map<String, Gauge<?>> gauges = new HashMap<>();

    @Override
    public MetricGroup addGroup(String key, String value) {
      assertThat(List.of(key, value)).containsExactly("leat", "coordinated");
      return this;
    }

    @Override
    public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
      gauges.put(name, gauge);
      return gauge;
    }

    Map<String, Object> values() {
      Map<String, Object> values = new HashMap<>();
      gauges.forEach((name, gauge) -> values.put(name, gauge.getValue()));
      return values;
    }
  }
}
