package dev.leat.flink.internal.coordination;

import dev.leat.LeatException;
import dev.leat.VersionGone;
import dev.leat.internal.engine.KnownVersion;
import dev.leat.internal.engine.SteeredDimension;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.jobgraph.tasks.TaskOperatorEventGateway;
import org.apache.flink.util.FlinkRuntimeException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How a subtask comes to its first version: asks the coordinator, loads what it is told, and waits
 * for it. Runs on the task's thread while the operator is opened; this is the only wait.
 */
public final class Opening {
  private static final Logger LOG = LoggerFactory.getLogger(Opening.class);
  private static final long FIRST_PAUSE_MILLIS = 20;
  private static final long LONGEST_PAUSE_MILLIS = 500;

  private final CoordinatorChannel channel;
  private final int subtask;
  private final int attempt;

  /**
   * The opening of one subtask.
   *
   * @param attempt the number of the execution attempt
   */
  public Opening(TaskOperatorEventGateway gateway, OperatorID operator, int subtask, int attempt) {
    this.channel = new CoordinatorChannel(gateway, operator);
    this.subtask = subtask;
    this.attempt = attempt;
  }

  /**
   * Begins to load what will be the first version, without waiting for it. The join may have been
   * opened before, and then there is nothing to load.
   *
   * @param steer gives the handle that loads it, which the caller closes
   * @return the handle, if there is something to load
   */
  public <S extends SteeredDimension<?, ?>> Optional<S> beginLoad(Supplier<S> steer)
      throws InterruptedException {
    Optional<Answer> answer = channel.ask(new Question.Ahead(subtask, attempt));
    if (answer.isEmpty() || answer.get() instanceof Answer.Wait) {
      return Optional.empty();
    }
    S steered = steer.get();
    CompletableFuture<KnownVersion> loading =
        answer.get() instanceof Answer.Begin begin
            ? steered.prepare(begin.first().version())
            : steered.loadFirst();
    LOG.debug("Subtask {} begins to load ahead: {}", subtask, loading);
    return Optional.of(steered);
  }

  /** Whether a coordinator answers. */
  public boolean isCoordinated() throws InterruptedException {
    return channel.ask(new Question.Ahead(subtask, attempt)).isPresent();
  }

  /**
   * Waits for the first version.
   *
   * @param restored what the state says, in bytes; null for a subtask without state
   * @throws LeatException as the loading fails, {@code VERSION_GONE} among others
   */
  public SubtaskVersion open(
      SubtaskContext context,
      byte @Nullable [] restored,
      VersionGone policy,
      SteeredDimension<?, ?> steered,
      Clock clock)
      throws InterruptedException {
    Activation state = restored == null ? null : Codec.activation(restored);
    Answer.Begin begin = load(askUntilThereIsAVersion(state, steered), policy, steered);
    SubtaskVersion version = new SubtaskVersion(context, steered, begin.first());
    if (begin.promised()) {
      // The version of a checkpoint is right whatever the source has, until the first look says
      // more: the time for which the job stood still is not held against it.
      steered.seen(begin.first().version().seenAt(clock.instant()));
    }
    begin.next().ifPresent(version::alsoHolds);
    version.began();
    return version;
  }

  private Answer.Begin askUntilThereIsAVersion(
      @Nullable Activation state, SteeredDimension<?, ?> steered) throws InterruptedException {
    long pause = FIRST_PAUSE_MILLIS;
    while (true) {
      Answer answer = ask(new Question.Begin(subtask, attempt, state));
      if (answer instanceof Answer.Lead) {
        answer = ask(new Question.Led(subtask, attempt, await(steered.loadFirst())));
      }
      if (answer instanceof Answer.Begin begin) {
        return begin;
      }
      pause(pause);
      pause = Math.min(2 * pause, LONGEST_PAUSE_MILLIS);
    }
  }

  /** Loads what it is told, and asks anew where a version is gone and the policy allows another. */
  private Answer.Begin load(Answer.Begin told, VersionGone policy, SteeredDimension<?, ?> steered)
      throws InterruptedException {
    Answer.Begin begin = told;
    while (true) {
      Optional<Answer.Begin> other = loadOrReplace(begin.first(), begin, policy, steered);
      if (other.isEmpty() && begin.next().isPresent()) {
        other = loadOrReplace(begin.next().get(), begin, policy, steered);
      }
      if (other.isEmpty()) {
        return begin;
      }
      begin = other.get();
    }
  }

  private Optional<Answer.Begin> loadOrReplace(
      Activation wanted, Answer.Begin begin, VersionGone policy, SteeredDimension<?, ?> steered)
      throws InterruptedException {
    KnownVersion loaded =
        await(steered.restore(wanted.version(), begin.promised() ? policy : VersionGone.USE_NEWER));
    if (loaded.id().equals(wanted.version().id())) {
      return Optional.empty();
    }
    Answer answer = ask(new Question.Replaced(subtask, attempt, wanted, loaded));
    if (!(answer instanceof Answer.Begin other)) {
      throw new FlinkRuntimeException("the attempt has ended: the coordinator answers " + answer);
    }
    for (String held : List.of(begin.first().version().id(), loaded.id())) {
      if (!held.equals(other.first().version().id())) {
        steered.release(held);
      }
    }
    return Optional.of(other);
  }

  private Answer ask(Question question) throws InterruptedException {
    return channel
        .ask(question)
        .orElseThrow(() -> new FlinkRuntimeException("the coordinator has gone"));
  }

  private static void pause(long millis) throws InterruptedException {
    boolean never = new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS);
    if (never) {
      throw new IllegalStateException("a latch that nobody knows was opened");
    }
  }

  private static KnownVersion await(CompletableFuture<KnownVersion> work)
      throws InterruptedException {
    try {
      return work.get();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof LeatException error) {
        // A new one for this thread, since a stack trace belongs to one.
        String message = String.valueOf(error.getMessage());
        String prefix = error.errorCode().code() + ": ";
        throw new LeatException(
            error.errorCode(),
            message.startsWith(prefix) ? message.substring(prefix.length()) : message,
            error);
      }
      throw new FlinkRuntimeException("the first version cannot be loaded", e.getCause());
    }
  }
}
