package dev.leat.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.flink.table.SqlCluster.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.DataTypes.Field;
import org.apache.flink.table.api.Schema;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Lookup joins on a local Flink over files of the local disk, with the real engine. */
class LookupJoinTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final List<Field> PLAY =
      List.of(DataTypes.FIELD("id", DataTypes.STRING()), DataTypes.FIELD("v", DataTypes.INT()));

  @TempDir private static Path host;
  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

  @RegisterExtension
  private static final MiniClusterExtension CLUSTER = SqlCluster.in(() -> host, 4, METRICS);

  @TempDir private Path directory;
  private Path customers;
  private Session session;

  @BeforeEach
  void prepare() throws IOException {
    session = SqlCluster.streaming();
    customers = Files.createDirectory(directory.resolve("customers"));
    publish("anna|gold|DE|1", "boris|free|FR|2", "anna|silver|IT|3");
    createTable("");
    session.createView(
        "plays",
        PLAY,
        List.of(
            Row.of("anna", 1), Row.of("boris", 2), Row.of("nobody", 3), Row.of((String) null, 4)),
        Map.of("proc_time", "PROCTIME()"));
  }

  @AfterEach
  void nothingIsLeft() {
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(
                        Thread.getAllStackTraces().keySet().stream()
                            .map(Thread::getName)
                            .filter(name -> name.startsWith("leat-")))
                    .isEmpty());
  }

  @AfterAll
  static void closeReporter() {
    METRICS.close();
  }

  @Test
  void aLeftJoinGivesAllRowsOfAKeyAndKeepsEveryEvent() throws Exception {
    assertThat(session.run(join("", "LEFT JOIN")))
        .containsExactlyInAnyOrder(
            Row.of(1, "gold", 1),
            Row.of(1, "silver", 3),
            Row.of(2, "free", 2),
            Row.of(3, null, null),
            Row.of(4, null, null));
  }

  @Test
  void anAsynchronousLookupGivesTheSameRows() throws Exception {
    createTable("'lookup.async' = 'true'");
    assertThat(session.tables().explainSql(join("", "LEFT JOIN"))).contains("async");
    assertThat(
            session.run(
                join("/*+ LOOKUP('table'='c','async'='true','output-mode'='ordered') */", "JOIN")))
        .containsExactlyInAnyOrder(
            Row.of(1, "gold", 1), Row.of(1, "silver", 3), Row.of(2, "free", 2));
    assertThat(
            session.tables().explainSql(join("/*+ LOOKUP('table'='c','async'='false') */", "JOIN")))
        .doesNotContain("async=[");
  }

  @Test
  void aRetryFindsARowThatCameLater() throws Exception {
    createTable("'leat.refresh-interval' = '100 ms'");
    session.createView(
        "early", PLAY, List.of(Row.of("late", 9)), Map.of("proc_time", "PROCTIME()"));
    String query =
        join(
                "/*+ LOOKUP('table'='c','retry-predicate'='lookup_miss','retry-strategy'="
                    + "'fixed_delay','fixed-delay'='200ms','max-attempts'='600') */",
                "LEFT JOIN")
            .replace("FROM plays", "FROM early");
    try (CloseableIterator<Row> rows = session.tables().executeSql(query).collect()) {
      await().atMost(SOON).untilAsserted(() -> assertThat(counts("missCount")).isPositive());
      publish("anna|gold|DE|1", "late|gold|DE|7");

      assertThat(rows).toIterable().containsExactly(Row.of(9, "gold", 7));
    }
  }

  @Test
  void retractionsMeetTheRowsThatWereJoined() throws Exception {
    session
        .tables()
        .getConfig()
        .set("table.optimizer.non-deterministic-update.strategy", "TRY_RESOLVE");
    changes("changes");

    assertThat(
            session.run(
                "SELECT e.nr, e.id, c.country FROM changes AS e LEFT JOIN customers FOR SYSTEM_TIME"
                    + " AS OF e.proc_time AS c ON e.id = c.id"))
        .containsExactlyInAnyOrder(
            Row.ofKind(RowKind.INSERT, 1, "boris", "FR"),
            Row.ofKind(RowKind.INSERT, 2, "nobody", null),
            // Flink takes every row back that it keeps in its state with a DELETE.
            Row.ofKind(RowKind.DELETE, 1, "boris", "FR"),
            Row.ofKind(RowKind.UPDATE_AFTER, 1, "carla", null),
            Row.ofKind(RowKind.DELETE, 2, "nobody", null));
  }

  @Test
  void aQueryWithMiniBatchesGivesTheSameRows() throws Exception {
    session.tables().getConfig().set("table.exec.mini-batch.enabled", "true");
    session.tables().getConfig().set("table.exec.mini-batch.allow-latency", "1 s");
    session.tables().getConfig().set("table.exec.mini-batch.size", "100");

    List<Row> rows =
        session.run(
            "SELECT c.country, COUNT(*) FROM plays AS e JOIN customers FOR SYSTEM_TIME AS OF"
                + " e.proc_time AS c ON e.id = c.id GROUP BY c.country");
    assertThat(rows).extracting(row -> row.getField(0)).containsExactlyInAnyOrder("DE", "IT", "FR");
  }

  @Test
  void queriesOfOneStatementThatDifferInTheConditionOnlyKeepTheirRows() throws Exception {
    String query =
        "SELECT e.v, c.tier FROM plays AS e LEFT JOIN customers FOR SYSTEM_TIME AS OF e.proc_time"
            + " AS c ON e.id = c.id AND c.country ";
    assertThat(session.run(query + "<> 'DE' UNION ALL " + query + "<> 'FR'"))
        .containsExactlyInAnyOrder(
            Row.of(1, "silver"),
            Row.of(2, "free"),
            Row.of(3, null),
            Row.of(4, null),
            Row.of(1, "gold"),
            Row.of(1, "silver"),
            Row.of(2, null),
            Row.of(3, null),
            Row.of(4, null));
  }

  @Test
  void onlyTheColumnsAndRowsOfTheQueryAreInTheIndex() throws Exception {
    session.run(
        "SELECT e.v, c.tier FROM plays AS e JOIN customers FOR SYSTEM_TIME AS OF e.proc_time AS c"
            + " ON e.id = c.id WHERE c.country = 'IT'");
    assertThat(gauges("numCachedRecords")).contains(1L);
  }

  @Test
  void flinksCacheMetricsStandWhereItsOwnCachesHaveThem() throws Exception {
    session.run(join("", "JOIN"));
    assertThat(counts("hitCount")).isPositive();
    assertThat(gauges("loadCount")).contains(1L);
    assertThat(gauges("numLoadFailures")).contains(0L);
    assertThat(gauges("latestLoadTime")).isNotEmpty();
    assertThat(gauges("numCachedRecords")).contains(3L);
    assertThat(gauges("numCachedBytes")).isNotEmpty();
  }

  @Test
  void nestedColumnsBecomeArraysMapsAndRows() throws Exception {
    Path nested = Files.createDirectory(directory.resolve("nested"));
    Files.writeString(
        nested.resolve("part-0"),
        "anna|x\u0002y|k\u00031\u0002l\u00032|7\u0002seven\n".replace('|', '\u0001'));
    session.execute(
        "CREATE TABLE nested (id STRING, tags ARRAY<STRING>, counts MAP<STRING, INT>, pair ROW<n"
            + " INT, t STRING>) WITH ('connector' = 'leat', 'format' = 'text', 'path' = '"
            + nested.toUri()
            + "')");

    Row expected =
        Row.of("anna", new String[] {"x", "y"}, Map.of("k", 1, "l", 2), Row.of(7, "seven"));
    assertThat(
            session.run(
                "SELECT c.id, c.tags, c.counts, c.pair FROM plays AS e JOIN nested FOR SYSTEM_TIME"
                    + " AS OF e.proc_time AS c ON e.id = c.id"))
        .containsExactly(expected);
    assertThat(session.run("SELECT * FROM nested")).containsExactly(expected);
  }

  private void changes(String name) {
    session
        .tables()
        .createTemporaryView(
            name,
            session
                .tables()
                .fromChangelogStream(
                    session
                        .environment()
                        .fromData(
                            List.of(
                                Row.ofKind(RowKind.INSERT, 1, "boris"),
                                Row.ofKind(RowKind.INSERT, 2, "nobody"),
                                Row.ofKind(RowKind.UPDATE_BEFORE, 1, "boris"),
                                Row.ofKind(RowKind.UPDATE_AFTER, 1, "carla"),
                                Row.ofKind(RowKind.DELETE, 2, "nobody")),
                            Types.ROW_NAMED(new String[] {"nr", "id"}, Types.INT, Types.STRING)),
                    Schema.newBuilder()
                        .column("nr", DataTypes.INT().notNull())
                        .column("id", DataTypes.STRING())
                        .columnByExpression("proc_time", "PROCTIME()")
                        .primaryKey("nr")
                        .build()));
  }

  private static String join(String hint, String kind) {
    return "SELECT "
        + hint
        + " e.v, c.tier, c.n FROM plays AS e "
        + kind
        + " customers FOR SYSTEM_TIME AS OF e.proc_time AS c ON e.id = c.id";
  }

  /** Replaces the table's file at once. */
  private void publish(String... lines) throws IOException {
    Path draft = directory.resolve("draft");
    Files.write(draft, List.of(lines));
    Files.move(
        draft,
        customers.resolve("part-0"),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private void createTable(String option) {
    session.execute("DROP TABLE IF EXISTS customers");
    session.execute(
        "CREATE TABLE customers (id STRING, tier STRING, country STRING, n INT) WITH ("
            + "'connector' = 'leat', 'format' = 'text', 'text.field-delimiter' = '|', 'path' = '"
            + customers.toUri()
            + "', 'leat.name' = 'customers-"
            + directory.getFileName()
            + "'"
            + (option.isEmpty() ? "" : ", " + option)
            + ")");
  }

  /** The sum of a counter of Flink's cache group over all jobs of this test's tables. */
  private long counts(String name) {
    return metrics(name).stream().mapToLong(metric -> ((Counter) metric).getCount()).sum();
  }

  private List<Object> gauges(String name) {
    return metrics(name).stream().map(metric -> (Object) ((Gauge<?>) metric).getValue()).toList();
  }

  /** Those directly below the operators that have metrics of this test's dimension. */
  private List<Metric> metrics(String name) {
    String own = ".leat.customers-" + directory.getFileName() + ".cache." + name;
    Set<String> operators = new HashSet<>();
    identified(
        (id, metric) -> {
          if (id.endsWith(own)) {
            operators.add(id.substring(0, id.length() - own.length()));
          }
        });
    List<Metric> found = new ArrayList<>();
    identified(
        (id, metric) -> {
          if (operators.stream().anyMatch(operator -> id.equals(operator + ".cache." + name))) {
            found.add(metric);
          }
        });
    return found;
  }

  private static void identified(BiConsumer<String, Metric> each) {
    METRICS
        .getMetricsByGroup()
        .forEach(
            (group, byName) ->
                byName.forEach(
                    (metric, value) -> each.accept(group.getMetricIdentifier(metric), value)));
  }
}
