package dev.leat.benchmarks.pipeline;

import static java.util.Objects.requireNonNull;

import dev.leat.Dimension;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.flink.Enrichment;
import dev.leat.format.DelimitedText;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.jspecify.annotations.Nullable;

/**
 * Measures the CPU time per event of a job of two subtasks with object reuse: a sequence, a key per
 * number in random order, the join, a sink that discards.
 *
 * <p>The time is that of the tasks' own threads, from the opening of the last operator to the
 * closing of the first, so that neither the load of the table nor the start of the cluster is in
 * it. The three jobs take turns in each round; a round before the first warms up. The map is shared
 * by both subtasks, which is kinder to it than Flink's own caches are.
 */
public final class PipelineBenchmark {
  private static final int PARALLELISM = 2;
  private static final int KEYS = 1 << 21;
  private static final int KEY_BYTES = 13;
  private static final Set<String> FLAGS = Set.of("--rows", "--events", "--rounds");

  private final int rows;
  private final long events;
  private final int rounds;

  private PipelineBenchmark(int rows, long events, int rounds) {
    this.rows = rows;
    this.events = events;
    this.rounds = rounds;
  }

  private enum Job {
    NO_JOIN,
    HASH_MAP,
    LEAT
  }

  /**
   * Runs the benchmark.
   *
   * @param args {@code --rows N} (1,000,000), {@code --events N} (10,000,000), {@code --rounds N}
   *     (5)
   */
  public static void main(String[] args) throws Exception {
    Map<String, String> options = new HashMap<>();
    for (int i = 0; i < args.length; i += 2) {
      if (!FLAGS.contains(args[i]) || i + 1 == args.length) {
        throw new IllegalArgumentException(
            "'" + args[i] + "' is not a flag with a value; there are " + FLAGS);
      }
      options.put(args[i], args[i + 1]);
    }
    new PipelineBenchmark(
            Integer.parseInt(options.getOrDefault("--rows", "1000000")),
            Long.parseLong(options.getOrDefault("--events", "10000000")),
            Integer.parseInt(options.getOrDefault("--rounds", "5")))
        .run();
  }

  private void run() throws Exception {
    Path directory = Files.createTempDirectory("leat-pipeline-");
    try {
      Path table = Files.createDirectory(directory.resolve("customers"));
      writeTable(table.resolve("part-0"));
      Shared.fill(rows);
      Map<Job, List<Double>> micros = new EnumMap<>(Job.class);
      for (Job job : Job.values()) {
        micros.put(job, new ArrayList<>());
      }
      for (int round = 0; round <= rounds; round++) {
        for (Job job : Job.values()) {
          double measured = measure(job, directory, table);
          System.out.printf(
              Locale.ROOT,
              "%s %-8s %.3f us of CPU per event%n",
              round == 0 ? "warm-up" : "round " + round,
              job,
              measured);
          if (round > 0) {
            requireNonNull(micros.get(job)).add(measured);
          }
        }
      }
      report(micros);
    } finally {
      Shared.clear();
      deleteAll(directory);
    }
  }

  private void report(Map<Job, List<Double>> micros) {
    double none = median(micros, Job.NO_JOIN);
    double map = median(micros, Job.HASH_MAP) - none;
    double leat = median(micros, Job.LEAT) - none;
    System.out.printf(
        Locale.ROOT,
        "%n%,d rows, %,d events, medians of %d rounds%n"
            + "no join        %.3f us of CPU per event%n"
            + "HashMap adds   %.3f us%n"
            + "Leat adds      %.3f us, %.2f of what the HashMap adds%n%n",
        rows,
        events,
        rounds,
        none,
        map,
        leat,
        leat / map);
    System.out.printf(
        Locale.ROOT,
        "RESULT rows=%d events=%d rounds=%d no_join_us=%.3f hash_map_added_us=%.3f"
            + " leat_added_us=%.3f leat_to_hash_map=%.3f%n",
        rows,
        events,
        rounds,
        none,
        map,
        leat,
        leat / map);
  }

  private static double median(Map<Job, List<Double>> micros, Job job) {
    List<Double> sorted = new ArrayList<>(requireNonNull(micros.get(job)));
    Collections.sort(sorted);
    return sorted.get(sorted.size() / 2);
  }

  private double measure(Job job, Path directory, Path table) throws Exception {
    try (StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM)) {
      environment.getConfig().enableObjectReuse();
      DataStream<String> keys =
          environment.fromSequence(0, events - 1).map(new KeyOfNumber()).returns(String.class);
      DataStream<Customer> rowsOfEvents =
          switch (job) {
            case NO_JOIN -> keys.map(key -> Shared.ANYBODY).returns(Customer.class);
            case HASH_MAP -> keys.map(new MapLookup());
            case LEAT ->
                Enrichment.from(keys)
                    .join(customers(table))
                    .on(key -> key)
                    .cachedIn(LocalDisk.at(directory.resolve("indexes")))
                    .refresh(Refresh.never())
                    .combine((key, customer) -> customer, Customer.class);
          };
      rowsOfEvents.sinkTo(new DiscardingSink<>());
      Shared.CPU_NANOS.reset();
      environment.execute(job.toString());
      return Shared.CPU_NANOS.sum() / 1e3 / events;
    }
  }

  private static Dimension<String, Customer> customers(Path table) {
    return Dimension.named("customers")
        .at(table.toUri().toString())
        .rows(
            Customer.class,
            DelimitedText.separatedBy('|')
                .columns("customer_id", "subscription_tier", "country_code", "account_status"))
        .keyedBy(String.class, "customer_id");
  }

  private void writeTable(Path file) throws IOException {
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
      for (int i = 0; i < rows; i++) {
        Customer row = Shared.row(i);
        out.write(
            (key(i)
                    + "|"
                    + row.subscriptionTier()
                    + "|"
                    + row.countryCode()
                    + "|"
                    + row.accountStatus()
                    + "\n")
                .getBytes(StandardCharsets.UTF_8));
      }
    }
  }

  private static String key(int i) {
    return String.format(Locale.ROOT, "cust-%08d", i);
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      paths
          .sorted(Comparator.reverseOrder())
          .forEach(
              path -> {
                try {
                  Files.delete(path);
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });
    }
  }

  /** A row, without its key: an event has that already. */
  public record Customer(String subscriptionTier, String countryCode, String accountStatus)
      implements Serializable {}

  /** What the subtasks of the one process share; filled before the jobs and emptied after them. */
  private static final class Shared {
    private static final Customer ANYBODY = new Customer("tier-0", "C000", "status-0");
    private static final LongAdder CPU_NANOS = new LongAdder();
    private static byte[] keys = new byte[0];
    private static Map<String, Customer> map = new HashMap<>();

    private Shared() {}

    static void fill(int rows) {
      Random random = new Random(7);
      keys = new byte[KEYS * KEY_BYTES];
      for (int i = 0; i < KEYS; i++) {
        byte[] key = key(random.nextInt(rows)).getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(key, 0, keys, i * KEY_BYTES, KEY_BYTES);
      }
      // Values interned, the kinder variant for the map.
      Map<Customer, Customer> interned = new HashMap<>();
      map = new HashMap<>(rows * 2);
      for (int i = 0; i < rows; i++) {
        map.put(key(i), interned.computeIfAbsent(row(i), row -> row));
      }
    }

    static Customer row(int i) {
      int mixed = (i * 0x9E3779B9) >>> 8;
      return new Customer(
          "tier-" + mixed % 5,
          String.format(Locale.ROOT, "C%03d", mixed / 5 % 200),
          "status-" + mixed / 1000 % 4);
    }

    static void clear() {
      keys = new byte[0];
      map = new HashMap<>();
    }
  }

  /** Gives a number its key, and times the thread of its chain, of which it is the first. */
  private static final class KeyOfNumber extends RichMapFunction<Long, String> {
    private static final long serialVersionUID = 1L;
    private transient long start;

    @Override
    public void open(OpenContext context) {
      start = threads().getCurrentThreadCpuTime();
    }

    @Override
    public String map(Long number) {
      long mixed = number * 0x9E3779B97F4A7C15L;
      int at = (int) (mixed >>> 43) * KEY_BYTES;
      return new String(Shared.keys, at, KEY_BYTES, StandardCharsets.ISO_8859_1);
    }

    @Override
    public void close() {
      Shared.CPU_NANOS.add(threads().getCurrentThreadCpuTime() - start);
    }

    private static ThreadMXBean threads() {
      return ManagementFactory.getThreadMXBean();
    }
  }

  private static final class MapLookup extends RichMapFunction<String, Customer> {
    private static final long serialVersionUID = 1L;
    private transient @Nullable Map<String, Customer> map;

    @Override
    public void open(OpenContext context) {
      map = Shared.map;
    }

    @Override
    public Customer map(String key) {
      return requireNonNull(requireNonNull(map).get(key), key);
    }
  }
}
