package dev.leat.benchmarks.tiers;

import static java.util.Objects.requireNonNull;

import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.benchmarks.Medians;
import dev.leat.flink.Enrichment;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.jspecify.annotations.Nullable;

/**
 * How long a change of version holds up a subtask that has other work: the longest time near the
 * change that passed between the end of one event and the end of the join of the next, the pause
 * between them left out, in a job of two subtasks whose events come every tenth of a millisecond.
 * Leat's job has a checkpoint every 100 ms, since a new version is read from a barrier on; the
 * barrier and the switch, which come between two events, are counted.
 *
 * <p>The stall of a change is the longest time of any event from 100 events before the first that
 * meets the new version to 1,000 events after it. It holds all that may happen to a thread there:
 * the change itself, a collection of garbage, another thread that got the processor.
 */
final class ReloadStall {
  private static final int PARALLELISM = 2;
  private static final int ROWS = 100_000;
  private static final long PACE_NANOS = 100_000;
  private static final int BEFORE = 100;
  private static final int AFTER = 1_000;
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private ReloadStall() {}

  /** Measures Leat: the table is overwritten in S3 some times. */
  static void leat(TierServers servers, Path disk, int changes, Medians target) throws Exception {
    servers.put("changing/part-0", text(0));
    try (StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(
            PARALLELISM, Configuration.fromMap(servers.properties()))) {
      environment.enableCheckpointing(100);
      environment.getConfig().enableObjectReuse();
      DataStream<Joined> joined =
          Enrichment.from(events(environment))
              .join(servers.customers("changing", "changing"))
              .on(Event::customerId)
              .cachedIn(LocalDisk.at(disk), servers.tier())
              .refresh(Refresh.every(Duration.ofMillis(100)))
              .combine(
                  (event, customer) ->
                      new Joined(event.entered(), event.nanoTime(), customer.accountStatus()),
                  Joined.class);
      watch(
          environment,
          joined,
          changes,
          version -> servers.put("changing/part-0", text(version)),
          target,
          "leat");
    }
  }

  /**
   * Measures what Flink's Hive lookup join does: where the time has come, the function clears its
   * map and reads the table, before it goes on with the event. The table is a local file here.
   */
  static void hiveStyle(Path directory, int changes, Medians target) throws Exception {
    Path file = directory.resolve("changing.txt");
    Files.write(file, text(0));
    try (StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM)) {
      environment.getConfig().enableObjectReuse();
      DataStream<Joined> joined =
          events(environment).map(new ReloadingMap(file.toString())).returns(Joined.class);
      watch(
          environment,
          joined,
          changes,
          version -> {
            Files.write(file, text(version));
            ReloadingMap.wanted = version;
          },
          target,
          "hive");
    } finally {
      ReloadingMap.wanted = 0;
    }
  }

  private interface Change {
    void to(int version) throws IOException;
  }

  private static DataStream<Event> events(StreamExecutionEnvironment environment) {
    return environment.fromSequence(0, Long.MAX_VALUE - 1).map(new Pace()).returns(Event.class);
  }

  private static void watch(
      StreamExecutionEnvironment environment,
      DataStream<Joined> joined,
      int changes,
      Change change,
      Medians target,
      String name)
      throws Exception {
    Watch.STALLS.clear();
    joined.map(new Watch()).returns(Joined.class).sinkTo(new DiscardingSink<>());
    JobClient job = environment.executeAsync(name);
    try {
      for (int version = 1; version <= changes; version++) {
        await(job, version - 1);
        change.to(version);
      }
      await(job, changes);
    } finally {
      job.cancel().get();
    }
    // The first is the start.
    Watch.STALLS.stream()
        .filter(stall -> stall.version > 0)
        .forEach(stall -> target.add(name, stall.nanos / 1e6));
  }

  /** Waits until all subtasks have met a version and gone on for a while. */
  private static void await(JobClient job, int version)
      throws ExecutionException, InterruptedException {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (Watch.STALLS.stream().filter(stall -> stall.version == version).count() < PARALLELISM) {
      if (job.getJobStatus().get().isGloballyTerminalState()) {
        job.getJobExecutionResult().get();
      }
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("version " + version + " was not met within " + PATIENCE);
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  private static byte[] text(int version) {
    StringBuilder rows = new StringBuilder(ROWS * 32);
    for (int i = 0; i < ROWS; i++) {
      rows.append(key(i)).append("|standard|").append((char) ('A' + i % 26)).append("X|v");
      rows.append(version).append('\n');
    }
    return rows.toString().getBytes(StandardCharsets.US_ASCII);
  }

  private static String key(int row) {
    String digits = Integer.toString(row);
    return "cust-" + "0".repeat(8 - digits.length()) + digits;
  }

  /** A key, when the task turned to the event, and when it was handed to the join. */
  public record Event(String customerId, long entered, long nanoTime) implements Serializable {}

  /** The times of the event, and the version of the row that it met. */
  public record Joined(long entered, long nanoTime, String version) implements Serializable {}

  private static final class Pace extends RichMapFunction<Long, Event> {
    private static final long serialVersionUID = 1L;
    private transient @Nullable SplittableRandom random;

    @Override
    public void open(OpenContext context) {
      random = new SplittableRandom(5);
    }

    @Override
    public Event map(Long number) {
      long entered = System.nanoTime();
      LockSupport.parkNanos(PACE_NANOS);
      return new Event(key(requireNonNull(random).nextInt(ROWS)), entered, System.nanoTime());
    }
  }

  /** The longest time near a change of one subtask. */
  private record Stall(int version, long nanos) {}

  private static final class Watch extends RichMapFunction<Joined, Joined> {
    private static final long serialVersionUID = 1L;
    private static final ConcurrentLinkedQueue<Stall> STALLS = new ConcurrentLinkedQueue<>();

    private transient long[] before;
    private transient int next;
    private transient int left;
    private transient long longest;
    private transient String version;
    private transient long ended;

    @Override
    public void open(OpenContext context) {
      before = new long[BEFORE];
      version = "";
      ended = System.nanoTime();
    }

    @Override
    public Joined map(Joined event) {
      long took = System.nanoTime() - event.nanoTime + event.entered - ended;
      if (!event.version.equals(version)) {
        version = event.version;
        left = AFTER;
        longest = 0;
        for (long earlier : before) {
          longest = Math.max(longest, earlier);
        }
      }
      if (left > 0) {
        longest = Math.max(longest, took);
        left--;
        if (left == 0) {
          STALLS.add(new Stall(Integer.parseInt(version.substring(1)), longest));
        }
      }
      before[next] = took;
      next = (next + 1) % BEFORE;
      ended = System.nanoTime();
      return event;
    }
  }

  /** The map of {@code RowData} of each subtask, as Flink's Hive lookup keeps it. */
  private static final class ReloadingMap extends RichMapFunction<Event, Joined> {
    private static final long serialVersionUID = 1L;
    private static volatile int wanted;

    private final String file;
    private transient @Nullable Map<RowData, List<RowData>> map;
    private transient int loaded;

    ReloadingMap(String file) {
      this.file = file;
    }

    @Override
    public void open(OpenContext context) {
      map = new HashMap<>();
      loaded = -1;
    }

    @Override
    public Joined map(Event event) {
      Map<RowData, List<RowData>> cache = requireNonNull(map);
      if (loaded != wanted) {
        loaded = wanted;
        cache.clear();
        load(cache);
      }
      RowData key = GenericRowData.of(StringData.fromString(event.customerId));
      return new Joined(
          event.entered,
          event.nanoTime,
          requireNonNull(cache.get(key)).get(0).getString(3).toString());
    }

    private void load(Map<RowData, List<RowData>> cache) {
      try (Stream<String> lines = Files.lines(Path.of(file))) {
        lines.forEach(
            line -> {
              String[] cells = line.split("\\|", -1);
              GenericRowData row = new GenericRowData(cells.length);
              for (int i = 0; i < cells.length; i++) {
                row.setField(i, StringData.fromString(cells[i]));
              }
              cache
                  .computeIfAbsent(
                      GenericRowData.of(StringData.fromString(cells[0])), k -> new ArrayList<>())
                  .add(row);
            });
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
