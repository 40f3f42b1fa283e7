package dev.leat.it.simulation;

import dev.leat.LeatException;
import dev.leat.Staleness;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.testkit.InMemoryAlluxio;
import dev.leat.testkit.InMemoryS3;
import dev.leat.testkit.ManualClock;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * One run: the table in S3 behind Alluxio, some hosts, the job over them, and what befalls them.
 * Belongs to one thread, which lets those of the hosts go on one at a time.
 */
final class World implements AutoCloseable {
  static final Duration INTERVAL = Duration.ofMinutes(10);
  static final Duration LIMIT = Duration.ofMinutes(25);

  private final long seed;
  private final Planted planted;
  private final Random random;
  private final Path directory;
  private final ManualClock clock = ManualClock.at(Instant.parse("2026-01-01T00:00:00Z"));
  private final InMemoryS3 s3;
  private final InMemoryAlluxio alluxio;
  private final Table table;
  private final Weather sourceWeather = new Weather();
  private final Weather tierWeather = new Weather();
  private final Trace trace = new Trace();
  private final List<Finding> findings = new ArrayList<>();
  private final Set<Thread> threadsOfHosts = new HashSet<>();
  private final @Nullable Host[] hosts;

  /** Where files were damaged while no host was there. */
  private final Set<Path> damagedDisks = new HashSet<>();

  private final boolean limited;
  private final boolean shared;
  private final Job job;
  private final @Nullable Coordinator coordinator;

  /** What events were joined with since a barrier, to compare when they are read again. */
  private final Map<List<Integer>, Job.Output> joined = new HashMap<>();

  private int barrier;
  private int step;

  World(long seed, Planted planted, Path directory) {
    this.seed = seed;
    this.planted = planted;
    this.directory = directory;
    this.random = new Random(seed);
    this.s3 = InMemoryS3.create("lake-" + seed, clock);
    this.alluxio = InMemoryAlluxio.over(s3, clock);
    this.table = new Table(s3, clock, new Random(seed + 1));
    this.hosts = new Host[2 + random.nextInt(2)];
    this.limited = random.nextInt(4) != 0;
    this.shared = random.nextInt(4) == 0;
    this.job = new Job(seed, hosts.length, planted);
    this.coordinator = seed % 3 == 0 ? new Coordinator(this, seed + 2) : null;
  }

  ManualClock clock() {
    return clock;
  }

  InMemoryS3 s3() {
    return s3;
  }

  InMemoryAlluxio alluxio() {
    return alluxio;
  }

  Table table() {
    return table;
  }

  Weather sourceWeather() {
    return sourceWeather;
  }

  Weather tierWeather() {
    return tierWeather;
  }

  Trace trace() {
    return trace;
  }

  Planted planted() {
    return planted;
  }

  /** The threads of services that have been seen. */
  Set<Thread> threadsOfHosts() {
    return threadsOfHosts;
  }

  void find(Finding.Kind kind, String what) {
    synchronized (findings) {
      findings.add(new Finding(kind, step, what));
    }
  }

  /** Runs all steps, heals everything, and says what was found. */
  Outcome run(int steps) {
    try {
      for (int i = 0; i < hosts.length; i++) {
        start(i);
      }
      for (step = 1; step <= steps; step++) {
        act(random.nextInt(100));
        coordinate();
      }
      end();
    } catch (Exception e) {
      StringWriter text = new StringWriter();
      e.printStackTrace(new PrintWriter(text));
      find(Finding.Kind.WRONG, "the run cannot go on: " + text);
    }
    return new Outcome(seed, List.copyOf(findings), trace.lines(), trace.hash());
  }

  // ---- steps ---------------------------------------------------------------------------------

  private void act(int what) throws Exception {
    if (what < 55) {
      letHostsWork();
    } else if (what < 65) {
      passTime();
    } else if (what < 73) {
      say("the writer " + table.write());
    } else if (what < 79) {
      changeWeather();
    } else if (what < 91) {
      process(random.nextInt(hosts.length), 1 + random.nextInt(4));
    } else if (what < 95) {
      checkpoint();
    } else if (what < 98) {
      startOrEnd(random.nextInt(hosts.length));
    } else {
      damage(random.nextInt(hosts.length));
    }
  }

  void say(String what) {
    trace.add(step + " " + clock.instant() + " " + what);
  }

  /** The hosts that are up. */
  List<Host> hosts() {
    List<Host> up = new ArrayList<>();
    for (Host host : hosts) {
      if (host != null) {
        up.add(host);
      }
    }
    return up;
  }

  /** Lets the job's coordinator decide, where there is one. */
  private void coordinate() {
    if (coordinator != null) {
      coordinator.tick(hosts(), hosts.length);
    }
  }

  private void failJob() {
    job.fail();
    barrier = job.restoredCheckpoint();
    if (coordinator != null) {
      hosts().forEach(Host::closeReader);
      coordinator.fail();
    }
  }

  /** The version of the checkpoint is gone, and another takes its place. */
  void forgetReplays() {
    joined.clear();
  }

  private void letHostsWork() {
    for (int i = 1 + random.nextInt(25); i > 0; i--) {
      List<Host> runnable = runnable();
      if (runnable.isEmpty()) {
        return;
      }
      step(runnable.get(random.nextInt(runnable.size())));
    }
  }

  private List<Host> runnable() {
    List<Host> runnable = new ArrayList<>();
    for (Host host : hosts) {
      if (host != null && host.runnable()) {
        runnable.add(host);
      }
    }
    return runnable;
  }

  /** Lets all hosts go on until none has anything to do; one may wait for another. */
  void settle() {
    coordinate();
    for (int rounds = 0; !runnable().isEmpty(); rounds++) {
      if (rounds > 5000) {
        throw new IllegalStateException("the hosts do not come to rest: " + runnable());
      }
      for (Host host : runnable()) {
        step(host);
      }
      coordinate();
    }
  }

  private void step(Host host) {
    host.step();
    reap();
  }

  /** A service whose first version could not be loaded has ended: its job fails. */
  private void reap() {
    for (int i = 0; i < hosts.length; i++) {
      Host host = hosts[i];
      if (host != null && host.ended()) {
        say(host + " has ended: " + host.failure().orElse("for no reason"));
        host.stop();
        hosts[i] = null;
        failJob();
      }
    }
  }

  private void passTime() {
    Duration by =
        switch (random.nextInt(4)) {
          case 0 -> Duration.ofMillis(1 + random.nextInt(30_000));
          case 1 -> Duration.ofSeconds(60L + random.nextInt(600));
          default -> INTERVAL;
        };
    clock.advance(by);
    say("time passes: " + by);
  }

  private void changeWeather() {
    switch (random.nextInt(8)) {
      case 0, 1 -> say("s3: " + sourceWeather.change(random, false));
      case 2, 3 -> say("alluxio: " + tierWeather.change(random, false));
      case 4 -> {
        alluxio.startMaster();
        alluxio.startWorker();
        alluxio.drain();
        alluxio.restoreBlocks();
        int how = random.nextInt(6);
        switch (how) {
          case 0 -> alluxio.stopMaster();
          case 1 -> alluxio.stopWorker();
          case 2 -> alluxio.fill();
          case 3 -> alluxio.truncateBlocksAt(random.nextInt(400));
          case 4 -> alluxio.free("/");
          default -> {}
        }
        say("alluxio is in state " + how);
      }
      case 5 -> {
        if (random.nextBoolean()) {
          alluxio.ignoreSyncs();
          say("alluxio ignores syncs");
        } else {
          alluxio.heedSyncs();
          say("alluxio heeds syncs");
        }
      }
      case 6 -> {
        if (random.nextBoolean()) {
          table.freeze();
          say("listings are old");
        } else {
          table.thaw();
          say("listings are up to date");
        }
      }
      default -> {
        Host host = hosts[random.nextInt(hosts.length)];
        Duration by = Duration.ofSeconds(random.nextInt(600));
        if (host != null) {
          host.clock().jump(by);
          say(host + "'s clock jumps by " + by);
        }
      }
    }
  }

  private void checkpoint() {
    if (random.nextInt(3) > 0) {
      complete();
    } else {
      trigger();
    }
  }

  private void trigger() {
    if (coordinator != null && coordinator.active().isEmpty()) {
      return;
    }
    int number = job.trigger();
    barrier = number;
    say("checkpoint " + number + " begins: " + job);
    if (coordinator != null) {
      coordinator.barrier(number, hosts());
    }
  }

  private boolean complete() {
    int number = job.complete();
    if (number == 0) {
      return false;
    }
    say("checkpoint " + number + " completes: " + job);
    if (coordinator != null) {
      coordinator.completed(number, hosts());
    }
    return true;
  }

  private void startOrEnd(int i) {
    Host host = hosts[i];
    if (host == null) {
      if (!shared && random.nextInt(4) == 0) {
        say(
            "the disk of host "
                + i
                + ": "
                + new Leftovers(disk(i).resolve("customers")).damage(random));
        damagedDisks.add(disk(i));
      }
      start(i);
    } else if (random.nextInt(3) == 0) {
      say(host + " is stopped");
      host.stop();
      hosts[i] = null;
      failJob();
    } else {
      say(host + " is killed");
      host.kill();
      hosts[i] = null;
      failJob();
    }
  }

  private Path disk(int i) {
    return directory.resolve("host-" + (shared ? 0 : i));
  }

  private void start(int i) {
    Duration ahead = Duration.ofSeconds(random.nextInt(30));
    Host host =
        new Host(
            "host-" + i,
            this,
            disk(i),
            random.nextLong(),
            ahead,
            limited ? Staleness.failAfter(LIMIT) : Staleness.serveForever(),
            damagedDisks.contains(disk(i)),
            coordinator == null ? Host.Following.THE_SOURCE : Host.Following.ORDERS);
    hosts[i] = host;
    say(host + " starts");
    host.takeNotes();
    reap();
  }

  private void damage(int i) {
    Host host = hosts[i];
    if (random.nextBoolean()) {
      say("alluxio: " + tierWeather.change(random, true));
    } else if (host != null && !shared && host.damageServed(random)) {
      say(host + ": a bit of the index that it serves flips");
    }
  }

  // ---- the job -------------------------------------------------------------------------------

  /** A subtask takes some events. */
  private void process(int i, int events) throws Exception {
    Host host = hosts[i];
    if (host == null || (coordinator == null ? !host.serves() : coordinator.active().isEmpty())) {
      return;
    }
    try {
      for (int n = 0; n < events; n++) {
        int event = job.next(i);
        int restarts = job.restarts();
        String key = job.key(i, event);
        Job.Output output = host.withReader(() -> join(host, event, key));
        check(host, output);
        if (restarts != job.restarts()) {
          // Another subtask failed while this one waited: it reads again what it had read.
          return;
        }
        if (coordinator != null) {
          checkCoordinated(coordinator, i, output);
        }
        job.put(i, output);
        say(
            host
                + " joins "
                + event
                + " "
                + key
                + " with "
                + output.row()
                + " of "
                + output.version());
      }
    } catch (LeatException e) {
      say(host + " fails: " + e.errorCode().code());
      host.closeReader();
      failJob();
    } finally {
      host.takeNotes();
      reap();
    }
  }

  private Job.Output join(Host host, int event, String key) {
    DimensionReader<String, Row> reader = host.reader();
    reader.advance();
    Row row = reader.find(key);
    if (row != null && !row.id().equals(key)) {
      find(Finding.Kind.WRONG, host + " found " + row + " under " + key);
    }
    return new Job.Output(event, key, reader.version().id(), row == null ? null : row.value());
  }

  private void check(Host host, Job.Output output) {
    String id = output.version();
    Optional<Table.State> state = table.stateOf(id);
    if (state.isEmpty()) {
      find(
          Finding.Kind.WRONG,
          host + " reads " + id + ", which the table never was, and finds " + output.row());
      return;
    }
    Optional<Instant> shown = table.lastShown(state.get());
    boolean announced =
        coordinator == null ? host.hasAnnounced(id) : coordinator.active().equals(Optional.of(id));
    if (!announced || shown.isEmpty()) {
      find(Finding.Kind.WRONG, host + " reads " + id + ", which nobody announced");
      return;
    }
    String right = table.rows(state.get()).get(output.key());
    if (!java.util.Objects.equals(right, output.row())) {
      String row = output.row();
      find(
          Finding.Kind.WRONG,
          host
              + " finds "
              + row
              + " for "
              + output.key()
              + " in "
              + id
              + " (state "
              + state.get().number()
              + "), which has "
              + right
              + (row == null || table.wasEverWritten(output.key(), row)
                  ? ""
                  : "; no version ever had that row"));
    }
    if (limited && shown.get().plus(LIMIT).isBefore(clock.instant())) {
      find(
          Finding.Kind.STALE,
          host + " reads " + id + " without an alarm, which was last current at " + shown.get());
    }
  }

  /** What is read again since a barrier is joined with the same rows of the same version. */
  private void checkCoordinated(Coordinator decided, int subtask, Job.Output output) {
    Job.Output before = joined.put(List.of(subtask, output.event(), barrier), output);
    if (before != null && !before.equals(output)) {
      find(
          Finding.Kind.WRONG,
          "event "
              + output.event()
              + " of subtask "
              + subtask
              + " was joined with "
              + before
              + " and, read again, with "
              + output
              + "; active is "
              + decided.active());
    }
  }

  // ---- the end -------------------------------------------------------------------------------

  /** All is well again: everything must come to its end. */
  private void end() throws Exception {
    say("all is healed");
    sourceWeather.fine();
    tierWeather.fine();
    s3.heal();
    alluxio.startMaster();
    alluxio.startWorker();
    alluxio.drain();
    alluxio.restoreBlocks();
    alluxio.heedSyncs();
    table.thaw();
    table.neverEmpty();
    for (int round = 0; round < 6; round++) {
      for (int i = 0; i < hosts.length; i++) {
        if (hosts[i] == null) {
          start(i);
        }
      }
      settle();
      trigger();
      while (complete()) {
        coordinate();
      }
      clock.advance(INTERVAL);
    }
    settle();
    finishJob();
    settle();
    for (int i = 0; i < hosts.length; i++) {
      Host host = hosts[i];
      if (host == null) {
        find(Finding.Kind.STALE, "host-" + i + " does not start although all is healed");
        continue;
      }
      Optional<String> id = coordinator == null ? host.servedId() : coordinator.active();
      Optional<Table.State> served = id.flatMap(table::stateOf);
      if (!served.equals(Optional.of(table.shown()))) {
        find(
            Finding.Kind.STALE,
            host + " serves " + served.map(Table.State::number) + " although all is healed");
      }
    }
    for (int i = 0; i < hosts.length; i++) {
      if (hosts[i] != null) {
        hosts[i].stop();
        hosts[i] = null;
      }
    }
    new LeakCheck(this).run();
  }

  private void finishJob() throws Exception {
    int last = 0;
    for (int i = 0; i < hosts.length; i++) {
      last = Math.max(last, job.next(i));
    }
    // A reader that waited for a damaged index to be replaced may fail the job some more times.
    for (int attempt = 0; attempt < 20; attempt++) {
      for (int i = 0; i < hosts.length; i++) {
        if (hosts[i] != null && job.next(i) < last) {
          process(i, last - job.next(i));
        }
      }
      settle();
    }
    trigger();
    boolean more = complete();
    while (more) {
      more = complete();
    }
    for (int i = 0; i < hosts.length; i++) {
      int[] times = new int[last];
      for (Job.Output output : job.committed(i)) {
        if (output.event() < last) {
          times[output.event()]++;
        }
      }
      Set<Integer> lost = new TreeSet<>();
      Set<Integer> doubled = new TreeSet<>();
      for (int event = 0; event < last; event++) {
        if (times[event] == 0) {
          lost.add(event);
        } else if (times[event] > 1) {
          doubled.add(event);
        }
      }
      if (!lost.isEmpty()) {
        find(Finding.Kind.LOST, "events of subtask " + i + " have no output: " + lost);
      }
      if (!doubled.isEmpty()) {
        find(Finding.Kind.DOUBLED, "events of subtask " + i + " have several outputs: " + doubled);
      }
    }
  }

  /** The directories of all hosts' disks. */
  Set<Path> disks() {
    Set<Path> disks = new TreeSet<>();
    for (int i = 0; i < hosts.length; i++) {
      disks.add(disk(i));
    }
    return disks;
  }

  Path directory() {
    return directory;
  }

  /** Also where the run has failed. */
  @Override
  public void close() throws IOException {
    for (int i = 0; i < hosts.length; i++) {
      Host host = hosts[i];
      if (host != null) {
        hosts[i] = null;
        host.stop();
      }
    }
    alluxio.close();
    s3.close();
  }
}
