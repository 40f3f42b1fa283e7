package dev.leat.it.simulation;

import static java.util.Objects.requireNonNull;

import dev.leat.DuplicateKeys;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.ServedDimension;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.internal.engine.SteeredDimension;
import dev.leat.internal.engine.SteppedEngine;
import dev.leat.spi.BlobStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A host with a service of its own and one reader, from a start to a stop or a kill. */
final class Host {
  private final String name;
  private final World world;
  private final Path directory;
  private final Turn turn = new Turn();
  private final HostLine line;
  private final HostClock clock;
  private final ServedDimension<String, Row> service;
  private final @Nullable DimensionService<String, Row> watching;
  private final @Nullable SteeredDimension<String, Row> steered;
  private final Thread thread;
  private final String token;

  /** The versions that the service has announced since it began. */
  private final Set<String> announced = new HashSet<>();

  /** The versions in which it has looked something up, so that their blocks are checked. */
  private final Set<String> looked = new HashSet<>();

  /** Who decides which version it serves. */
  enum Following {
    THE_SOURCE,
    ORDERS
  }

  private @Nullable DimensionReader<String, Row> reader;

  /** Whether a lookup may meet a damaged block. */
  private boolean damagePossible;

  Host(
      String name,
      World world,
      Path directory,
      long seed,
      Duration ahead,
      Staleness staleness,
      boolean damagedDisk,
      Following following) {
    this.damagePossible = damagedDisk;
    this.name = name;
    this.world = world;
    this.directory = directory;
    this.line = new HostLine(world.clock(), turn, seed);
    this.clock = new HostClock(world.clock(), turn, ahead);
    HostTime time = new HostTime(world.clock(), turn);
    Planted planted = world.planted();
    Leftovers dimensionDirectory = leftovers();
    Set<String> before = dimensionDirectory.owners();
    ServiceRequest<String, Row> request =
        new ServiceRequest<>(
            world.table().dimension(),
            DuplicateKeys.KEEP_LAST,
            List.of(
                LocalDisk.at(directory),
                new SimulatedTier(
                    world.alluxio().tier(),
                    blobs -> new SimulatedStore(blobs, "alluxio", world.tierWeather(), line),
                    store -> planted.tier(store, world.alluxio()))),
            Refresh.every(World.INTERVAL).withJitter(0),
            staleness);
    Function<URI, BlobStore> source =
        location ->
            planted.source(
                new SimulatedStore(world.s3().open(), "s3", world.sourceWeather(), line));
    if (following == Following.THE_SOURCE) {
      watching = SteppedEngine.acquire(request, directory, clock, time, source);
      steered = null;
      service = watching;
    } else {
      watching = null;
      steered = SteppedEngine.steer(request, directory, clock, time, source);
      service = steered;
    }
    service.addListener(this::heard);
    this.thread = threadOf("leat-" + request.dimension().name(), world.threadsOfHosts());
    turn.awaitParked(thread);
    Set<String> entered = dimensionDirectory.owners();
    entered.removeAll(before);
    this.token = entered.size() == 1 ? entered.iterator().next() : "";
  }

  private static Thread threadOf(String name, Set<Thread> known) {
    Thread[] all = new Thread[Thread.currentThread().getThreadGroup().activeCount() + 16];
    int count = Thread.currentThread().getThreadGroup().enumerate(all);
    for (int i = 0; i < count; i++) {
      if (all[i].getName().equals(name) && known.add(all[i])) {
        return all[i];
      }
    }
    throw new IllegalStateException("the service has no thread " + name);
  }

  private void heard(DimensionEvent event) {
    if (turn.dead()) {
      return;
    }
    if (event instanceof DimensionEvent.VersionActivated e) {
      synchronized (announced) {
        announced.add(e.version().id());
      }
      line.note("serves " + e.version().id() + " " + e.origin());
    } else if (event instanceof DimensionEvent.RefreshFailed e) {
      line.note("refresh failed: " + e.code());
      if (!e.message().startsWith("LEAT-")) {
        world.find(Finding.Kind.WRONG, name + " failed in an unforeseen way: " + e.message());
      }
    } else {
      line.note(event.getClass().getSimpleName());
    }
  }

  String name() {
    return name;
  }

  HostClock clock() {
    return clock;
  }

  boolean runnable() {
    return thread.isAlive() && turn.runnable();
  }

  /** Lets it do the next thing that others could notice. */
  void step() {
    turn.step(thread);
    takeNotes();
  }

  void takeNotes() {
    line.take().forEach(note -> world.trace().add("  " + name + " " + note));
  }

  boolean ended() {
    return !thread.isAlive();
  }

  /** Why the first version could not be loaded. */
  Optional<String> failure() {
    DimensionService<String, Row> first = watching;
    if (first == null) {
      return Optional.of("it takes orders and has ended");
    }
    try {
      first.awaitFirstVersion();
      return Optional.empty();
    } catch (LeatException e) {
      return Optional.of(e.errorCode().code());
    } catch (InterruptedException e) {
      return Optional.of("closed");
    } catch (RuntimeException e) {
      world.find(Finding.Kind.WRONG, name + " failed in an unforeseen way: " + e.getCause());
      return Optional.of("unforeseen");
    }
  }

  boolean serves() {
    return service.statistics().served().isPresent();
  }

  Optional<String> servedId() {
    return service.statistics().served().map(served -> served.version().id());
  }

  boolean hasAnnounced(String versionId) {
    synchronized (announced) {
      return announced.contains(versionId);
    }
  }

  DimensionReader<String, Row> reader() {
    DimensionReader<String, Row> open = reader;
    if (open == null) {
      open = world.planted().reader(service.reader());
      reader = open;
    }
    return open;
  }

  void closeReader() {
    if (reader != null) {
      reader.close();
      reader = null;
    }
  }

  /** For orders. */
  SteeredDimension<String, Row> steered() {
    return requireNonNull(steered, "this host follows the source");
  }

  /** Damages a file of the version that it serves, if nothing was looked up in it yet. */
  boolean damageServed(java.util.Random random) {
    Optional<String> id = servedId();
    if (watching == null || id.isEmpty() || looked.contains(id.get())) {
      return false;
    }
    damagePossible = true;
    return leftovers().flip(id.get(), random);
  }

  Leftovers leftovers() {
    return new Leftovers(directory.resolve("customers"));
  }

  /**
   * Does something with the reader. Where a block may be damaged the reader waits for the service
   * to replace the index, so it gets a thread of its own, and the service its turns.
   */
  <T> T withReader(Callable<T> work) throws Exception {
    servedId().ifPresent(looked::add);
    if (!damagePossible) {
      return work.call();
    }
    // What there is to do anyway comes first, so that only the lookup can give it more.
    world.settle();
    FutureTask<T> task = new FutureTask<>(work);
    Thread lookup = new Thread(task, "lookup-of-" + name);
    lookup.start();
    long begin = System.nanoTime();
    while (!task.isDone()) {
      turn.awaitWoken();
      world.settle();
      if (System.nanoTime() - begin > Duration.ofSeconds(60).toNanos()) {
        throw new IllegalStateException(name + " does not answer a lookup");
      }
    }
    lookup.join();
    world.settle();
    try {
      return task.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof Exception failure ? failure : e;
    }
  }

  /** Ends it as a job that is cancelled ends. */
  void stop() {
    turn.letAlone();
    closeReader();
    service.close();
    line.take();
    forgetThread();
  }

  private void forgetThread() {
    world.threadsOfHosts().remove(thread);
  }

  /** Ends it as kill −9 would: whatever it held and had half written stays on its disk. */
  void kill() {
    turn.kill();
    try (Leftovers.Kept kept = leftovers().keep(token)) {
      closeReader();
      service.close();
      kept.putBack();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    line.take();
    forgetThread();
  }

  @Override
  public String toString() {
    return name;
  }
}
