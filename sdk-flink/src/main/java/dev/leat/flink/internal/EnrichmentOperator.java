package dev.leat.flink.internal;

import static java.util.Objects.requireNonNull;

import dev.leat.DataSize;
import dev.leat.flink.internal.coordination.Coordination;
import dev.leat.flink.internal.coordination.Opening;
import dev.leat.flink.internal.coordination.SubtaskContext;
import dev.leat.flink.internal.coordination.SubtaskVersion;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.ServedDimension;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.SteeredDimension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledFuture;
import org.apache.flink.api.common.functions.JoinFunction;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeutils.base.array.BytePrimitiveArraySerializer;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.OperatorEventHandler;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
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
 * one reader of its own. Which version it reads is decided by the coordinator, for all subtasks and
 * from the same barrier on; the version is operator state. Where no coordinator answers, as in a
 * harness for tests, the subtask follows the source by itself.
 */
final class EnrichmentOperator<E, K, D, R, O>
    extends AbstractUdfStreamOperator<O, JoinFunction<E, R, O>>
    implements OneInputStreamOperator<E, O>, OperatorEventHandler {
  private static final long serialVersionUID = 1L;
  private static final Logger LOGGER = LoggerFactory.getLogger(EnrichmentOperator.class);

  /** How long an idle subtask may keep an old version mapped, or not see that its own is stale. */
  static final Duration IDLE_ADVANCE = Duration.ofSeconds(1);

  /** The name of the state with the version; another one would orphan what savepoints have. */
  static final String VERSION_STATE = "leat-version";

  private final JoinPlan<E, K, D, R, O> plan;
  private final ServiceSource services;
  private final transient MailboxExecutor mailbox;
  private final transient OperatorEventGateway coordinator;
  private transient @Nullable ServedDimension<K, D> service;
  private transient @Nullable SubtaskVersion version;
  private transient @Nullable ListState<byte[]> versionState;
  private transient byte @Nullable [] restored;
  private transient @Nullable Joiner<E, K, D, R, O> joiner;
  private transient @Nullable ScheduledFuture<?> idleAdvance;

  /** The services of the other joins of the task, which they find at work when they are opened. */
  private final transient List<ServedDimension<?, ?>> othersBegun = new ArrayList<>();

  private final transient List<OtherJoin> otherJoins;

  private record OtherJoin(OperatorID operator, EnrichmentOperatorFactory<?, ?, ?, ?, ?> join) {}

  EnrichmentOperator(
      JoinPlan<E, K, D, R, O> plan,
      ServiceSource services,
      StreamOperatorParameters<O> parameters) {
    super(plan.combiner());
    this.plan = plan;
    this.services = services;
    this.processingTimeService = parameters.getProcessingTimeService();
    setup(parameters.getContainingTask(), parameters.getStreamConfig(), parameters.getOutput());
    OperatorID self = parameters.getStreamConfig().getOperatorID();
    this.mailbox = parameters.getMailboxExecutor();
    this.coordinator = parameters.getOperatorEventDispatcher().getOperatorEventGateway(self);
    this.otherJoins = otherJoins(parameters.getContainingTask(), self);
  }

  // ---- state ---------------------------------------------------------------------------------

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    ListState<byte[]> state =
        context
            .getOperatorStateStore()
            .getListState(
                new ListStateDescriptor<>(VERSION_STATE, BytePrimitiveArraySerializer.INSTANCE));
    versionState = state;
    for (byte[] each : state.get()) {
      restored = Coordination.later(restored, each);
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    if (version != null) {
      byte[] state = version.atBarrier(context.getCheckpointId());
      requireNonNull(versionState).update(List.of(state));
    }
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    if (version != null) {
      version.checkpointComplete(checkpointId);
    }
  }

  @Override
  public void handleOperatorEvent(OperatorEvent event) {
    if (version != null) {
      version.handle(event);
    }
  }

  @Override
  public void finish() throws Exception {
    super.finish();
    if (version != null) {
      version.finished();
    }
  }

  // ---- the life of the task ------------------------------------------------------------------

  @Override
  public void open() throws Exception {
    super.open();
    ServiceEnvironment environment = environment();
    Opening opening = opening(getOperatorID());
    ServedDimension<K, D> opened =
        opening.isCoordinated() ? openSteered(opening, environment) : openFollowing(environment);
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

  private ServiceEnvironment environment() {
    return TaskManagerEnvironment.of(getContainingTask().getEnvironment().getTaskManagerInfo());
  }

  private Opening opening(OperatorID operator) {
    return new Opening(
        getContainingTask().getEnvironment().getOperatorCoordinatorEventGateway(),
        operator,
        getRuntimeContext().getTaskInfo().getIndexOfThisSubtask(),
        getRuntimeContext().getTaskInfo().getAttemptNumber());
  }

  private ServedDimension<K, D> openSteered(Opening opening, ServiceEnvironment environment)
      throws InterruptedException {
    SteeredDimension<K, D> opened = services.steer(plan.request(), environment);
    // From here on close() gives it back, also where the waiting fails or is interrupted.
    service = opened;
    for (OtherJoin other : otherJoins) {
      opening(other.operator())
          .beginLoad(
              () -> other.join().services().steer(other.join().plan().request(), environment))
          .ifPresent(othersBegun::add);
    }
    awaitFirstVersion(
        opened,
        () ->
            version =
                opening.open(
                    new SubtaskContext(
                        getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks(),
                        plan.dimensionName(),
                        coordinator,
                        mailbox,
                        getProcessingTimeService()),
                    restored,
                    plan.versionGone(),
                    opened,
                    environment.clock()));
    return opened;
  }

  private ServedDimension<K, D> openFollowing(ServiceEnvironment environment)
      throws InterruptedException {
    DimensionService<K, D> opened = services.acquire(plan.request(), environment);
    service = opened;
    for (OtherJoin other : otherJoins) {
      othersBegun.add(other.join().services().acquire(other.join().plan().request(), environment));
    }
    awaitFirstVersion(opened, opened::awaitFirstVersion);
    return opened;
  }

  /**
   * The other joins of a task, which only tells them while its operators are being made. Their
   * operators are opened one after the other, each when the one before has its first version: so
   * the first one begins the loads of all, or they would follow each other, too.
   */
  private static List<OtherJoin> otherJoins(StreamTask<?, ?> task, OperatorID self) {
    ClassLoader loader = task.getUserCodeClassLoader();
    StreamConfig head = task.getConfiguration();
    List<StreamConfig> operators = new ArrayList<>();
    operators.add(head);
    operators.addAll(head.getTransitiveChainedTaskConfigs(loader).values());
    List<OtherJoin> joins = new ArrayList<>();
    for (StreamConfig other : operators) {
      if (!self.equals(other.getOperatorID())
          && EnrichmentOperatorFactory.class.equals(other.getStreamOperatorFactoryClass(loader))
          && other.<StreamOperatorFactory<?>>getStreamOperatorFactory(loader)
              instanceof EnrichmentOperatorFactory<?, ?, ?, ?, ?> join) {
        joins.add(new OtherJoin(other.getOperatorID(), join));
      }
    }
    return joins;
  }

  @FunctionalInterface
  private interface Wait {
    void forVersion() throws InterruptedException;
  }

  private void awaitFirstVersion(ServedDimension<K, D> opened, Wait wait)
      throws InterruptedException {
    String subtask = getRuntimeContext().getTaskInfo().getTaskNameWithSubtasks();
    LOGGER.info(
        "{} waits for the first version of dimension '{}' at {}",
        subtask,
        plan.dimensionName(),
        plan.request().dimension().location());
    long start = System.nanoTime();
    wait.forVersion();
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
    try (ServedDimension<K, D> closedLast = service;
        Joiner<E, K, D, R, O> closedFirst = joiner) {
      super.close();
    } finally {
      othersBegun.forEach(ServedDimension::close);
      othersBegun.clear();
    }
  }
}
