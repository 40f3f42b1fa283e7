package dev.leat.it.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.testserver.FlinkLine;
import dev.leat.testserver.GatewayException;
import dev.leat.testserver.GatewayRow;
import dev.leat.testserver.HiveStatement;
import dev.leat.testserver.RealAlluxio;
import dev.leat.testserver.RealFlink;
import dev.leat.testserver.RealHiveMetastore;
import dev.leat.testserver.RealKafka;
import dev.leat.testserver.RealS3;
import dev.leat.testserver.SqlGatewaySession;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * SQL as users write it, over the REST API of Flink's SQL gateway, on both lines: JobManager,
 * TaskManager and gateway are processes of their own that have our jars in their lib folder and
 * nothing else, Kafka, S3 and Alluxio are real.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SqlGatewayIT {

  private static final String BUCKET = "streamedge-datalake";
  private static final String TOPIC = "video-plays";

  private static final String JOIN =
      "SELECT e.event_id, e.video_id, c.subscription_tier, c.country_code FROM video_events AS e"
          + " LEFT JOIN customer_dimension FOR SYSTEM_TIME AS OF e.proc_time AS c"
          + " ON e.customer_id = c.customer_id";

  private RealS3 s3;
  private RealAlluxio alluxio;
  private RealKafka kafka;
  private RealHiveMetastore metastore;
  private Profiles profiles;
  private final Map<FlinkLine, RealFlink> flinks = new EnumMap<>(FlinkLine.class);

  @BeforeAll
  void startServers(@TempDir Path directory) throws Exception {
    CompletableFuture<RealKafka> startingKafka = CompletableFuture.supplyAsync(RealKafka::start);
    s3 = RealS3.start(BUCKET);
    CompletableFuture<RealAlluxio> startingAlluxio =
        CompletableFuture.supplyAsync(() -> RealAlluxio.start(s3, BUCKET));
    List<CompletableFuture<RealFlink>> startingFlinks =
        Stream.of(FlinkLine.values())
            .map(line -> CompletableFuture.supplyAsync(() -> startFlink(line, directory)))
            .toList();
    metastore = RealHiveMetastore.start();
    kafka = startingKafka.join();
    alluxio = startingAlluxio.join();
    for (FlinkLine line : FlinkLine.values()) {
      flinks.put(line, startingFlinks.get(line.ordinal()).join());
    }
    s3.put(
        BUCKET, "customers/part-0", "anna|gold|DE|active\nboris|free|BG|active\n".getBytes(UTF_8));
    s3.put(BUCKET, "customers/part-1", "chloé|platinum|FR|\\N\n".getBytes(UTF_8));
    metastore.createTable(
        HiveStatement.parse(
            "CREATE TABLE customer_dimension (customer_id STRING, subscription_tier STRING,"
                + " country_code STRING, account_status STRING) ROW FORMAT DELIMITED FIELDS"
                + " TERMINATED BY '|' STORED AS TEXTFILE LOCATION '"
                + location()
                + "'"));
    profiles = Profiles.write(directory, s3, BUCKET);
    profiles.tables(alluxio.uri() + "/s3/" + BUCKET).forEach(metastore::createTable);
    kafka.createTopic(TOPIC, 2);
    play("e1", "anna", "v1");
    play("e2", "nobody", "v2");
    play("e3", "chloé", "v1");
    play("e4", null, "v3");
  }

  private RealFlink startFlink(FlinkLine line, Path directory) {
    RealFlink.Builder flink = RealFlink.of(line, directory.resolve("flink-" + line));
    for (SqlJar jar : SqlJar.values()) {
      flink.library(jar.path());
    }
    s3.hadoopProperties().forEach(flink::option);
    return flink.start();
  }

  private void play(String event, String customer, String video) throws Exception {
    String json =
        "{\"event_id\":\"%s\",\"customer_id\":%s,\"video_id\":\"%s\",\"event_time\":\"2026-01-01 12:00:00.123\"}"
            .formatted(event, customer == null ? "null" : '"' + customer + '"', video);
    try (KafkaProducer<String, String> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer())) {
      producer.send(new ProducerRecord<>(TOPIC, json)).get();
    }
  }

  @AfterAll
  void stopServers() {
    flinks.values().forEach(RealFlink::close);
    metastore.close();
    kafka.close();
    alluxio.close();
    s3.close();
  }

  @ParameterizedTest
  @EnumSource
  void theTemporalJoinRunsWithATableOfTheConnector(FlinkLine line) {
    try (SqlGatewaySession session = flinks.get(line).session("v1")) {
      createVideoEvents(session);
      session.execute(
          "CREATE TABLE customer_dimension (customer_id STRING, subscription_tier STRING,"
              + " country_code STRING, account_status STRING) WITH ('connector' = 'leat', 'path' ="
              + " '"
              + location()
              + "', 'format' = 'text', 'text.field-delimiter' = '|')");

      assertThat(session.first(JOIN, 4)).containsExactlyInAnyOrder(joined());
      assertNothingTellsTheSecret(session, line);
    }
  }

  private void createVideoEvents(SqlGatewaySession session) {
    session.execute(
        "CREATE TABLE video_events (event_id STRING, customer_id STRING, video_id STRING,"
            + " event_time TIMESTAMP(3), proc_time AS PROCTIME()) WITH ('connector' = 'kafka',"
            + " 'topic' = '"
            + TOPIC
            + "', 'format' = 'json', 'properties.bootstrap.servers' = '"
            + kafka.bootstrapServers()
            + "', 'scan.startup.mode' = 'earliest-offset')");
  }

  private String location() {
    return alluxio.uri() + "/s3/" + BUCKET + "/customers";
  }

  private static GatewayRow[] joined() {
    return new GatewayRow[] {
      row("e1", "v1", "gold", "DE"),
      row("e2", "v2", null, null),
      row("e3", "v1", "platinum", "FR"),
      row("e4", "v3", null, null)
    };
  }

  private static GatewayRow row(String... fields) {
    return new GatewayRow("INSERT", java.util.Arrays.asList(fields));
  }

  private void assertNothingTellsTheSecret(SqlGatewaySession session, FlinkLine line) {
    String explained = session.text("EXPLAIN " + JOIN);

    assertThat(explained).contains("LookupJoin").doesNotContain(s3.secretKey());
    assertThat(session.text("SHOW CREATE TABLE customer_dimension"))
        .contains("'connector' = 'leat'")
        .doesNotContain(s3.secretKey());
    assertThat(flinks.get(line).logs()).contains("leat").doesNotContain(s3.secretKey());
  }

  /** The statements of a user, unchanged: the first is Hive's, whose metastore gets it here. */
  @ParameterizedTest
  @EnumSource
  void theThreeStepsRunWithATableOfTheMetastore(FlinkLine line) {
    try (SqlGatewaySession session = flinks.get(line).session("v2")) {
      useCatalog(session);
      createVideoEvents(session);

      List<GatewayRow> rows = session.first(JOIN, 4);

      assertThat(rows).containsExactlyInAnyOrder(joined());
      assertNothingTellsTheSecret(session, line);
      System.out.println("Flink " + line + " through its SQL gateway:");
      rows.forEach(row -> System.out.println("  " + row.fields()));
    }
  }

  private void useCatalog(SqlGatewaySession session) {
    session.execute(
        "CREATE CATALOG lake WITH ('type' = 'leat', 'hive.metastore.uris' = '"
            + metastore.uri()
            + "')");
    session.execute("USE CATALOG lake");
  }

  /** With the jars of Parquet, ORC and Avro beside that of the connector. */
  @ParameterizedTest
  @EnumSource
  void tablesOfAllFormatsAreJoined(FlinkLine line) {
    try (SqlGatewaySession session = flinks.get(line).session("v2")) {
      useCatalog(session);
      createVideoEvents(session);

      List<GatewayRow> rows = session.first(profiles.joins(), profiles.joined().size());

      assertThat(rows).containsExactlyInAnyOrderElementsOf(profiles.joined());
      System.out.println("Flink " + line + ", all formats: " + rows.size() + " rows compared");
    }
  }

  @ParameterizedTest
  @EnumSource
  void tablesAreReadAndJoinedInBatch(FlinkLine line) {
    try (SqlGatewaySession session = flinks.get(line).session("v2")) {
      useCatalog(session);
      session.execute("SET 'execution.runtime-mode' = 'batch'");

      assertThat(session.execute("SELECT * FROM customer_dimension"))
          .containsExactlyInAnyOrder(
              row("anna", "gold", "DE", "active"),
              row("boris", "free", "BG", "active"),
              row("chloé", "platinum", "FR", null));
      assertThat(
              session.execute(
                  "SELECT c.customer_id, c.country_code, p.address.city FROM customer_dimension AS"
                      + " c LEFT JOIN profiles_parquet AS p ON c.customer_id = p.customer_id WHERE"
                      + " c.account_status = 'active'"))
          .containsExactlyInAnyOrder(row("anna", "DE", "Berlin"), row("boris", "BG", null));
      assertThat(session.text("EXPLAIN SELECT country_code FROM customer_dimension"))
          .contains("TableSourceScan")
          .contains("customer_dimension");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aWrongOptionIsAnsweredWithWhatThereIs(FlinkLine line) {
    try (SqlGatewaySession session = flinks.get(line).session("v2")) {
      session.execute(
          "CREATE TABLE wrong (id STRING) WITH ('connector' = 'leat', 'path' = '"
              + location()
              + "', 'format' = 'text', 'no-such-option' = '1')");

      assertThatThrownBy(() -> session.execute("SELECT * FROM wrong"))
          .isInstanceOf(GatewayException.class)
          .hasMessageContaining("no-such-option")
          .hasMessageContaining("leat.refresh-interval");
    }
  }

  @ParameterizedTest
  @EnumSource
  void nothingElseOnTheClassPathIsOursOrHadoops(FlinkLine line) throws IOException {
    Path servers = Path.of("").toAbsolutePath().resolveSibling("test-servers");
    String classPath =
        Files.readString(servers.resolve("flink-" + line + "-server/target/server.classpath"));

    assertThat(classPath.split(File.pathSeparator))
        .noneMatch(entry -> entry.contains("/org/apache/hadoop/"))
        .noneMatch(entry -> entry.contains("/alluxio/"))
        .filteredOn(entry -> entry.contains("/target/"))
        .as("the class that ends the process with us")
        .singleElement()
        .asString()
        .contains("/launcher/target/");
  }
}
