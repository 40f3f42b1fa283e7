package dev.leat.it.hive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.Dimension;
import dev.leat.alluxio.Alluxio;
import dev.leat.flink.Enrichment;
import dev.leat.hive.HiveMetastore;
import dev.leat.s3.S3StoreProvider;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import dev.leat.testserver.HiveTable;
import dev.leat.testserver.RealAlluxio;
import dev.leat.testserver.RealHiveMetastore;
import dev.leat.testserver.RealKafka;
import dev.leat.testserver.RealS3;
import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.table.api.TableResult;
import org.apache.flink.table.api.bridge.java.StreamTableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.util.CloseableIterator;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** SQL over the tables of a real metastore, with real Kafka, S3 and Alluxio. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeatCatalogIT {
  private static final String BUCKET = "streamedge-datalake";
  private static final Duration SOON = Duration.ofSeconds(180);
  private static final String JOIN =
      "SELECT e.event_id, e.video_id, c.subscription_tier, c.country_code FROM video_events AS e"
          + " LEFT JOIN %s FOR SYSTEM_TIME AS OF e.proc_time AS c"
          + " ON e.customer_id = c.customer_id";

  @TempDir private Path temporary;
  private RealS3 s3;
  private RealAlluxio alluxio;
  private RealKafka kafka;
  private RealHiveMetastore metastore;
  private KafkaProducer<String, String> producer;

  private StreamExecutionEnvironment environment;
  private StreamTableEnvironment tables;
  private String topic;

  @BeforeAll
  void startServers() {
    s3 = RealS3.start(BUCKET);
    alluxio = RealAlluxio.start(s3, BUCKET);
    kafka = RealKafka.start();
    metastore = RealHiveMetastore.start();
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringSerializer(),
            new StringSerializer());
  }

  @AfterAll
  void stopServers() {
    producer.close();
    metastore.close();
    kafka.close();
    alluxio.close();
    s3.close();
  }

  @BeforeEach
  void openSession() {
    Map<String, String> settings = new HashMap<>(s3.hadoopProperties());
    settings.put("io.tmp.dirs", temporary.resolve(UUID.randomUUID().toString()).toString());
    settings.put("restart-strategy.type", "none");
    environment =
        StreamExecutionEnvironment.createLocalEnvironment(1, Configuration.fromMap(settings));
    tables = StreamTableEnvironment.create(environment);
    tables.executeSql(
        "CREATE CATALOG lake WITH ('type' = 'leat', 'hive.metastore.uris' = '"
            + metastore.uri()
            + "', 'leat.refresh-interval' = '200 ms')");
    tables.executeSql("USE CATALOG lake");
    topic = "video-plays-" + UUID.randomUUID();
    kafka.createTopic(topic, 1);
  }

  @AfterEach
  void closeSession() throws Exception {
    environment.close();
  }

  @Test
  void theThreeStepsRunAsPeopleWriteThem() throws Exception {
    put("customers/part-0", "anna|gold|DE|active\nboris|free|FR|active\n");
    List<String> before = objects("customers");
    metastore.createTable(customers("customer_dimension", "customers"));

    tables.executeSql(videoEvents());
    TableResult result = tables.executeSql(String.format(JOIN, "customer_dimension"));

    play("e1", "anna", "v1");
    play("e2", "nobody", "v2");
    play("e3", "boris", "v3");
    try (CloseableIterator<Row> rows = result.collect()) {
      assertThat(next(rows, 3))
          .containsExactly(
              Row.of("e1", "v1", "gold", "DE"),
              Row.of("e2", "v2", null, null),
              Row.of("e3", "v3", "free", "FR"));
    }
    assertThat(objects("customers")).as("below the table's location").isEqualTo(before);
  }

  @Test
  void whileAJobRunsTheMetastoreMayGoAwayAndIsNotAsked() throws Exception {
    put("away/part-0", "anna|gold|DE|active\n");
    metastore.createTable(customers("away", "away"));
    tables.executeSql(videoEvents());
    TableResult result = tables.executeSql(String.format(JOIN, "away"));
    long connections = metastore.connections();
    metastore.shut();
    try (CloseableIterator<Row> rows = result.collect()) {
      play("e1", "anna", "v1");
      assertThat(next(rows, 1)).containsExactly(Row.of("e1", "v1", "gold", "DE"));

      put("away/part-0", "anna|platinum|DE|active\n");
      readUntil(rows, "platinum");
    } finally {
      metastore.open();
    }
    assertThat(metastore.connections()).isEqualTo(connections);
  }

  @Test
  void aTableThatIsAlteredOrDroppedWhileAJobRunsIsReadAsItWasDefined() throws Exception {
    put("changing/part-0", "anna|gold|DE|active\n");
    metastore.createTable(customers("changing", "changing"));
    tables.executeSql(videoEvents());
    TableResult result = tables.executeSql(String.format(JOIN, "changing"));
    try (CloseableIterator<Row> rows = result.collect()) {
      play("e1", "anna", "v1");
      assertThat(next(rows, 1)).containsExactly(Row.of("e1", "v1", "gold", "DE"));

      metastore.alterTable(customers("changing", "changing").serdeProperty("escape.delim", "g"));
      put("changing/part-0", "anna|good|DE|active\n");
      readUntil(rows, "good");

      metastore.dropTable("default", "changing");
      put("changing/part-0", "anna|better|DE|active\n");
      readUntil(rows, "better");
    }
    assertThatThrownBy(() -> tables.executeSql(String.format(JOIN, "changing")))
        .hasMessageContaining("changing");
  }

  @Test
  void partitionsHaveSerdePropertiesOfTheirOwnAndNewOnesAreFound() throws Exception {
    put("by-day/dt=2026-01-01/part-0", "anna|gold|DE|active\n");
    put("elsewhere/second/part-0", "boris;free;FR;active;Paris\n");
    HiveTable table = customers("by_day", "by-day").partitionedBy("dt", "date");
    metastore.createTable(table);
    metastore.addPartition(
        HiveTable.partitionOf("default", "by_day", "2026-01-01")
            .location(at("by-day/dt=2026-01-01")));
    metastore.alterTable(table.column("city", "string"));
    metastore.addPartition(
        HiveTable.partitionOf("default", "by_day", "2026-01-02")
            .location(at("elsewhere/second"))
            .serdeProperty("field.delim", ";"));
    tables.executeSql(videoEvents());

    TableResult result =
        tables.executeSql(
            "SELECT e.event_id, c.subscription_tier, c.city, CAST(c.dt AS STRING) FROM video_events"
                + " AS e LEFT JOIN by_day /*+ OPTIONS('leat.index-columns' = 'TABLE') */"
                + " FOR SYSTEM_TIME AS OF e.proc_time AS c"
                + " ON e.customer_id = c.customer_id");

    try (CloseableIterator<Row> rows = result.collect()) {
      play("e1", "anna", "v1");
      play("e2", "boris", "v1");
      assertThat(next(rows, 2))
          .containsExactly(
              Row.of("e1", "gold", null, "2026-01-01"),
              Row.of("e2", "free", "Paris", "2026-01-02"));

      put("by-day/dt=2026-01-03/part-0", "carla|silver|IT|active|Roma\n");
      assertThat(untilFound(rows, "carla"))
          .satisfies(
              row -> assertThat(row.getField(1)).isEqualTo("silver"),
              row -> assertThat(row.getField(2)).isEqualTo("Roma"),
              row -> assertThat(row.getField(3)).isEqualTo("2026-01-03"));
    }
    assertThat(query("SHOW PARTITIONS by_day"))
        .extracting(row -> row.getField(0))
        .containsExactly("dt=2026-01-01", "dt=2026-01-02");
  }

  @Test
  void theLatestPartitionIsTheTable() throws Exception {
    put("latest/dt=1/part-0", "anna|old|DE|active\n");
    put("latest/dt=2/part-0", "anna|new|DE|active\n");
    metastore.createTable(
        customers("latest", "latest")
            .partitionedBy("dt", "int")
            .parameter("streaming-source.enable", "true")
            .parameter("streaming-source.partition.include", "latest"));
    for (String dt : List.of("1", "2")) {
      metastore.addPartition(
          HiveTable.partitionOf("default", "latest", dt).location(at("latest/dt=" + dt)));
    }
    tables.executeSql(videoEvents());
    TableResult result = tables.executeSql(String.format(JOIN, "latest"));
    try (CloseableIterator<Row> rows = result.collect()) {
      play("e1", "anna", "v1");
      assertThat(next(rows, 1)).containsExactly(Row.of("e1", "v1", "new", "DE"));

      put("latest/dt=10/part-0", "anna|newest|DE|active\n");
      readUntil(rows, "newest");
    }
  }

  @Test
  void theBuilderMakesADimensionOfTheSameTable() throws Exception {
    put("built/part-0", "anna|gold|DE|active\n");
    metastore.createTable(customers("built", "built"));
    Dimension<String, Customer> customers =
        HiveMetastore.at(metastore.uri())
            .dimension("default.built")
            .rows(Customer.class)
            .keyedBy(String.class, "customer_id");

    try (CloseableIterator<String> out =
        Enrichment.from(environment.fromData("anna", "nobody"))
            .leftJoin(customers)
            .on(id -> id)
            .cachedIn(Alluxio.at(alluxio.uri()))
            .combine(
                (id, customer) -> id + " " + customer.map(Customer::countryCode).orElse("-"),
                String.class)
            .executeAndCollect()) {
      assertThat(out).toIterable().containsExactly("anna DE", "nobody -");
    }
  }

  @Test
  void aTableWithoutFilesOrWithoutPartitionsSaysSo() {
    metastore.createTable(customers("without_files", "nothing-here"));
    metastore.createTable(customers("no_days", "no-days-here").partitionedBy("dt", "string"));
    tables.executeSql(videoEvents());

    for (String table : List.of("without_files", "no_days")) {
      assertThatThrownBy(
              () -> {
                try (CloseableIterator<Row> rows =
                    tables.executeSql(String.format(JOIN, table)).collect()) {
                  play("e1", "anna", "v1");
                  rows.next();
                }
              })
          .hasStackTraceContaining("LEAT-2001");
    }
  }

  @Test
  void theCatalogShowsWhatTheMetastoreHas() {
    metastore.createDatabase("media");
    metastore.createTable(
        HiveTable.named("media", "plays")
            .column("id", "bigint")
            .column("tags", "array<string>")
            .column("at", "struct<day:date,price:decimal(10,2)>")
            .column("first_seen", "timestamp")
            .parameter("numRows", "42")
            .parameter("numFiles", "3")
            .parameter("totalSize", "4096")
            .location(at("plays")));

    assertThat(query("SHOW DATABASES").stream().map(row -> row.getField(0)))
        .contains("default", "media");
    tables.executeSql("USE media");
    assertThat(query("SHOW TABLES")).containsExactly(Row.of("plays"));
    assertThat(query("DESCRIBE plays"))
        .extracting(row -> row.getField(0) + " " + row.getField(1))
        .containsExactly(
            "id BIGINT",
            "tags ARRAY<STRING>",
            "at ROW<`day` DATE, `price` DECIMAL(10, 2)>",
            "first_seen TIMESTAMP(9)");
    assertThat(query("SHOW CREATE TABLE plays").get(0).getField(0).toString())
        .contains("'connector' = 'leat'", "'format' = 'text'", "'leat.refresh-interval' = '200 ms'")
        .contains("'text.field-delimiter' = '\\u0001'");
  }

  @Test
  void onlyTablesOfTheSessionCanBeMadeAndDropped() {
    metastore.createTable(customers("kept", "kept"));

    tables.executeSql(videoEvents());
    tables.executeSql("CREATE VIEW recent AS SELECT * FROM video_events");
    assertThat(query("SHOW TABLES").stream().map(row -> row.getField(0)))
        .contains("kept", "video_events");
    assertThat(query("SHOW VIEWS").stream().map(row -> row.getField(0))).contains("recent");
    tables.executeSql("DROP VIEW recent");
    tables.executeSql("ALTER TABLE video_events RENAME TO plays");
    tables.executeSql("DROP TABLE plays");

    assertFails("DROP TABLE kept", "does not change it");
    assertFails("ALTER TABLE kept SET ('leat.name' = 'x')", "does not change it");
    assertFails("CREATE DATABASE another", "does not change it");
    assertFails(videoEvents().replace("video_events", "kept"), "kept");
  }

  @Test
  void whatCannotBeReadFailsAtPlanning() {
    metastore.createTable(customers("a_view", "x").view("SELECT 1"));
    metastore.createTable(customers("a_union", "x").column("odd", "uniontype<int>"));
    metastore.createTable(customers("a_sequence", "x").storedAs(HiveTable.Storage.SEQUENCEFILE));
    metastore.createTable(customers("good", "x"));
    tables.executeSql(videoEvents());

    assertFails(String.format(JOIN, "a_view"), "LEAT-6003: the table default.a_view is a view");
    assertFails(String.format(JOIN, "a_union"), "LEAT-6004");
    assertFails(String.format(JOIN, "a_sequence"), "SequenceFileInputFormat");
    assertFails(String.format(JOIN, "not_there"), "not_there");
    assertFails(
        String.format(JOIN, "good").replace("c.customer_id", "c.no_such_column"), "no_such_column");
    metastore.shut();
    try {
      assertFails(String.format(JOIN, "good"), "LEAT-6001");
      assertFails(
          "CREATE CATALOG other WITH ('type' = 'leat', 'hive.metastore.uris' = '"
              + metastore.uri()
              + "')",
          "LEAT-6001");
    } finally {
      metastore.open();
    }
  }

  @Test
  void optionsOfTheCatalogAreChecked() {
    String catalog = "CREATE CATALOG c WITH ('type' = 'leat', 'hive.metastore.uris' = '%s'%s)";
    assertFails(String.format(catalog, "localhost:9083", ""), "write thrift://host:9083");
    assertFails(String.format(catalog, metastore.uri(), ", 'no-such' = '1'"), "no-such");
    assertFails(
        String.format(catalog, metastore.uri(), ", 'default-database' = 'nowhere'"),
        "has no database 'nowhere'");
    assertFails(
        String.format(catalog, metastore.uri(), ", 'time-zone' = 'Mars/Base'"), "is no time zone");
    assertFails(
        String.format(catalog, metastore.uri(), ", 'hive-conf-dir' = '/nowhere'"), "not by both");
    assertFails("CREATE CATALOG c WITH ('type' = 'leat')", "not by neither");
    assertFails(
        "CREATE CATALOG c WITH ('type' = 'leat', 'hive-conf-dir' = '/nowhere')",
        "hive-site.xml cannot be read");
    assertThatThrownBy(
            () ->
                tables.executeSql(
                    String.format(
                        catalog, metastore.uri(), ", 'properties.fs.s3a.secret.key' = 'hunter2'")))
        .satisfies(
            thrown -> {
              for (Throwable t = thrown; t != null; t = t.getCause()) {
                assertThat(String.valueOf(t.getMessage())).doesNotContain("hunter2");
              }
            })
        .hasStackTraceContaining("names a secret");
  }

  @Test
  void theAddressOfTheMetastoreMayStandInAHiveSite() throws Exception {
    Files.writeString(
        temporary.resolve("hive-site.xml"),
        "<configuration><property><name>hive.metastore.uris</name><value>"
            + metastore.uri()
            + "</value></property></configuration>");

    tables.executeSql(
        "CREATE CATALOG by_site WITH ('type' = 'leat', 'hive-conf-dir' = '" + temporary + "')");

    assertThat(query("SHOW DATABASES IN by_site")).contains(Row.of("default"));
  }

  /** A row of the builder's. */
  public record Customer(String customerId, String countryCode) implements Serializable {}

  private static HiveTable customersOf(String name) {
    return HiveTable.named("default", name)
        .column("customer_id", "string")
        .column("subscription_tier", "string")
        .column("country_code", "string")
        .column("account_status", "string")
        .serdeProperty("field.delim", "|")
        .serdeProperty("serialization.format", "|");
  }

  private HiveTable customers(String name, String prefix) {
    return customersOf(name).location(at(prefix));
  }

  /** The location of a prefix as the issue writes it: through Alluxio. */
  private String at(String prefix) {
    return alluxio.uri() + "/s3/" + BUCKET + "/" + prefix;
  }

  private String videoEvents() {
    return "CREATE TABLE video_events (event_id STRING, customer_id STRING, video_id STRING,"
        + " event_time TIMESTAMP(3), proc_time AS PROCTIME()) WITH ('connector' = 'kafka',"
        + " 'topic' = '"
        + topic
        + "', 'properties.bootstrap.servers' = '"
        + kafka.bootstrapServers()
        + "', 'scan.startup.mode' = 'earliest-offset', 'format' = 'json')";
  }

  private void play(String event, String customer, String video) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                topic,
                String.format(
                    "{\"event_id\":\"%s\",\"customer_id\":\"%s\",\"video_id\":\"%s\","
                        + "\"event_time\":\"2026-11-29 12:00:00.000\"}",
                    event, customer, video)))
        .get();
  }

  private void put(String key, String text) {
    s3.put(BUCKET, key, text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> objects(String prefix) throws IOException {
    URI location = Blob.uriOf("s3a", BUCKET, "/" + prefix);
    try (BlobStore store =
        new S3StoreProvider().open(location, new StoreContext(s3.hadoopProperties()))) {
      return store.list(location).stream().map(Blob::toString).sorted().toList();
    }
  }

  private static List<Row> next(CloseableIterator<Row> rows, int count) {
    List<Row> read = new ArrayList<>();
    while (read.size() < count) {
      read.add(rows.next());
    }
    return read;
  }

  /** Plays on until an event of anna has a tier; fails where none has it soon. */
  private void readUntil(CloseableIterator<Row> rows, String tier) throws Exception {
    long deadline = System.nanoTime() + SOON.toNanos();
    for (Row row = untilNext(rows, "anna"); !tier.equals(row.getField(2)); ) {
      assertThat(System.nanoTime()).as("'%s' comes in time", tier).isLessThan(deadline);
      row = untilNext(rows, "anna");
    }
  }

  private Row untilFound(CloseableIterator<Row> rows, String customer) throws Exception {
    long deadline = System.nanoTime() + SOON.toNanos();
    Row row = untilNext(rows, customer);
    while (row.getField(1) == null) {
      assertThat(System.nanoTime()).as("'%s' comes in time", customer).isLessThan(deadline);
      row = untilNext(rows, customer);
    }
    return row;
  }

  private Row untilNext(CloseableIterator<Row> rows, String customer) throws Exception {
    play("again", customer, "v");
    return rows.next();
  }

  private List<Row> query(String statement) {
    List<Row> rows = new ArrayList<>();
    tables.executeSql(statement).collect().forEachRemaining(rows::add);
    return rows;
  }

  private void assertFails(String statement, String message) {
    assertThatThrownBy(() -> tables.executeSql(statement)).hasStackTraceContaining(message);
  }
}
