package dev.leat.flink.internal;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.operators.AbstractUdfStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.StreamTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The join as an operator: opens the service of the dimension on the task, waits for its first
 * version, hands each record to a {@link Joiner}, and closes all of it at the end.
 *
 * <p>A subtask holds one handle to the service, which all subtasks of the TaskManager share, and
 * one reader of its own. It moves to a new version before a record, or by a timer where no record
 * comes.
 */
final class EnrichmentOperator<E, K, D, R, O>
    extends AbstractUdfStreamOperator<O, JoinFunction<E, R, O>>
    implements OneInputStreamOperator<E, O> {
  private static final long serialVersionUID = 1L;
  private static final Logger LOGGER = LoggerFactory.getLogger(EnrichmentOperator.class);

  /** How long an idle subtask may keep an old version mapped, or not see that its own is stale. */
  static final Duration IDLE_ADVANCE = Duration.ofSeconds(1);

  private final JoinPlan<E, K, D, R, O> plan;
  private final ServiceSource services;
  private transient @Nullable DimensionService<K, D> service;
  private transient @Nullable Joiner<E, K, D, R, O> joiner;
  private transient @Nullable ScheduledFuture<?> idleAdvance;

  /** The services of the other joins of the task, which they find at work when they are opened. */
  private final transient List<DimensionService<?, ?>> othersBegun = new ArrayList<>();

  private final transient List<EnrichmentOperatorFactory<?, ?, ?, ?, ?>> otherJoins;

  EnrichmentOperator(
      JoinPlan<E, K, D, R, O> plan,
      ServiceSource services,
      StreamOperatorParameters<O> parameters) {
    super(plan.combiner());
    this.plan = plan;
    this.services = services;
    this.processingTimeService = parameters.getProcessingTimeService();
    setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
    this.otherJoins =
        otherJoins(parameters.getContainingTask(), parameters.getStreamConfig().getOperatorID());
  }

  @Override
  public void open() throws Exception {
    super.open();
    DimensionService<K, D> opened =
        services.acquire(
            plan.request(),
            TaskManagerEnvironment.of(getContainingTask().getEnvironment().getTaskManagerInfo()));
    // From here on close() gives it back, also where the waiting fails or is interrupted.
    service = opened;
    beginOtherLoads();
    awaitFirstVersion(opened);
    DataSize hotRows = plan.hotRows();
    DimensionReader<K, D> reader = hotRows == null ? opened.reader() : opened.reader(hotRows);
    joiner =
        new Joiner<>(
            plan,
            reader,
            JoinMetrics.register(
                getMetricGroup(), plan.dimensionName(), opened::statistics, reader::hotRowHits),
            output);
    scheduleIdleAdvance();
  }

  /**
   * Begins the loads of the other joins of the task. Their operators are opened one after the
   * other, each when the one before has its first version: without this the loads would follow each
   * other, too.
   */
  private void beginOtherLoads() {
    for (EnrichmentOperatorFactory<?, ?, ?, ?, ?> join : otherJoins) {
      othersBegun.add(
          join.beginLoad(
              TaskManagerEnvironment.of(
                  getContainingTask().getEnvironment().getTaskManagerInfo())));
    }
  }

  /** The other joins of a task, which only tells them while its operators are being made. */
  private static List<EnrichmentOperatorFactory<?, ?, ?, ?, ?>> otherJoins(
      StreamTask<?, ?> task, OperatorID self) {
    ClassLoader loader = task.getUserCodeClassLoader();
    StreamConfig head = task.getConfiguration();
    List<StreamConfig> operators = new ArrayList<>();
    operators.add(head);
    operators.addAll(head.getTransitiveChainedTaskConfigs(loader).values());
    List<EnrichmentOperatorFactory<?, ?, ?, ?, ?>> joins = new ArrayList<>();
    for (StreamConfig other : operators) {
      if (!self.equals(other.getOperatorID())
          && EnrichmentOperatorFactory.class.equals(other.getStreamOperatorFactoryClass(loader))
          && other.<StreamOperatorFactory<?>>getStreamOperatorFactory(loader)
              instanceof EnrichmentOperatorFactory<?, ?, ?, ?, ?> join) {
        joins.add(join);
      }
    }
    return joins;
  }

  private void awaitFirstVersion(DimensionService<K, D> opened) throws InterruptedException {
    String subtask = getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks();
    LOGGER.info(
        "{} waits for the first version of dimension '{}' at {}",
        subtask,
        plan.dimensionName(),
        plan.request().dimension().location());
    long start = System.nanoTime();
    opened.awaitFirstVersion();
    LOGGER.info(
        "{} has dimension '{}' after {} ms: {}",
        subtask,
        plan.dimensionName(),
        Duration.ofNanos(System.nanoTime() - start).toMillis(),
        opened
            .statistics()
            .served()
            .map(served -> "version " + served.version().id() + ", " + served.rows() + " rows")
            .orElse("no version"));
  }

  // A timer that sets the next one when it runs, rather than a periodic one: while the task is held
  // up by backpressure, a periodic one would fill its mailbox.
  private void scheduleIdleAdvance() {
    idleAdvance =
        getProcessingTimeService()
            .registerTimer(
                getProcessingTimeService().getCurrentProcessingTime() + IDLE_ADVANCE.toMillis(),
                time -> {
                  requireNonNull(joiner).advance();
                  scheduleIdleAdvance();
                });
  }

  @Override
  public void processElement(StreamRecord<E> element) throws Exception {
    requireNonNull(joiner).join(element);
  }

  @Override
  public void close() throws Exception {
    if (idleAdvance != null) {
      idleAdvance.cancel(false);
    }
    try (DimensionService<K, D> closedLast = service;
        Joiner<E, K, D, R, O> closedFirst = joiner) {
      super.close();
    } finally {
      othersBegun.forEach(DimensionService::close);
      othersBegun.clear();
    }
  }
}
