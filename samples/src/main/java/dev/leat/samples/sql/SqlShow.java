package dev.leat.samples.sql;

import dev.leat.testserver.GatewayRow;
import dev.leat.testserver.HiveStatement;
import dev.leat.testserver.RealAlluxio;
import dev.leat.testserver.RealFlink;
import dev.leat.testserver.RealHiveMetastore;
import dev.leat.testserver.RealKafka;
import dev.leat.testserver.RealS3;
import dev.leat.testserver.SqlGatewaySession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;

/**
 * Runs the join in SQL, over Flink's SQL gateway, on real servers, and checks every row.
 *
 * <p>{@code ./samples/run sql --help} tells the flags.
 */
public final class SqlShow implements AutoCloseable {
  private static final int PARTS = 4;
  private static final int SHOWN = 8;

  private final SqlShowFlags flags;
  private final Path logs;
  private final Deque<AutoCloseable> servers = new ArrayDeque<>();
  private final long began = System.nanoTime();

  private SqlShow(SqlShowFlags flags, Path logs) {
    this.flags = flags;
    this.logs = logs;
  }

  /** Exits with 0 if every row was right, with 1 if not, with 2 if the flags are wrong. */
  public static void main(String... args) {
    if (Arrays.asList(args).contains("--help")) {
      System.out.print(SqlShowFlags.HELP);
      return;
    }
    SqlShowFlags flags;
    try {
      flags = SqlShowFlags.parse(args);
    } catch (IllegalArgumentException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    boolean good = false;
    try (SqlShow show =
        new SqlShow(flags, Path.of(System.getProperty("leat.samples.logs", "logs")))) {
      good = show.play();
    } catch (Exception e) { // whatever it is, the person must hear of it
      System.out.println("the show failed: " + e.getMessage());
      LoggerFactory.getLogger(SqlShow.class).error("the show failed", e);
    }
    System.exit(good ? 0 : 1);
  }

  private boolean play() throws Exception {
    say("starting S3, Alluxio, Kafka, a Hive metastore and Flink %s", flags.flink());
    RealKafka kafka = started(RealKafka.start());
    RealS3 s3 = started(RealS3.start(ThreeSteps.BUCKET));
    RealAlluxio alluxio = started(RealAlluxio.start(s3, ThreeSteps.BUCKET));
    RealHiveMetastore metastore = started(RealHiveMetastore.start());
    Path directory = Files.createDirectories(logs.resolve("sql-flink-" + flags.flink()));
    RealFlink.Builder builder =
        RealFlink.of(flags.flink(), directory.toAbsolutePath()).library(connectorJar());
    s3.hadoopProperties().forEach(builder::option);
    RealFlink flink = started(builder.start());
    say("%s; logs in %s", flink, directory);

    StreamEdgeData data = StreamEdgeData.generate(flags.customers(), flags.events());
    for (int part = 0; part < PARTS; part++) {
      s3.put(ThreeSteps.BUCKET, ThreeSteps.TABLE_PATH + "/part-" + part, data.table(part, PARTS));
    }
    kafka.createTopic(ThreeSteps.TOPIC, PARTS);
    send(kafka.bootstrapServers(), data.plays());
    say("%,d customers are in S3, %,d plays in Kafka", flags.customers(), flags.events());

    statement("1. Hive", ThreeSteps.hiveTable(alluxio.uri()));
    metastore.createTable(HiveStatement.parse(ThreeSteps.hiveTable(alluxio.uri())));
    try (SqlGatewaySession session = flink.session("v2")) {
      run(session, "2. Flink", ThreeSteps.catalog(metastore.uri()));
      run(session, "", "USE CATALOG lake");
      run(session, "", ThreeSteps.events(kafka.bootstrapServers()));
      statement("3. Flink", ThreeSteps.JOIN);
      List<GatewayRow> rows = session.first(ThreeSteps.JOIN, flags.events());
      say("%,d rows; the first:", rows.size());
      rows.stream().limit(SHOWN).forEach(row -> System.out.println("           " + text(row)));
      return judge(data.joined(), rows, metastore.connections());
    }
  }

  private static Path connectorJar() throws IOException {
    Path target = Path.of(System.getProperty("leat.testservers.home", "test-servers"));
    Path folder = target.toAbsolutePath().resolveSibling("sql-connector").resolve("target");
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(
              file ->
                  file.getFileName()
                      .toString()
                      .matches("leat-sql-connector-(?!.*-sources).*\\.jar"))
          .findFirst()
          .orElseThrow(() -> new IOException("no leat-sql-connector in " + folder));
    }
  }

  private static void send(String bootstrapServers, List<String> plays)
      throws ExecutionException, InterruptedException {
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new StringSerializer(),
            new StringSerializer())) {
      List<Future<RecordMetadata>> sent = new ArrayList<>();
      for (String play : plays) {
        sent.add(producer.send(new ProducerRecord<>(ThreeSteps.TOPIC, play)));
      }
      for (Future<RecordMetadata> record : sent) {
        record.get();
      }
    }
  }

  private void run(SqlGatewaySession session, String title, String statement) {
    statement(title, statement);
    session.execute(statement);
  }

  private static void statement(String title, String statement) {
    System.out.println();
    if (!title.isEmpty()) {
      System.out.println(title);
    }
    System.out.println(statement.indent(4).stripTrailing() + ";");
  }

  private static String text(GatewayRow row) {
    return String.join(
        "  ", row.fields().stream().map(field -> field == null ? "NULL" : field).toList());
  }

  private boolean judge(
      List<List<@Nullable String>> expected, List<GatewayRow> actual, long connections) {
    Map<List<@Nullable String>, Integer> missing = new HashMap<>();
    expected.forEach(row -> missing.merge(row, 1, Integer::sum));
    int wrong = 0;
    for (GatewayRow row : actual) {
      if (missing.merge(row.fields(), -1, Integer::sum) < 0) {
        wrong++;
      }
    }
    int lost = missing.values().stream().filter(count -> count > 0).mapToInt(count -> count).sum();
    System.out.println();
    say(
        "%,d rows right, %,d wrong, %,d missing; the metastore was asked over %,d connections",
        actual.size() - wrong, wrong, lost, connections);
    return wrong == 0 && lost == 0;
  }

  private <T extends AutoCloseable> T started(T server) {
    servers.push(server);
    return server;
  }

  private void say(String format, Object... values) {
    System.out.printf(
        Locale.ROOT,
        "%7.1f s  %s%n",
        (System.nanoTime() - began) / 1e9,
        String.format(Locale.ROOT, format, values));
  }

  @Override
  public void close() {
    for (AutoCloseable server : servers) { // the last first
      try {
        server.close();
      } catch (Exception e) { // the others must be ended too
        System.err.println(server + " did not end well: " + e);
      }
    }
  }
}
