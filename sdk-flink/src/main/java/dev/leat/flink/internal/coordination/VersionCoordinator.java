package dev.leat.flink.internal.coordination;

import dev.leat.Refresh;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.flink.runtime.checkpoint.CheckpointCoordinator;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.operators.coordination.CoordinationRequest;
import org.apache.flink.runtime.operators.coordination.CoordinationRequestHandler;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.runtime.operators.coordination.OperatorCoordinator;
import org.apache.flink.runtime.operators.coordination.OperatorEvent;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link JobVersions} of a join on the JobManager: hands it what Flink tells and the time, and
 * carries its orders to the subtasks. Flink calls on the JobManager's main thread, the timer on its
 * own; neither waits for anything but the other.
 */
final class VersionCoordinator implements OperatorCoordinator, CoordinationRequestHandler {
  private static final Logger LOG = LoggerFactory.getLogger(VersionCoordinator.class);

  private final String dimension;
  private final Context context;
  private final LongSupplier millis;
  private final JobVersions versions;
  private final Map<Integer, SubtaskGateway> gateways = new HashMap<>();
  private @Nullable ScheduledExecutorService timer;
  private @Nullable ScheduledFuture<?> nextTick;
  private boolean closed;

  /**
   * The coordinator of one join.
   *
   * @param clock shows the time of the day
   * @param millis go on evenly, whatever the clock is set to; not below zero
   */
  VersionCoordinator(
      String dimension, Refresh refresh, Context context, Clock clock, LongSupplier millis) {
    this.dimension = dimension;
    this.context = context;
    this.millis = millis;
    this.versions =
        new JobVersions(
            dimension,
            new Pace(refresh, () -> ThreadLocalRandom.current().nextDouble(), clock),
            this::send);
  }

  @Override
  public synchronized void start() {
    timer =
        Executors.newSingleThreadScheduledExecutor(
            work -> {
              Thread thread = new Thread(work, "leat-coordinator-" + dimension);
              thread.setDaemon(true);
              return thread;
            });
    CheckpointCoordinator checkpoints = context.getCheckpointCoordinator();
    versions.runs(
        context.currentParallelism(),
        checkpoints != null && checkpoints.isPeriodicCheckpointingConfigured());
    CoordinatorMetrics.register(context.metricGroup(), dimension, versions, this);
    scheduleTick();
  }

  @Override
  public synchronized void close() {
    closed = true;
    versions.end();
    if (timer != null) {
      timer.shutdownNow();
    }
  }

  // ---- what Flink tells ----------------------------------------------------------------------

  @Override
  public synchronized void resetToCheckpoint(long checkpointId, byte @Nullable [] state) {
    Optional<Activation> restored =
        state == null ? Optional.empty() : Codec.optionalActivation(state);
    LOG.info(
        "Dimension '{}': the job resumes from checkpoint {} with {}",
        dimension,
        checkpointId,
        restored.map(activation -> "version " + activation.version().id()).orElse("no version"));
    versions.reset(checkpointId, restored);
    gateways.clear();
    scheduleTick();
  }

  @Override
  public synchronized void subtaskReset(int subtask, long checkpointId) {
    gateways.remove(subtask);
    versions.restarts(subtask, checkpointId, millis.getAsLong());
    scheduleTick();
  }

  @Override
  public synchronized void executionAttemptFailed(
      int subtask, int attempt, @Nullable Throwable reason) {
    gateways.remove(subtask);
    versions.gone(subtask, millis.getAsLong());
    scheduleTick();
  }

  @Override
  public synchronized void executionAttemptReady(int subtask, int attempt, SubtaskGateway gateway) {
    gateways.put(subtask, gateway);
    versions.reachable(subtask, attempt);
    scheduleTick();
  }

  @Override
  public synchronized void handleEventFromOperator(int subtask, int attempt, OperatorEvent event) {
    if (!(event instanceof Report report)) {
      throw new IllegalArgumentException("an event that no subtask of a join sends: " + event);
    }
    versions.report(subtask, attempt, report, millis.getAsLong());
    scheduleTick();
  }

  @Override
  public synchronized CompletableFuture<CoordinationResponse> handleCoordinationRequest(
      CoordinationRequest request) {
    if (!(request instanceof Question question)) {
      throw new IllegalArgumentException("a request that no subtask of a join sends: " + request);
    }
    Answer answer = versions.answer(question, millis.getAsLong());
    scheduleTick();
    return CompletableFuture.completedFuture(WireAnswer.wrap(answer));
  }

  // The barriers go when the result is complete: when all subtasks know what they do at them.
  @Override
  public synchronized void checkpointCoordinator(
      long checkpointId, CompletableFuture<byte[]> result) {
    versions.checkpoint(
        checkpointId, millis.getAsLong(), state -> result.complete(Codec.bytes(state)));
    scheduleTick();
  }

  @Override
  public synchronized void notifyCheckpointComplete(long checkpointId) {
    versions.checkpointCompleted(checkpointId);
  }

  @Override
  public synchronized void notifyCheckpointAborted(long checkpointId) {
    versions.checkpointAborted(checkpointId);
    scheduleTick();
  }

  // ---- orders and time -----------------------------------------------------------------------

  private void send(int subtask, Order order) {
    SubtaskGateway gateway = gateways.get(subtask);
    if (gateway == null) {
      return;
    }
    try {
      CompletableFuture<?> sent =
          gateway
              .sendEvent(order)
              .whenComplete(
                  (ack, failure) -> {
                    if (failure != null) {
                      // Flink fails the task if it should still be there, and it comes back.
                      LOG.debug("{} did not reach subtask {}", order, subtask, failure);
                    }
                  });
      LOG.debug("Dimension '{}': {} to subtask {}: {}", dimension, order, subtask, sent);
    } catch (RuntimeException e) {
      LOG.debug("{} cannot be sent to subtask {}", order, subtask, e);
    }
  }

  private void scheduleTick() {
    if (nextTick != null) {
      nextTick.cancel(false);
      nextTick = null;
    }
    OptionalLong due = versions.nextTick();
    if (timer == null || closed || due.isEmpty()) {
      return;
    }
    try {
      long now = millis.getAsLong();
      long delay = due.getAsLong() <= now ? 0 : due.getAsLong() - now;
      nextTick = timer.schedule(this::tick, delay, TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("Dimension '{}': the timer has ended", dimension, e);
    }
  }

  private synchronized void tick() {
    if (closed) {
      return;
    }
    try {
      versions.tick(millis.getAsLong());
      scheduleTick();
    } catch (RuntimeException e) {
      // An executor would swallow it, and with it the refresh.
      context.failJob(e);
    }
  }

  /** Makes the coordinator on the JobManager; travels with the job. */
  record Provider(OperatorID operator, String dimension, Refresh refresh)
      implements OperatorCoordinator.Provider {
    private static final long serialVersionUID = 1L;

    @Override
    public OperatorID getOperatorId() {
      return operator;
    }

    @Override
    public OperatorCoordinator create(Context context) {
      long begin = System.nanoTime();
      return new VersionCoordinator(
          dimension,
          refresh,
          context,
          Clock.systemUTC(),
          () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
    }
  }
}
