package dev.leat.benchmarks.pipeline;

import static java.util.Objects.requireNonNull;

import dev.leat.Dimension;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.benchmarks.Arguments;
import dev.leat.benchmarks.Medians;
import dev.leat.benchmarks.Results;
import dev.leat.benchmarks.WorkDirectory;
import dev.leat.benchmarks.pipeline.PipelineTable.Customer;
import dev.leat.flink.Enrichment;
import dev.leat.format.DelimitedText;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.jspecify.annotations.Nullable;

/**
 * Measures the CPU time per event of jobs of two subtasks with object reuse: a sequence, a key per
 * number in random order, the join, a sink that discards.
 *
 * <p>The time is that of the process while the events pass, with the collection of the garbage that
 * they make; that of the tasks' own threads alone stands beside it. Neither the load of the table
 * nor the start of the cluster is in it. The jobs take turns in each round; the first round warms
 * up. The map is shared by both subtasks.
 */
public final class PipelineBenchmark {
  private static final int PARALLELISM = 2;
  private static final long HEAP_PER_ROW = 1100;
  private static final int MANY_ROWS = 2_000_000;

  private final PipelineTable table;
  private final Path work;
  private final Path text;
  private final long window;

  private PipelineBenchmark(PipelineTable table, Path work, Path text, long window) {
    this.table = table;
    this.work = work;
    this.text = text;
    this.window = window;
  }

  private enum Job {
    DATASTREAM_NONE,
    DATASTREAM_HASHMAP,
    DATASTREAM_LEAT,
    SQL_NONE,
    SQL_FUNCTION,
    SQL_PARTIAL,
    SQL_FULL,
    SQL_LEAT;

    String label() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** The CPU time of the process. */
    String figure() {
      return label() + "_cpu_us";
    }

    /** The CPU time of the tasks' threads. */
    String taskFigure() {
      return label() + "_task_cpu_us";
    }

    boolean isSql() {
      return label().startsWith("sql");
    }
  }

  /**
   * Runs the benchmark.
   *
   * @param args {@code --rows N} (1,000,000), {@code --events N} (3,000,000) beside those that warm
   *     up, {@code --rounds N} (5)
   */
  public static Results run(String[] args) throws Exception {
    Arguments arguments =
        new Arguments(args, Set.of("rows", "keys", "events", "rounds", "jobs", "directory"));
    if (!arguments.text("keys", "ids").equals("ids")) {
      throw new IllegalArgumentException("the jobs of pipeline join by --keys ids only");
    }
    int rows = Math.toIntExact(arguments.number("rows", 1_000_000));
    long events = arguments.number("events", 3_000_000);
    int rounds = (int) arguments.number("rounds", rows > MANY_ROWS ? 2 : 5);
    List<Job> jobs = new ArrayList<>();
    for (String name :
        arguments.list("jobs", Arrays.stream(Job.values()).map(Job::label).toList())) {
      jobs.add(Job.valueOf(name.toUpperCase(Locale.ROOT)));
    }
    Results results = new Results();
    results.put("rows", rows);
    results.put("events", events);
    try (WorkDirectory work = WorkDirectory.of(arguments, "pipeline");
        PipelineTable table = PipelineTable.open(rows)) {
      Path text = Files.createDirectory(work.resolve("customers"));
      table.write(text.resolve("part-0"));
      if (jobs.contains(Job.SQL_FULL) && rows * HEAP_PER_ROW > maxHeap() * 8 / 10) {
        jobs.remove(Job.SQL_FULL);
        System.out.printf(
            Locale.ROOT,
            "sql_full does not hold %,d rows here: its cache would need about %,d MB of heap, there are %,d MB%n",
            rows,
            rows * HEAP_PER_ROW >> 20,
            maxHeap() >> 20);
        results.put("sql_full_does_not_fit", 1);
      }
      new PipelineBenchmark(table, work.path(), text, events / PARALLELISM / TaskClock.WINDOWS)
          .measure(jobs, rounds, results);
    }
    return results;
  }

  private static long maxHeap() {
    return Runtime.getRuntime().maxMemory();
  }

  private void measure(List<Job> jobs, int rounds, Results results) throws Exception {
    Medians medians = new Medians();
    for (int round = 0; round <= rounds; round++) {
      for (Job job : jobs) {
        TaskClock.reset();
        if (job.isSql()) {
          runSql(job);
        } else {
          runDataStream(job);
        }
        double[] process = TaskClock.processMicrosPerEvent();
        double[] tasks = TaskClock.taskMicrosPerEvent();
        System.out.printf(
            Locale.ROOT,
            "%s %-20s us of CPU per event %s, in the tasks' threads %s%n",
            round == 0 ? "warm-up" : "round " + round,
            job.label(),
            rounded(process),
            rounded(tasks));
        if (round > 0) {
          Arrays.stream(process).forEach(each -> medians.add(job.figure(), each));
          Arrays.stream(tasks).forEach(each -> medians.add(job.taskFigure(), each));
        }
      }
    }
    report(jobs, medians, results);
  }

  private static String rounded(double[] micros) {
    return Arrays.toString(
        Arrays.stream(micros).map(each -> Math.round(each * 1e3) / 1e3).toArray());
  }

  private void report(List<Job> jobs, Medians medians, Results results) {
    System.out.printf(
        Locale.ROOT,
        "%n%,d rows%n%-20s %14s %14s %20s%n",
        table.rows(),
        "us of CPU per event",
        "in all",
        "the join adds",
        "tasks' threads alone");
    for (Job job : jobs) {
      results.put(job.figure(), medians.of(job.figure()));
      results.put(job.taskFigure(), medians.of(job.taskFigure()));
      Job none = job.isSql() ? Job.SQL_NONE : Job.DATASTREAM_NONE;
      String added = "";
      if (job != none && jobs.contains(none)) {
        double difference = medians.of(job.figure()) - medians.of(none.figure());
        results.put(job.label() + "_added_cpu_us", difference);
        added = String.format(Locale.ROOT, "%.3f", difference);
      }
      System.out.printf(
          Locale.ROOT,
          "%-20s %14.3f %14s %20.3f%n",
          job.label(),
          medians.of(job.figure()),
          added,
          medians.of(job.taskFigure()));
    }
  }

  private static StreamExecutionEnvironment environment() {
    StreamExecutionEnvironment environment =
        StreamExecutionEnvironment.createLocalEnvironment(PARALLELISM);
    environment.getConfig().enableObjectReuse();
    return environment;
  }

  /** All events of a job, those that warm up included. */
  private long events() {
    return PARALLELISM * (EventKeys.warmUp(table, PARALLELISM) + window * TaskClock.WINDOWS);
  }

  private void runDataStream(Job job) throws Exception {
    try (StreamExecutionEnvironment environment = environment()) {
      DataStream<String> keys =
          environment
              .fromSequence(0, events() - 1)
              .map(new EventKeys.OfStrings(window))
              .returns(String.class);
      DataStream<Customer> rows =
          switch (job) {
            case DATASTREAM_HASHMAP -> keys.map(new MapLookup());
            case DATASTREAM_LEAT ->
                Enrichment.from(keys)
                    .join(customers())
                    .on(key -> key)
                    .cachedIn(LocalDisk.at(work.resolve("indexes")))
                    .refresh(Refresh.never())
                    .combine((key, customer) -> customer, Customer.class);
            default -> {
              Customer anybody = PipelineTable.row(0);
              yield keys.map(key -> anybody).returns(Customer.class);
            }
          };
      rows.sinkTo(new DiscardingSink<>());
      environment.execute(job.label());
    }
  }

  private Dimension<String, Customer> customers() {
    return Dimension.named("customers")
        .at(text.toUri().toString())
        .rows(
            Customer.class,
            DelimitedText.separatedBy('|')
                .columns("customer_id", "subscription_tier", "country_code", "account_status"))
        .keyedBy(String.class, "customer_id");
  }

  private void runSql(Job job) throws Exception {
    try (StreamExecutionEnvironment environment = environment()) {
      StreamTableEnvironment sql = StreamTableEnvironment.create(environment);
      create(
          sql,
          "events",
          "customer_id STRING, proc_time AS PROCTIME()",
          Map.of(
              "connector", BenchmarkTables.IDENTIFIER,
              "kind", BenchmarkTables.Kind.EVENTS.name(),
              "events", Long.toString(events()),
              "window", Long.toString(window)));
      if (job == Job.SQL_NONE) {
        create(sql, "sink", "customer_id STRING", Map.of("connector", "blackhole"));
        sql.executeSql("INSERT INTO sink SELECT customer_id FROM events").await();
        return;
      }
      String columns =
          "customer_id STRING, subscription_tier STRING, country_code STRING, account_status STRING";
      create(sql, "sink", columns, Map.of("connector", "blackhole"));
      create(sql, "customers", columns, options(job));
      sql.executeSql(
              """
              INSERT INTO sink
              SELECT e.customer_id, c.subscription_tier, c.country_code, c.account_status
              FROM events AS e
              JOIN customers FOR SYSTEM_TIME AS OF e.proc_time AS c ON e.customer_id = c.customer_id
              """)
          .await();
    }
  }

  private Map<String, String> options(Job job) {
    if (job == Job.SQL_LEAT) {
      return Map.of(
          "connector", "leat",
          "format", "text",
          "text.field-delimiter", "|",
          "path", text.toUri().toString(),
          "leat.local-disk.directory", work.resolve("sql-indexes").toString(),
          "leat.refresh-interval", "0 s");
    }
    String kind = job.label().substring("sql_".length()).toUpperCase(Locale.ROOT);
    return Map.of("connector", BenchmarkTables.IDENTIFIER, "kind", kind);
  }

  private static void create(
      StreamTableEnvironment sql, String name, String columns, Map<String, String> options) {
    List<String> pairs = new ArrayList<>();
    options.forEach((key, value) -> pairs.add("'" + key + "' = '" + value + "'"));
    sql.executeSql(
        "CREATE TABLE " + name + " (" + columns + ") WITH (" + String.join(", ", pairs) + ")");
  }

  private static final class MapLookup extends RichMapFunction<String, Customer> {
    private static final long serialVersionUID = 1L;
    private transient @Nullable Map<String, Customer> map;

    @Override
    public void open(OpenContext context) {
      map = PipelineTable.current().map();
    }

    @Override
    public Customer map(String key) {
      return requireNonNull(requireNonNull(map).get(key), key);
    }
  }
}
