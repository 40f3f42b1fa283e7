package dev.leat.flink.internal.coordination;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.engine.KnownVersion;
import dev.leat.internal.engine.SteeredDimension;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.function.BiConsumer;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.function.ThrowingRunnable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The version that one subtask reads: carries out the coordinator's orders, and moves to another
 * version at the barrier that was decided. Belongs to the task's thread; what the engine has done
 * comes back to it through the mailbox.
 */
public final class SubtaskVersion {
  private static final Logger LOG = LoggerFactory.getLogger(SubtaskVersion.class);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final SubtaskContext subtask;
  private final SteeredDimension<?, ?> steered;

  /** Being loaded, by id. */
  private final Set<String> loading = new HashSet<>();

  /** Loaded and held beside the active one, by id. */
  private final Set<String> held = new HashSet<>();

  /** Versions that were read until a checkpoint, by id. */
  private final Map<String, Long> left = new HashMap<>();

  private Activation active;

  /** Decided, and not yet read. */
  private @Nullable Activation next;

  /** The id of the version that the coordinator wants prepared, and has not decided on. */
  private @Nullable String candidate;

  /** Begins to read the first version, which is held. */
  SubtaskVersion(SubtaskContext subtask, SteeredDimension<?, ?> steered, Activation first) {
    this.subtask = subtask;
    this.steered = steered;
    this.active = first;
    steered.activate(first.version().id());
  }

  /** Is told of a version that is held, and to which the subtask moves at the next barrier. */
  void alsoHolds(Activation decided) {
    held.add(decided.version().id());
    next = decided;
  }

  /** Tells the coordinator that the subtask reads from here on. */
  void began() {
    report(new Report.Began(active.number()));
  }

  /** Carries out an order. */
  public void handle(Object event) {
    if (!(event instanceof Order order)) {
      throw new IllegalArgumentException("an event that no coordinator of a join sends: " + event);
    }
    if (order instanceof Order.Look look) {
      look(look.number());
    } else if (order instanceof Order.Prepare prepare) {
      prepare(prepare.version());
    } else if (order instanceof Order.Forget forget) {
      forget(forget.versionId());
    } else if (order instanceof Order.Activate activate) {
      decided(activate.activation());
    } else if (order instanceof Order.Seen seen) {
      seen(seen.version());
    }
  }

  private void report(Report report) {
    subtask.coordinator().sendEventToCoordinator(report);
  }

  private void look(long order) {
    whenDone(
        "look",
        steered.look(),
        (found, failure) ->
            report(
                found != null
                    ? new Report.Looked(order, found)
                    : new Report.LookFailed(order, message(failure))));
  }

  private void prepare(KnownVersion version) {
    candidate = version.id();
    releaseUnneeded();
    if (canMoveTo(version.id())) {
      report(new Report.Prepared(version.id()));
    } else {
      load(version, FIRST_PAUSE);
    }
  }

  /**
   * Whether the subtask can move to a version. What it reads now will be held when it moves on to
   * another one, and is let go only where nothing leads back to it.
   */
  private boolean canMoveTo(String versionId) {
    return held.contains(versionId) || versionId.equals(active.version().id());
  }

  private boolean isNext(String versionId) {
    return next != null && next.version().id().equals(versionId);
  }

  private void load(KnownVersion version, Duration pauseIfItFails) {
    if (loading.add(version.id())) {
      whenDone(
          "prepare",
          steered.prepare(version),
          (loaded, failure) -> {
            loading.remove(version.id());
            if (loaded == null) {
              loadFailed(version, failure, pauseIfItFails);
            } else {
              loaded(loaded.id());
            }
          });
    }
  }

  private void loaded(String versionId) {
    held.add(versionId);
    if (versionId.equals(candidate)) {
      report(new Report.Prepared(versionId));
    }
    if (next != null && isNext(versionId)) {
      report(new Report.Decided(next.number()));
      moveIfDecidedAtOnce();
    }
    // It may have been forgotten while it was being loaded.
    releaseUnneeded();
  }

  private void loadFailed(KnownVersion version, @Nullable Throwable failure, Duration pause) {
    if (!isNext(version.id())) {
      report(new Report.PrepareFailed(version.id(), message(failure)));
      return;
    }
    // All others read it or are about to: there is no way back.
    if (failure instanceof LeatException error && error.errorCode() == ErrorCode.VERSION_GONE) {
      // When the task begins anew, the policy for such versions says what is read.
      throw new FlinkRuntimeException(
          subtask.name()
              + ": version "
              + version.id()
              + " of dimension '"
              + subtask.dimension()
              + "' was decided, and is gone before this subtask has loaded it",
          error);
    }
    LOG.warn(
        "{}: version {} of dimension '{}' was decided and cannot be loaded; trying again in {} ms",
        subtask.name(),
        version.id(),
        subtask.dimension(),
        pause.toMillis(),
        failure);
    ScheduledFuture<?> again =
        subtask
            .timers()
            .registerTimer(
                subtask.timers().getCurrentProcessingTime() + pause.toMillis(),
                time -> {
                  if (isNext(version.id()) && !canMoveTo(version.id())) {
                    Duration longer = pause.multipliedBy(2);
                    load(version, longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE);
                  }
                });
    LOG.trace("{}: set a timer {}", subtask.name(), again);
  }

  private static String message(@Nullable Throwable failure) {
    return String.valueOf(failure == null ? null : failure.getMessage());
  }

  private void forget(String versionId) {
    if (versionId.equals(candidate)) {
      candidate = null;
    }
    releaseUnneeded();
  }

  /** Lets go of all versions that nothing leads to any more. */
  private void releaseUnneeded() {
    held.removeIf(
        versionId -> {
          boolean needed =
              versionId.equals(candidate) || isNext(versionId) || left.containsKey(versionId);
          if (!needed) {
            steered.release(versionId);
          }
          return !needed;
        });
  }

  private void decided(Activation activation) {
    // What was wanted before is this one, or was given up.
    candidate = null;
    Activation latest = next == null ? active : next;
    if (activation.isAfter(latest)) {
      next = activation;
      moveIfDecidedAtOnce();
      loadIfMissing();
    }
    releaseUnneeded();
    if (next == null || canMoveTo(next.version().id())) {
      report(new Report.Decided(activation.number()));
    }
  }

  private void loadIfMissing() {
    if (next != null && !canMoveTo(next.version().id())) {
      load(next.version(), FIRST_PAUSE);
    }
  }

  private void moveIfDecidedAtOnce() {
    if (next != null && next.checkpoint() == Activation.AT_ONCE) {
      moveTo(next, Activation.AT_ONCE);
    }
  }

  private void seen(KnownVersion version) {
    steered.seen(version);
    if (version.id().equals(active.version().id())) {
      active = active.seenAt(version);
    }
  }

  /**
   * A barrier is here: from it on the version is read that was decided for it.
   *
   * @return what goes into the state
   */
  public byte[] atBarrier(long checkpoint) {
    if (next != null && checkpoint >= next.checkpoint()) {
      moveTo(next, checkpoint);
    }
    return Codec.bytes(active);
  }

  private void moveTo(Activation decided, long checkpoint) {
    String from = active.version().id();
    String to = decided.version().id();
    if (!canMoveTo(to)) {
      // Only where it was decided without this subtask, which loads it now.
      LOG.warn(
          "{}: version {} of dimension '{}' was decided and is not loaded yet; version {} is read until it is",
          subtask.name(),
          to,
          subtask.dimension(),
          from);
      return;
    }
    if (!from.equals(to)) {
      steered.activate(to);
      held.remove(to);
      held.add(from);
      left.put(from, checkpoint);
      LOG.info(
          "{}: dimension '{}' moves from version {} to version {} {}",
          subtask.name(),
          subtask.dimension(),
          from,
          to,
          checkpoint == Activation.AT_ONCE ? "at once" : "with checkpoint " + checkpoint);
    }
    active = decided;
    next = null;
    // Nothing that is left at once, and no second hold of the version that is read from here on.
    releaseLeftUntil(Activation.AT_ONCE);
  }

  /** A checkpoint is complete: no failure leads back behind it. */
  public void checkpointComplete(long checkpoint) {
    releaseLeftUntil(checkpoint);
  }

  private void releaseLeftUntil(long checkpoint) {
    left.values().removeIf(until -> until <= checkpoint);
    releaseUnneeded();
  }

  /** There will be no more records. */
  public void finished() {
    report(new Report.Finished());
  }

  private <T> void whenDone(
      String what, CompletableFuture<T> work, BiConsumer<@Nullable T, @Nullable Throwable> then) {
    CompletableFuture<?> handed =
        work.whenComplete((value, failure) -> inMailbox(what, () -> then.accept(value, failure)));
    LOG.trace("{}: {} goes on: {}", subtask.name(), what, handed);
  }

  private void inMailbox(String what, ThrowingRunnable<Exception> mail) {
    try {
      subtask.mailbox().execute(mail, "Leat " + what + " " + subtask.dimension());
    } catch (RejectedExecutionException e) {
      LOG.debug("{} has ended before its {} had", subtask.name(), what, e);
    }
  }
}
