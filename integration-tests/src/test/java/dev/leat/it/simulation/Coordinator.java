package dev.leat.it.simulation;

import dev.leat.LeatException;
import dev.leat.VersionGone;
import dev.leat.internal.engine.KnownVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * One version for all hosts of a job: looks at the source through one of them, has all prepare what
 * it finds, and switches all at a barrier. Gives the orders that the job's coordinator gives; what
 * it decides is simple, so that what the hosts make of the orders is what is tried.
 */
final class Coordinator {
  private final World world;
  private final Random random;

  /** What has been ordered of each host, until all have answered. */
  private final Map<Host, CompletableFuture<KnownVersion>> ordered = new LinkedHashMap<>();

  private final Map<Integer, KnownVersion> barriers = new HashMap<>();

  /** Versions that are active no more and that a restart might need yet. */
  private final List<String> left = new ArrayList<>();

  private boolean running;
  private boolean ready;
  private @Nullable KnownVersion active;
  private @Nullable KnownVersion restored;
  private @Nullable KnownVersion next;
  private @Nullable CompletableFuture<KnownVersion> look;
  private Instant nextLook = Instant.MIN;

  Coordinator(World world, long seed) {
    this.world = world;
    this.random = new Random(seed);
  }

  /** The version that all subtasks read; empty while the job is not running. */
  Optional<String> active() {
    KnownVersion version = active;
    return running && version != null ? Optional.of(version.id()) : Optional.empty();
  }

  /** Does what there is to do now. */
  void tick(List<Host> hosts, int wanted) {
    if (running) {
      listen(hosts);
    } else if (hosts.size() == wanted) {
      start(hosts);
    }
  }

  // ---- starting ------------------------------------------------------------------------------

  private void start(List<Host> hosts) {
    if (ordered.isEmpty()) {
      KnownVersion last = restored;
      if (last == null) {
        order(hosts.subList(0, 1), host -> host.steered().loadFirst());
      } else {
        order(hosts, host -> host.steered().restore(last, VersionGone.USE_NEWER));
      }
      return;
    }
    Optional<List<KnownVersion>> answers = answers();
    if (answers.isEmpty()) {
      return;
    }
    KnownVersion first = answers.get().get(0);
    if (answers.get().size() < hosts.size()) {
      order(hosts, host -> host.steered().prepare(first));
    } else if (answers.get().stream().anyMatch(each -> !each.id().equals(first.id()))) {
      // The version of the checkpoint is gone, and the hosts have found different newer ones.
      restored = null;
    } else {
      if (restored == null || !first.id().equals(restored.id())) {
        // Nothing promises the same rows: there is no checkpoint yet, or its version is gone.
        world.forgetReplays();
      }
      hosts.forEach(host -> host.steered().activate(first.id()));
      active = first;
      running = true;
      nextLook = Instant.MIN;
      world.say("the job runs with " + first.id());
    }
  }

  private void order(List<Host> hosts, Function<Host, CompletableFuture<KnownVersion>> order) {
    ordered.clear();
    hosts.forEach(host -> ordered.put(host, order.apply(host)));
  }

  /** What all have answered; empty while one has not, or one has failed. */
  private Optional<List<KnownVersion>> answers() {
    List<KnownVersion> answers = new ArrayList<>();
    for (CompletableFuture<KnownVersion> each : ordered.values()) {
      if (!each.isDone()) {
        return Optional.empty();
      }
    }
    for (Map.Entry<Host, CompletableFuture<KnownVersion>> each : ordered.entrySet()) {
      Optional<KnownVersion> answer = answer(each.getValue(), each.getKey() + "'s order");
      if (answer.isEmpty()) {
        ordered.clear();
        KnownVersion given = next;
        if (given != null) {
          world.hosts().forEach(host -> host.steered().release(given.id()));
          next = null;
        }
        return Optional.empty();
      }
      answers.add(answer.get());
    }
    ordered.clear();
    return Optional.of(answers);
  }

  private Optional<KnownVersion> answer(CompletableFuture<KnownVersion> future, String what) {
    try {
      return Optional.of(future.join());
    } catch (CompletionException e) {
      if (e.getCause() instanceof LeatException failure) {
        world.say(what + " fails: " + failure.errorCode().code());
      } else {
        world.find(Finding.Kind.WRONG, what + " fails in an unforeseen way: " + e.getCause());
      }
      return Optional.empty();
    }
  }

  // ---- running -------------------------------------------------------------------------------

  private void listen(List<Host> hosts) {
    KnownVersion current = active;
    CompletableFuture<KnownVersion> looking = look;
    if (looking != null && looking.isDone()) {
      look = null;
      answer(looking, "a look")
          .ifPresent(
              found -> {
                if (current != null && found.id().equals(current.id())) {
                  hosts.forEach(host -> host.steered().seen(found));
                  active = found;
                } else if (next == null) {
                  next = found;
                  order(hosts, host -> host.steered().prepare(found));
                  world.say("all are to prepare " + found.id());
                }
              });
    }
    if (next != null && !ready && !ordered.isEmpty() && answers().isPresent()) {
      ready = true;
      if (world.planted() == Planted.SWITCH_WHEN_PREPARED) {
        KnownVersion early = next;
        hosts.get(0).steered().activate(early.id());
      }
    }
    Instant now = world.clock().instant();
    if (look == null && !now.isBefore(nextLook)) {
      look = hosts.get(random.nextInt(hosts.size())).steered().look();
      nextLook = now.plus(World.INTERVAL);
    }
  }

  /** A barrier passes: what all have prepared becomes active. */
  void barrier(int checkpoint, List<Host> hosts) {
    KnownVersion prepared = next;
    KnownVersion before = active;
    if (ready && prepared != null && before != null) {
      hosts.forEach(host -> host.steered().activate(prepared.id()));
      left.add(before.id());
      active = prepared;
      next = null;
      ready = false;
      world.say("all switch to " + prepared.id());
    }
    KnownVersion now = active;
    if (now != null) {
      barriers.put(checkpoint, now);
    }
  }

  /** A checkpoint is complete: no restart needs what was left before it. */
  void completed(int checkpoint, List<Host> hosts) {
    KnownVersion version = barriers.remove(checkpoint);
    if (version == null) {
      return;
    }
    restored = version;
    KnownVersion current = active;
    for (String id : List.copyOf(left)) {
      if (!id.equals(version.id()) && (current == null || !id.equals(current.id()))) {
        hosts.forEach(host -> host.steered().release(id));
        left.remove(id);
      }
    }
  }

  /** The job has failed and begins again with the version of its latest checkpoint. */
  void fail() {
    running = false;
    ready = false;
    next = null;
    look = null;
    ordered.clear();
    barriers.clear();
  }
}
