package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.EnrichedPlay;
import dev.leat.samples.streamedge.StreamEdgeArguments;
import dev.leat.samples.streamedge.StreamEdgeJob;
import dev.leat.samples.streamedge.show.ShowOptions.Faults;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;

/**
 * Shows the StreamEdge job at work on this machine, with real servers, and judges it at the end.
 *
 * <p>{@code ./samples/run streamedge --help} tells the flags.
 */
public final class StreamEdgeShow {
  private static final int PARTITIONS = 4;
  private static final long SEED = 20_260_101;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration PAUSE = Duration.ofMillis(200);
  private static final int CUSTOMERS_LOOKED_UP = 1_000;

  private final ShowOptions options;
  private final Console console;
  private final Cleanup outside;
  private final Cleanup cleanup;
  private final TemporaryDirectory directory;
  private final Path logs;
  private final List<Edition> editions = new ArrayList<>();
  private final Map<String, RowLocation> rowsOfFirstEdition = new HashMap<>();

  private StreamEdgeShow(
      ShowOptions options,
      Console console,
      Cleanup outside,
      Cleanup cleanup,
      TemporaryDirectory directory,
      Path logs) {
    this.options = options;
    this.console = console;
    this.outside = outside;
    this.cleanup = cleanup;
    this.directory = directory;
    this.logs = logs;
  }

  /**
   * Runs the show. Exits with 0 if every event was right, with 1 if not, with 2 if the flags are
   * wrong.
   */
  public static void main(String... args) throws Exception {
    if (Arrays.asList(args).contains("--help")) {
      System.out.print(ShowOptions.HELP);
      return;
    }
    ShowOptions options;
    try {
      options = ShowOptions.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    Console console = new Console(System.out);
    boolean good = false;
    try (Cleanup outside = Cleanup.alsoOnShutdown();
        Cleanup cleanup = new Cleanup()) {
      TemporaryDirectory directory = TemporaryDirectory.create(options.state());
      outside.add("the temporary directory", directory);
      Path logs = logs();
      good = new StreamEdgeShow(options, console, outside, cleanup, directory, logs).play();
    } catch (Exception e) { // whatever it is, the person must hear of it
      console.line("the show failed: %s", e);
      LoggerFactory.getLogger(StreamEdgeShow.class).error("the show failed", e);
    }
    System.exit(good ? 0 : 1); // Flink's and Alluxio's clients leave threads behind
  }

  /**
   * Sends the log of everything in this process to a file, in place of those of the last run; must
   * come before the first logger.
   */
  private static Path logs() throws IOException {
    Path logs = Path.of(System.getProperty("leat.samples.logs", "logs")).toAbsolutePath();
    Files.createDirectories(logs);
    try (DirectoryStream<Path> former = Files.newDirectoryStream(logs, "*.log")) {
      for (Path log : former) {
        Files.delete(log);
      }
    }
    Path log = logs.resolve("streamedge.log");
    Files.writeString(log, "");
    System.setProperty("org.slf4j.simpleLogger.logFile", log.toString());
    System.setProperty("org.slf4j.simpleLogger.showDateTime", "true");
    System.setProperty("org.slf4j.simpleLogger.dateTimeFormat", "HH:mm:ss.SSS");
    return logs;
  }

  private boolean play() throws Exception {
    console.plain(
        "StreamEdge: video plays from Kafka, joined with customers from S3, cached through Alluxio");
    console.plain("Logs: " + logs + "   Temporary files: " + directory.path());

    console.chapter("The servers, each a process of its own");
    LocalServers servers = LocalServers.start(directory.path(), outside, console);

    console.chapter("The dimension: a table in S3");
    CustomerTable table = CustomerTable.generate(options.scale());
    StreamEdgeArguments arguments = servers.arguments(directory.resolve("index"));
    CustomerBucket bucket =
        cleanup.add(
            "the bucket", CustomerBucket.open(arguments.customers(), StreamEdgeJob.s3(arguments)));
    publish(table, bucket);

    console.chapter("The stream and the job");
    Path sentPlays = directory.resolve("plays");
    PlayProducer producer =
        cleanup.add(
            "the producer",
            new PlayProducer(
                arguments.kafka(),
                arguments.playsTopic(),
                PARTITIONS,
                new PlayGenerator(table.ids(), SEED),
                options.perSecond(),
                sentPlays));
    servers.createTopic(arguments.playsTopic(), PARTITIONS);
    servers.createTopic(arguments.enrichedTopic(), PARTITIONS);
    LogTail tail =
        cleanup.add("the log's tail", new LogTail(logs.resolve("streamedge.log"), console));
    tail.start();
    producer.start();
    console.line("sending %,d plays per second to Kafka", options.perSecond());
    long submitted = System.nanoTime();
    RunningJob job = cleanup.add("the job", RunningJob.start(arguments, directory.path()));
    OutputWatcher watcher =
        cleanup.add(
            "the output's watcher",
            new OutputWatcher(arguments.kafka(), arguments.enrichedTopic()));
    job.onFailure(watcher::fail);
    watcher.start();
    watcher.await("the first enriched plays", PATIENCE, seen -> seen.ofVersion(1) > 0);
    console.line(
        "the first enriched plays are committed, %.1f s after the job was submitted",
        (System.nanoTime() - submitted) / 1e9);
    for (EnrichedPlay play : watcher.samples()) {
      console.line("  %s", describe(play));
    }
    JobMetrics.Snapshot afterLoad = settledMetrics(job);
    console.line(
        "the index: %,d rows, %,d KiB on local disk, loaded in %,d ms",
        afterLoad.rows(), afterLoad.indexBytes() / 1024, afterLoad.loadMillis());
    showTiers(afterLoad);

    console.chapter("What the join costs an event");
    LookupCosts costs = measureCosts(arguments, bucket, table);

    console.chapter("A new edition of the table, while the stream runs");
    publishAndAwait(table, bucket, watcher);
    showTiers(settledMetrics(job));

    if (options.faults() == Faults.INJECTED) {
      console.chapter("Alluxio goes away, and another edition comes");
      servers.stopAlluxio();
      console.line("Alluxio's worker and master are stopped");
      publishAndAwait(table, bucket, watcher);
      console.line("S3 took over: the edition came without Alluxio");
      showTiers(settledMetrics(job));

      console.chapter("Alluxio comes back");
      servers.startAlluxio();
      console.line("Alluxio's master and worker are up again");
      awaitHealed(table, bucket, watcher, job);
      showTiers(settledMetrics(job));
    }

    console.chapter("The verdict");
    sendTheRest(producer);
    producer.close();
    long sent = producer.sent();
    for (long seen = watcher.seen().events(); seen < sent; ) {
      long before = seen;
      seen = watcher.await("more plays", PATIENCE, now -> now.events() > before).events();
    }
    JobMetrics.Snapshot last = job.metrics().read();
    job.stop();
    watcher.close();
    tail.close();
    Path output = directory.resolve("output");
    writeOutput(arguments, output);
    return judge(
        IndependentCheck.check(sentPlays, output, editions, directory.path()),
        afterLoad,
        last,
        costs);
  }

  private void publish(CustomerTable table, CustomerBucket bucket) throws IOException {
    int version = editions.size() + 1;
    Map<String, RowLocation> locations = version == 1 ? rowsOfFirstEdition : new HashMap<>();
    Edition edition = table.write(version, directory.resolve("edition-" + version), locations);
    bucket.publish(edition);
    editions.add(edition);
    long bytes = 0;
    for (Path file : edition.files()) {
      bytes += Files.size(file);
    }
    if (version == 1) {
      console.line(
          "edition 1 is in S3: %,d customers of TPC-DS in %d files, %,d KiB",
          table.rows(), edition.files().size(), bytes / 1024);
    } else {
      console.line(
          "edition %d is in S3: %,d customers have another tier",
          version, table.changedIn(version));
    }
  }

  private void publishAndAwait(CustomerTable table, CustomerBucket bucket, OutputWatcher watcher)
      throws IOException, InterruptedException {
    long began = System.nanoTime();
    publish(table, bucket);
    int version = editions.size();
    long before = watcher.seen().events();
    OutputWatcher.Seen seen =
        watcher.await("edition " + version, PATIENCE, s -> s.ofVersion(version) > 0);
    console.line(
        "the output has edition %d, %.1f s after it was published; the stream went on: %,d events meanwhile",
        version, (System.nanoTime() - began) / 1e9, seen.events() - before);
    watcher.samples().stream()
        .filter(play -> play.validVersion() != null && play.validVersion() == version)
        .limit(2)
        .forEach(play -> console.line("  %s", describe(play)));
  }

  /**
   * Publishes editions until one has gone through Alluxio again: a tier that was left alone is
   * tried when it is needed.
   */
  private void awaitHealed(
      CustomerTable table, CustomerBucket bucket, OutputWatcher watcher, RunningJob job)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    do {
      publishAndAwait(table, bucket, watcher);
      if (alluxioIsInUse(job.metrics())) {
        console.line("Alluxio is healed: in use again");
        return;
      }
    } while (System.nanoTime() < end);
    throw new IllegalStateException(
        "Alluxio is up again and was not used within " + PATIENCE.toSeconds() + " s");
  }

  private static boolean alluxioIsInUse(JobMetrics metrics)
      throws IOException, InterruptedException {
    return metrics.read().tiers().stream()
        .anyMatch(tier -> tier.name().equals("alluxio") && tier.health().equals("in use"));
  }

  private LookupCosts measureCosts(
      StreamEdgeArguments arguments, CustomerBucket bucket, CustomerTable table) throws Exception {
    PlayGenerator generator = new PlayGenerator(table.ids(), SEED);
    List<Lookup> lookups =
        Stream.generate(generator::knownCustomer)
            .limit(CUSTOMERS_LOOKED_UP)
            .map(customer -> Lookup.of(customer, location(customer)))
            .toList();
    LookupCosts costs =
        LookupCosts.measure(
            arguments, lookups, bucket.files(editions.get(0)), directory.resolve("probe"));
    console.line(
        "how long the join keeps an event, while the stream runs beside it on the same cores:");
    console.table(costs.table());
    return costs;
  }

  private RowLocation location(String customer) {
    return Objects.requireNonNull(rowsOfFirstEdition.get(customer), customer);
  }

  /** Metrics reach Flink's REST interface a moment after they are reported. */
  private JobMetrics.Snapshot settledMetrics(RunningJob job)
      throws IOException, InterruptedException {
    JobMetrics.Snapshot snapshot = job.metrics().read();
    for (int tries = 0; snapshot.loads() < editions.size() && tries < 50; tries++) {
      LockSupport.parkNanos(PAUSE.toNanos());
      snapshot = job.metrics().read();
    }
    return snapshot;
  }

  private void showTiers(JobMetrics.Snapshot snapshot) {
    console.line(
        "lookups so far: %,d found, %,d not in the table, %,d without a key",
        snapshot.hits(), snapshot.misses(), snapshot.nullKeys());
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("tier", "hits", "misses", "fell back", "KiB read", "state"));
    rows.add(
        List.of(
            "mapped index (lookups)",
            Long.toString(snapshot.hits()),
            Long.toString(snapshot.misses()),
            "",
            "",
            ""));
    for (JobMetrics.Tier tier : snapshot.tiers()) {
      rows.add(
          List.of(
              tier.name() + " (files)",
              Long.toString(tier.hits()),
              Long.toString(tier.misses()),
              Long.toString(tier.fallbacks()),
              Long.toString(tier.bytes() / 1024),
              tier.health()));
    }
    console.table(rows);
  }

  private void sendTheRest(PlayProducer producer) {
    long rest = Math.max(options.events() - producer.sent(), 0) / options.perSecond();
    long untilTime = options.atLeast().toSeconds() - producer.age().toSeconds();
    long seconds = Math.max(rest, untilTime);
    if (seconds > 0) {
      console.line("the stream goes on for %d s", seconds);
    }
    while (producer.sent() < options.events() || producer.age().compareTo(options.atLeast()) < 0) {
      producer.checkFailure();
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private void writeOutput(StreamEdgeArguments arguments, Path file) throws IOException {
    try (EnrichedTopic topic = new EnrichedTopic(arguments.kafka(), arguments.enrichedTopic());
        BufferedWriter out = Files.newBufferedWriter(file)) {
      topic.readToEnd(
          (message, play) -> {
            try {
              out.write(IndependentCheck.outputLine(play, message.timestamp()));
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    }
  }

  private boolean judge(
      Verdict verdict, JobMetrics.Snapshot afterLoad, JobMetrics.Snapshot last, LookupCosts costs) {
    console.line(
        "%,d plays were sent and %,d enriched ones committed, %,d of them with a customer; DuckDB joined all of them anew",
        verdict.sent(), verdict.events(), verdict.matched());
    for (String sentence : verdict.sentences(last.restarts())) {
      console.line("%s", sentence);
    }
    console.plain("");
    console.plain(
        String.format(
            Locale.ROOT,
            "RESULT events=%d wrong=%d lost=%d doubled=%d backwards=%d restarts=%d versions=%s load_ms=%d s3_p50_us=%.1f s3_p99_us=%.1f alluxio_p50_us=%.1f alluxio_p99_us=%.1f index_p50_us=%.2f index_p99_us=%.2f",
            verdict.events(),
            verdict.wrong(),
            verdict.lost(),
            verdict.doubled(),
            verdict.backwards(),
            last.restarts(),
            verdict.versions().stream().map(String::valueOf).collect(Collectors.joining(",")),
            afterLoad.loadMillis(),
            costs.s3().micros(0.5),
            costs.s3().micros(0.99),
            costs.alluxio().micros(0.5),
            costs.alluxio().micros(0.99),
            costs.index().micros(0.5),
            costs.index().micros(0.99)));
    return verdict.isGood(last.restarts());
  }

  private static String describe(EnrichedPlay play) {
    String what =
        "play "
            + play.eventId()
            + ": "
            + play.customerId()
            + " watched "
            + play.videoId()
            + " for "
            + play.seconds()
            + " s";
    return play.validVersion() == null
        ? what + " (no such customer)"
        : what
            + " (tier "
            + play.subscriptionTier()
            + ", country "
            + play.countryCode()
            + ", "
            + play.accountStatus()
            + ", edition "
            + play.validVersion()
            + ")";
  }
}
