package dev.leat.flink.internal.coordination;

import dev.leat.internal.engine.KnownVersion;
import dev.leat.internal.engine.SteeredDimension;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;
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

  private final String subtask;
  private final String dimension;
  private final SteeredDimension<?, ?> steered;
  private final OperatorEventGateway coordinator;
  private final MailboxExecutor mailbox;

  /** Wanted, and not loaded yet. */
  private final Set<String> preparing = new HashSet<>();

  /** Loaded and held, beside the active one. */
  private final Set<String> prepared = new HashSet<>();

  /** Versions that were read until a checkpoint, by id. */
  private final Map<String, Long> left = new HashMap<>();

  private Activation active;

  /** Decided, and not yet read. */
  private @Nullable Activation next;

  /** Begins to read the first version, which is held. */
  SubtaskVersion(
      String subtask,
      String dimension,
      SteeredDimension<?, ?> steered,
      OperatorEventGateway coordinator,
      MailboxExecutor mailbox,
      Activation first) {
    this.subtask = subtask;
    this.dimension = dimension;
    this.steered = steered;
    this.coordinator = coordinator;
    this.mailbox = mailbox;
    this.active = first;
    steered.activate(first.version().id());
  }

  /** Is told of a version that is held, and to which the subtask moves at the next barrier. */
  void alsoHolds(Activation decided) {
    prepared.add(decided.version().id());
    next = decided;
  }

  /** Tells the coordinator that the subtask reads from here on. */
  void began() {
    coordinator.sendEventToCoordinator(new Report.Began(active.number()));
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

  private void look(long order) {
    whenDone(
        "look",
        steered.look(),
        (found, failure) ->
            coordinator.sendEventToCoordinator(
                found != null
                    ? new Report.Looked(order, found)
                    : new Report.LookFailed(order, message(failure))));
  }

  private void prepare(KnownVersion version) {
    if (version.id().equals(active.version().id())) {
      coordinator.sendEventToCoordinator(new Report.Prepared(version.id()));
      return;
    }
    preparing.add(version.id());
    whenDone(
        "prepare",
        steered.prepare(version),
        (loaded, failure) -> {
          boolean wanted = preparing.remove(version.id());
          if (loaded == null) {
            coordinator.sendEventToCoordinator(
                new Report.PrepareFailed(version.id(), message(failure)));
            if (next != null && next.version().id().equals(version.id())) {
              // All others read it or are about to: there is no way back.
              prepare(version);
            }
          } else if (wanted) {
            isPrepared(loaded.id());
          } else {
            // Forgotten while it was being loaded.
            letGo(loaded.id());
          }
        });
  }

  private void isPrepared(String versionId) {
    if (versionId.equals(active.version().id())) {
      // It became the one that is read while it was loaded once more.
      steered.release(versionId);
    } else {
      prepared.add(versionId);
      left.remove(versionId);
    }
    coordinator.sendEventToCoordinator(new Report.Prepared(versionId));
    if (next != null && next.version().id().equals(versionId)) {
      coordinator.sendEventToCoordinator(new Report.Decided(next.number()));
    }
    moveIfDecidedAtOnce();
  }

  private static String message(@Nullable Throwable failure) {
    return String.valueOf(failure == null ? null : failure.getMessage());
  }

  private void forget(String versionId) {
    boolean decided = next != null && next.version().id().equals(versionId);
    if (!decided) {
      preparing.remove(versionId);
      if (prepared.remove(versionId)) {
        letGo(versionId);
      }
    }
  }

  private void letGo(String versionId) {
    boolean needed =
        versionId.equals(active.version().id())
            || prepared.contains(versionId)
            || left.containsKey(versionId);
    if (!needed) {
      steered.release(versionId);
    }
  }

  private void decided(Activation activation) {
    Activation latest = next == null ? active : next;
    if (activation.isAfter(latest)) {
      next = activation;
      moveIfDecidedAtOnce();
    }
    if (next == null || prepared.contains(next.version().id())) {
      coordinator.sendEventToCoordinator(new Report.Decided(activation.number()));
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
    if (!from.equals(to)) {
      if (!prepared.remove(to)) {
        // Only where it was decided without this subtask, which loads it now.
        LOG.warn(
            "{}: version {} of dimension '{}' was decided and is not loaded yet; version {} is read until it is",
            subtask,
            to,
            dimension,
            from);
        return;
      }
      steered.activate(to);
      left.put(from, checkpoint);
      LOG.info(
          "{}: dimension '{}' moves from version {} to version {} {}",
          subtask,
          dimension,
          from,
          to,
          checkpoint == Activation.AT_ONCE ? "at once" : "with checkpoint " + checkpoint);
    }
    active = decided;
    next = null;
    if (checkpoint == Activation.AT_ONCE) {
      releaseLeftUntil(Activation.AT_ONCE);
    }
  }

  /** A checkpoint is complete: no failure leads back behind it. */
  public void checkpointComplete(long checkpoint) {
    releaseLeftUntil(checkpoint);
  }

  private void releaseLeftUntil(long checkpoint) {
    left.entrySet()
        .removeIf(
            entry -> {
              if (entry.getValue() > checkpoint) {
                return false;
              }
              if (!entry.getKey().equals(active.version().id())) {
                steered.release(entry.getKey());
              }
              return true;
            });
  }

  /** There will be no more records. */
  public void finished() {
    coordinator.sendEventToCoordinator(new Report.Finished());
  }

  private <T> void whenDone(
      String what, CompletableFuture<T> work, BiConsumer<@Nullable T, @Nullable Throwable> then) {
    CompletableFuture<?> handed =
        work.whenComplete((value, failure) -> inMailbox(what, () -> then.accept(value, failure)));
    LOG.trace("{}: {} goes on: {}", subtask, what, handed);
  }

  private void inMailbox(String what, ThrowingRunnable<Exception> mail) {
    try {
      mailbox.execute(mail, "Leat " + what + " " + dimension);
    } catch (RejectedExecutionException e) {
      LOG.debug("{} has ended before its {} had", subtask, what, e);
    }
  }
}
