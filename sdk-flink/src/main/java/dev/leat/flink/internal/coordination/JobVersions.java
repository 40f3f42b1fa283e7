package dev.leat.flink.internal.coordination;

import dev.leat.internal.engine.KnownVersion;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides which version all subtasks of a join read, and from which barrier on. Has the clock of
 * the refresh and no hands: looking at the source and loading is done by subtasks, at its order.
 *
 * <pre>
 *   begin:    one subtask leads (looks, loads), the others wait for its version
 *   refresh:  tick ─▶ Look ─▶ same version:  Seen to all
 *                         └─▶ other version: Prepare to all ─▶ all prepared ─▶ next checkpoint: Activate
 *                                                       └─▶ one fails: Forget to all
 * </pre>
 *
 * <p>Knows nothing of Flink's runtime. Belongs to whoever holds its lock; the time is given with
 * each call, in milliseconds that go on evenly whatever the clock is set to.
 */
final class JobVersions {
  private static final Logger LOG = LoggerFactory.getLogger(JobVersions.class);
  private static final int NOBODY = -1;

  private final String dimension;
  private final Pace pace;
  private final BiConsumer<Integer, Order> send;
  private boolean checkpointing;
  private Subtask[] subtasks = {};
  private long resumedFrom = PastDecisions.BEFORE_THE_FIRST;

  /** The latest decision. */
  private @Nullable Activation active;

  private final PastDecisions past = new PastDecisions();

  /** A version that the source has and that not all subtasks have yet. */
  private @Nullable Candidate candidate;

  private @Nullable Look look;
  private int leader = NOBODY;
  private long leaderUntil;
  private int nextToLook;
  private final NextLook nextLook;
  private long orders;
  private int failuresInARow;
  private long switches;

  private @Nullable HeldBarrier heldBarrier;

  /** The subtasks that have not said yet that they know of the latest decision. */
  private final Set<Integer> unaware = new HashSet<>();

  /** Checkpoints that were begun and of whose end nothing was heard. */
  private final TreeSet<Long> openCheckpoints = new TreeSet<>();

  private static final class Subtask {
    private int attempt = NOBODY;
    private boolean reachable;
    private boolean began;
    private boolean finished;

    /** The number of the decision that it followed when it began. */
    private long beganWith;

    private @Nullable String prepared;

    /** The checkpoint from which it resumes, as Flink numbers them. */
    private long resumesFrom;

    Subtask(long resumesFrom) {
      this.resumesFrom = resumesFrom;
    }

    /** What is known of an attempt says nothing of another one. */
    void isOf(int newAttempt) {
      if (newAttempt != attempt) {
        attempt = newAttempt;
        reachable = false;
        began = false;
        finished = false;
        prepared = null;
      }
    }

    void gone() {
      isOf(NOBODY);
    }

    boolean listens() {
      return began && reachable && !finished;
    }
  }

  /** A checkpoint whose barriers wait until all subtasks know what they do at them. */
  private record HeldBarrier(long checkpoint, long until, Consumer<Optional<Activation>> release) {}

  private record Candidate(KnownVersion version, long until, boolean ready) {}

  private record Look(long order, int subtask, long until) {}

  /**
   * Begins with nothing.
   *
   * @param send gives an order to a subtask that has begun
   */
  JobVersions(String dimension, Pace pace, BiConsumer<Integer, Order> send) {
    this.dimension = dimension;
    this.pace = pace;
    this.nextLook = pace.looking();
    this.send = send;
  }

  /**
   * Begins anew, after a start or a failure of the whole job.
   *
   * @param checkpoint the number of the checkpoint that it resumes from, or -1
   */
  void reset(long checkpoint, Optional<Activation> restored) {
    // Flink waits for the answer without a limit, and begins no other checkpoint before.
    releaseBarrier();
    active = restored.orElse(null);
    past.reset(checkpoint, restored);
    resumedFrom = checkpoint;
    candidate = null;
    look = null;
    leader = NOBODY;
    // A restored job soon finds out what has happened meanwhile.
    nextLook.atOnce(0);
    openCheckpoints.clear();
    unaware.clear();
    for (Subtask subtask : subtasks) {
      subtask.gone();
      subtask.resumesFrom = checkpoint;
    }
  }

  /** Says how the job runs now. */
  void runs(int parallelism, boolean withCheckpoints) {
    checkpointing = withCheckpoints;
    if (subtasks.length != parallelism) {
      int before = subtasks.length;
      subtasks = Arrays.copyOf(subtasks, parallelism);
      for (int i = before; i < parallelism; i++) {
        subtasks[i] = new Subtask(resumedFrom);
      }
    }
  }

  Optional<Activation> active() {
    return Optional.ofNullable(active);
  }

  int failuresInARow() {
    return failuresInARow;
  }

  /** The version that the subtasks are preparing or wait to move to. */
  Optional<String> nextVersionId() {
    return Optional.ofNullable(candidate).map(next -> next.version().id());
  }

  /** How many subtasks have the next version; 0 if there is none. */
  int subtasksPrepared() {
    return (int) Arrays.stream(subtasks).filter(subtask -> subtask.prepared != null).count();
  }

  /** How many times this coordinator has moved the job to another version. */
  long switches() {
    return switches;
  }

  // ---- subtasks come and go ------------------------------------------------------------------

  Answer answer(Question question, long now) {
    Subtask subtask = subtasks[question.subtask()];
    if (question.attempt() < subtask.attempt) {
      // Of an attempt that has ended meanwhile.
      return new Answer.Wait();
    }
    if (question instanceof Question.Ahead) {
      return ahead(question, subtask, now);
    }
    subtask.isOf(question.attempt());
    if (question instanceof Question.Begin begin) {
      return begin(begin, subtask, now);
    } else if (question instanceof Question.Led led) {
      leader = NOBODY;
      if (active == null) {
        active = new Activation(1, led.version(), Activation.AT_ONCE);
        past.first(active);
        LOG.info("Dimension '{}': the job begins with version {}", dimension, led.version().id());
        nextLook.after(now);
      }
      return beginWith(active);
    } else {
      return replaced((Question.Replaced) question);
    }
  }

  private Answer ahead(Question question, Subtask subtask, long now) {
    if (subtask.attempt == question.attempt() && subtask.began) {
      // It has loaded it by itself.
      return new Answer.Wait();
    }
    Activation decided = active;
    return decided == null
        ? lead(question.subtask(), now)
        : beginWith(past.at(subtask.resumesFrom).orElse(decided));
  }

  private Answer beginWith(Activation decision) {
    return new Answer.Begin(decision, Optional.empty(), past.promised());
  }

  private Answer lead(int subtask, long now) {
    if (leader == NOBODY || leader == subtask || now >= leaderUntil) {
      leader = subtask;
      leaderUntil = now + pace.patience();
      return new Answer.Lead();
    }
    return new Answer.Wait();
  }

  private Answer begin(Question.Begin begin, Subtask subtask, long now) {
    Activation restored = begin.restored();
    if (restored != null) {
      if (active == null || restored.isAfter(active)) {
        active = restored;
      }
      past.restored(subtask.resumesFrom, restored);
    }
    Activation decided = active;
    if (decided == null) {
      return lead(begin.subtask(), now);
    }
    Activation first = past.at(subtask.resumesFrom).orElse(decided);
    if (!decided.isAfter(first) || decided.checkpoint() == Activation.AT_ONCE) {
      return beginWith(decided);
    }
    return new Answer.Begin(first, Optional.of(decided), past.promised());
  }

  private Answer replaced(Question.Replaced replaced) {
    Activation decided = active;
    if (decided == null || decided.version().id().equals(replaced.gone().version().id())) {
      long number = (decided == null ? replaced.gone() : decided).number() + 1;
      decided = new Activation(number, replaced.version(), Activation.AT_ONCE);
      active = decided;
      past.replace(replaced.gone().version().id(), decided);
      LOG.warn(
          "Dimension '{}': version {} is gone; all subtasks move to version {}, as the policy allows",
          dimension,
          replaced.gone().version().id(),
          replaced.version().id());
      giveUpCandidate();
      for (int i = 0; i < subtasks.length; i++) {
        if (subtasks[i].listens()) {
          send.accept(i, new Order.Prepare(decided.version()));
          send.accept(i, new Order.Activate(decided));
        }
      }
    }
    return beginWith(decided);
  }

  /** Takes a report; one of an earlier attempt is not heard. */
  void report(int subtask, int attempt, Report report, long now) {
    Subtask from = subtasks[subtask];
    if (attempt != from.attempt) {
      return;
    }
    if (report instanceof Report.Began began) {
      began(subtask, from, began);
    } else if (report instanceof Report.Looked looked) {
      looked(looked, now);
    } else if (report instanceof Report.LookFailed failed) {
      if (look != null && look.order() == failed.order()) {
        lookFailed(failed.message(), now);
      }
    } else if (report instanceof Report.Prepared prepared) {
      if (candidate != null && candidate.version().id().equals(prepared.versionId())) {
        from.prepared = prepared.versionId();
        activateIfReady(now);
      }
    } else if (report instanceof Report.PrepareFailed failed) {
      if (candidate != null && candidate.version().id().equals(failed.versionId())) {
        candidateFailed("subtask " + subtask + " cannot load it: " + failed.message(), now);
      }
    } else if (report instanceof Report.Decided decided) {
      if (active != null && active.number() == decided.activation()) {
        isAware(subtask);
      }
    } else if (report instanceof Report.Finished) {
      from.finished = true;
      isAware(subtask);
      lookLost(subtask, now);
      activateIfReady(now);
    }
  }

  private void began(int number, Subtask subtask, Report.Began began) {
    subtask.began = true;
    subtask.finished = false;
    subtask.beganWith = began.activation();
    catchUp(number, subtask);
  }

  /** Orders can be sent to a subtask from here on. */
  void reachable(int subtask, int attempt) {
    subtasks[subtask].isOf(attempt);
    subtasks[subtask].reachable = true;
    catchUp(subtask, subtasks[subtask]);
  }

  /** Repeats what was ordered while a subtask was not there. */
  private void catchUp(int number, Subtask subtask) {
    Activation decided = active;
    if (decided == null || !subtask.listens()) {
      return;
    }
    if (subtask.beganWith < decided.number()) {
      send.accept(number, new Order.Prepare(decided.version()));
      send.accept(number, new Order.Activate(decided));
      unaware.add(number);
    }
    if (candidate != null) {
      send.accept(number, new Order.Prepare(candidate.version()));
    }
    send.accept(number, new Order.Seen(decided.version()));
  }

  /** A subtask has failed. */
  void gone(int subtask, long now) {
    if (subtask >= subtasks.length) {
      return;
    }
    subtasks[subtask].gone();
    if (leader == subtask) {
      leader = NOBODY;
    }
    if (candidate != null && candidate.ready()) {
      candidate = new Candidate(candidate.version(), now + pace.patience(), false);
    }
    isAware(subtask);
    lookLost(subtask, now);
  }

  /**
   * A subtask is about to be started again, and not the whole job.
   *
   * @param checkpoint the number of the checkpoint that it resumes from, or -1
   */
  void restarts(int subtask, long checkpoint, long now) {
    gone(subtask, now);
    if (subtask < subtasks.length) {
      subtasks[subtask].resumesFrom = checkpoint;
    }
  }

  private void lookLost(int subtask, long now) {
    if (look != null && look.subtask() == subtask) {
      // Not a failure of the source: another one looks at once.
      look = null;
      nextLook.atOnce(now);
    }
  }

  // ---- the refresh ---------------------------------------------------------------------------

  /** Does what is due. */
  void tick(long now) {
    if (look != null && now >= look.until()) {
      lookFailed("subtask " + look.subtask() + " does not answer", now);
    }
    if (candidate != null && !candidate.ready() && now >= candidate.until()) {
      candidateFailed("not all subtasks could load it in time", now);
    }
    if (heldBarrier != null && now >= heldBarrier.until()) {
      LOG.warn(
          "Dimension '{}': subtasks {} do not say that they know of the switch at checkpoint {};"
              + " they may follow it one checkpoint later",
          dimension,
          unaware,
          heldBarrier.checkpoint());
      releaseBarrier();
    }
    if (mayLook() && nextLook.isDue(now)) {
      OptionalLong subtask = whoLooks();
      if (subtask.isPresent()) {
        look = new Look(++orders, (int) subtask.getAsLong(), now + pace.lookPatience());
        send.accept(look.subtask(), new Order.Look(look.order()));
      }
    }
  }

  private boolean mayLook() {
    return active != null
        && look == null
        && pace.looks()
        && (candidate == null || candidate.ready());
  }

  private OptionalLong whoLooks() {
    for (int i = 0; i < subtasks.length; i++) {
      int subtask = (nextToLook + i) % subtasks.length;
      if (subtasks[subtask].listens()) {
        nextToLook = subtask;
        return OptionalLong.of(subtask);
      }
    }
    return OptionalLong.empty();
  }

  /** When {@link #tick} is due; empty if it waits for something else. */
  OptionalLong nextTick() {
    long next = Long.MAX_VALUE;
    if (heldBarrier != null) {
      next = Math.min(next, heldBarrier.until());
    }
    if (look != null) {
      next = Math.min(next, look.until());
    }
    if (candidate != null && !candidate.ready()) {
      next = Math.min(next, candidate.until());
    }
    if (mayLook() && whoLooks().isPresent()) {
      next = Math.min(next, nextLook.due());
    }
    return next == Long.MAX_VALUE ? OptionalLong.empty() : OptionalLong.of(next);
  }

  private void looked(Report.Looked looked, long now) {
    Activation decided = active;
    if (look == null || look.order() != looked.order() || decided == null) {
      return;
    }
    look = null;
    failuresInARow = 0;
    nextLook.after(now);
    KnownVersion found = looked.version();
    if (found.id().equals(decided.version().id())) {
      giveUpCandidate();
      active = decided.seenAt(found);
      toAll(new Order.Seen(found));
    } else if (candidate == null || !candidate.version().id().equals(found.id())) {
      giveUpCandidate();
      candidate = new Candidate(found, now + pace.patience(), false);
      toAll(new Order.Prepare(found));
    } else {
      candidate = new Candidate(found, candidate.until(), candidate.ready());
    }
  }

  private void lookFailed(String message, long now) {
    look = null;
    failuresInARow++;
    // Perhaps it is not the source but the one who looked.
    nextToLook++;
    nextLook.after(now);
    LOG.warn(
        "Dimension '{}': the look at the source failed {} times in a row, version {} goes on: {}",
        dimension,
        failuresInARow,
        active == null ? "none" : active.version().id(),
        message);
  }

  private void candidateFailed(String reason, long now) {
    Candidate failed = candidate;
    giveUpCandidate();
    failuresInARow++;
    nextToLook++;
    nextLook.after(now);
    LOG.warn(
        "Dimension '{}': version {} is given up, version {} goes on in all subtasks: {}",
        dimension,
        failed == null ? "none" : failed.version().id(),
        active == null ? "none" : active.version().id(),
        reason);
  }

  private void giveUpCandidate() {
    Candidate given = candidate;
    candidate = null;
    for (Subtask subtask : subtasks) {
      subtask.prepared = null;
    }
    if (given != null) {
      toAll(new Order.Forget(given.version().id()));
    }
  }

  private void toAll(Order order) {
    for (int i = 0; i < subtasks.length; i++) {
      if (subtasks[i].listens()) {
        send.accept(i, order);
      }
    }
  }

  // ---- the switch ----------------------------------------------------------------------------

  private void activateIfReady(long now) {
    Candidate next = candidate;
    if (next == null || !allPrepared(next)) {
      return;
    }
    if (checkpointing) {
      candidate = new Candidate(next.version(), next.until(), true);
    } else {
      activate(next, Activation.AT_ONCE, now);
    }
  }

  private boolean allPrepared(Candidate next) {
    boolean any = false;
    for (Subtask subtask : subtasks) {
      if (!subtask.finished) {
        if (!subtask.began || !next.version().id().equals(subtask.prepared)) {
          return false;
        }
        any = true;
      }
    }
    return any;
  }

  private void activate(Candidate next, long checkpoint, long now) {
    Activation before = active;
    Activation decided =
        new Activation(before == null ? 1 : before.number() + 1, next.version(), checkpoint);
    active = decided;
    switches++;
    candidate = null;
    for (Subtask subtask : subtasks) {
      subtask.prepared = null;
    }
    toAll(new Order.Activate(decided));
    LOG.info(
        "Dimension '{}': all {} subtasks move from version {} to version {} {}",
        dimension,
        subtasks.length,
        before == null ? "none" : before.version().id(),
        decided.version().id(),
        checkpoint == Activation.AT_ONCE ? "at once" : "with checkpoint " + checkpoint);
    nextLook.after(now);
  }

  /**
   * A checkpoint begins: a version that all have prepared is to be read from its barrier on. The
   * barrier has to wait until all know that: an unaligned one overtakes what stands in a task's
   * mailbox.
   *
   * @param release lets the barriers go, and takes what the state of the coordinator is in this
   *     checkpoint; called at once where nothing is to be waited for
   */
  void checkpoint(long id, long now, Consumer<Optional<Activation>> release) {
    releaseBarrier();
    Candidate next = candidate;
    // With an older checkpoint under way, an order could come to a subtask behind this barrier.
    if (next != null && next.ready() && allPrepared(next) && openCheckpoints.isEmpty()) {
      for (int i = 0; i < subtasks.length; i++) {
        if (subtasks[i].listens()) {
          unaware.add(i);
        }
      }
      activate(next, id, now);
    }
    openCheckpoints.add(id);
    while (openCheckpoints.size() > pace.checkpointsRemembered()) {
      openCheckpoints.pollFirst();
    }
    heldBarrier = new HeldBarrier(id, now + pace.barrierPatience(), release);
    if (unaware.isEmpty()) {
      releaseBarrier();
    }
  }

  private void isAware(int subtask) {
    if (unaware.remove(subtask) && unaware.isEmpty()) {
      releaseBarrier();
    }
  }

  private void releaseBarrier() {
    HeldBarrier held = heldBarrier;
    heldBarrier = null;
    if (held != null) {
      if (active != null) {
        past.at(held.checkpoint(), active);
      }
      held.release().accept(Optional.ofNullable(active));
    }
  }

  void checkpointCompleted(long id) {
    openCheckpoints.headSet(id, true).clear();
    past.completed(id);
  }

  void checkpointAborted(long id) {
    openCheckpoints.remove(id);
    if (heldBarrier != null && heldBarrier.checkpoint() == id) {
      releaseBarrier();
    }
  }

  /** The job ends: nothing is waited for any more. */
  void end() {
    releaseBarrier();
  }
}
