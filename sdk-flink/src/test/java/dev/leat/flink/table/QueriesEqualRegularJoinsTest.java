package dev.leat.flink.table;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.flink.table.SqlCluster.Session;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.DataTypes.Field;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Lookup joins give what Flink's own regular join gives over the same rows. The queries are put
 * together of keys, kinds of join and conditions, eight in one job.
 */
class QueriesEqualRegularJoinsTest {
  private static final long SEED = 20261129;
  private static final int DIMENSION_ROWS = 300;
  private static final int EVENTS = 60;
  private static final String LOOKUP = "dim FOR SYSTEM_TIME AS OF e.proc_time";
  private static final int QUERIES_PER_JOB = 8;

  private static final List<Field> FIELDS =
      List.of(
          DataTypes.FIELD("id", DataTypes.STRING()),
          DataTypes.FIELD("n", DataTypes.INT()),
          DataTypes.FIELD("b", DataTypes.BIGINT()),
          DataTypes.FIELD("t", DataTypes.TINYINT()),
          DataTypes.FIELD("s", DataTypes.SMALLINT()),
          DataTypes.FIELD("f", DataTypes.FLOAT()),
          DataTypes.FIELD("d", DataTypes.DOUBLE()),
          DataTypes.FIELD("price", DataTypes.DECIMAL(10, 2)),
          DataTypes.FIELD("total", DataTypes.DECIMAL(30, 5)),
          DataTypes.FIELD("flag", DataTypes.BOOLEAN()),
          DataTypes.FIELD("born", DataTypes.DATE()),
          DataTypes.FIELD("seen", DataTypes.TIMESTAMP(3)),
          DataTypes.FIELD("precise", DataTypes.TIMESTAMP(9)),
          DataTypes.FIELD("note", DataTypes.VARCHAR(20)),
          DataTypes.FIELD("code", DataTypes.CHAR(2)));

  private static final String[] KEYS = {
    "e.id = c.id",
    "c.n = e.n",
    "e.b = c.b",
    "e.t = c.t",
    "e.s = c.s",
    "e.d = c.d",
    "e.f = c.f",
    "e.price = c.price",
    "e.total = c.total",
    "e.flag = c.flag AND e.t = c.t",
    "e.born = c.born",
    "e.seen = c.seen",
    "e.precise = c.precise",
    "e.note = c.note",
    "e.code = c.code",
    "e.n = c.n AND e.id = c.id",
    "e.id = c.id AND c.n = e.n AND e.flag = c.flag",
    "UPPER(e.id) = UPPER(e.id) AND LOWER(e.id) = c.id",
    "CAST(e.n AS BIGINT) = c.b",
    "e.id = c.id AND e.b > c.b",
    "e.id = c.id AND c.d IS NOT NULL",
    "e.id = c.id AND c.flag",
    "e.id = c.id AND NOT c.flag",
    "e.id = c.id AND c.code = 'DE'",
    "e.id = c.id AND c.note = 'x1'",
    "e.id = c.id AND c.note IN ('x1', 'x2', 'nowhere')",
    "e.id = c.id AND c.note NOT IN ('x1', 'x2')",
    "e.id = c.id AND c.note <> 'x1'",
    "e.id = c.id AND (c.note = 'x1' OR c.n > 3)",
    "e.id = c.id AND c.n BETWEEN 2 AND 5",
    "e.id = c.id AND c.n + 1 = 4",
    "e.id = c.id AND 3 < c.n",
    "e.id = c.id AND c.price > 3",
    "e.id = c.id AND c.price = 2.5",
    "e.id = c.id AND c.price < CAST(4 AS DOUBLE)",
    "e.id = c.id AND c.f >= 1.5 AND c.d < 4",
    "e.id = c.id AND c.born >= DATE '2026-01-03'",
    "e.id = c.id AND c.seen < TIMESTAMP '2026-01-04 00:00:00'",
    "e.id = c.id AND c.precise < TIMESTAMP '2026-01-04 00:00:00.000000002'",
    "e.id = c.id AND c.note LIKE 'x%'",
    "e.id = c.id AND c.n IS NULL",
    "e.id = c.id AND (c.n IS NULL OR c.n <> 2)",
    "c.n = 3",
    "c.id = 'k1' AND e.n = c.n",
  };

  @TempDir private static Path host;
  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

  @RegisterExtension
  private static final MiniClusterExtension CLUSTER = SqlCluster.in(() -> host, 1, METRICS);

  private static Session streaming;
  private static Session batch;

  @BeforeAll
  static void makeTables() throws IOException {
    List<Row> dimension = rows(new Random(SEED), DIMENSION_ROWS);
    List<Row> events = rows(new Random(SEED + 1), EVENTS);
    for (int i = 0; i < events.size(); i++) {
      events.set(i, Row.join(Row.of(i), events.get(i)));
    }
    Path files = Files.createDirectory(host.resolve("dimension"));
    Files.write(
        files.resolve("part-0"),
        dimension.subList(0, 200).stream().map(QueriesEqualRegularJoinsTest::line).toList());
    Files.write(
        files.resolve("part-1"),
        dimension.subList(200, DIMENSION_ROWS).stream()
            .map(QueriesEqualRegularJoinsTest::line)
            .toList());
    streaming = SqlCluster.streaming();
    batch = SqlCluster.batch();
    List<Field> ofEvents =
        Stream.concat(Stream.of(DataTypes.FIELD("nr", DataTypes.INT())), FIELDS.stream()).toList();
    for (Session session : List.of(streaming, batch)) {
      session.execute(
          "CREATE TABLE dim ("
              + FIELDS.stream()
                  .map(f -> f.getName() + " " + f.getDataType().getLogicalType())
                  .collect(Collectors.joining(", "))
              + ") WITH ('connector' = 'leat', 'format' = 'text', 'text.field-delimiter' = '|',"
              + " 'path' = '"
              + files.toUri()
              + "')");
      session.createView("reference", FIELDS, dimension, Map.of());
      session.createView("events", ofEvents, events, Map.of("proc_time", "PROCTIME()"));
    }
  }

  @AfterAll
  static void closeReporter() {
    METRICS.close();
  }

  @Test
  void streamingLookupsEqualBatchJoins() throws Exception {
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < KEYS.length; i++) {
      queries.add(new Query(i % 2 == 0 ? "LEFT JOIN" : "JOIN", KEYS[i], "TRUE"));
    }
    compare(queries, streaming, LOOKUP);
  }

  @Test
  void batchLookupsEqualBatchJoins() throws Exception {
    compare(
        IntStream.range(0, KEYS.length)
            .filter(i -> i % 3 == 1)
            .mapToObj(i -> new Query("LEFT JOIN", KEYS[i], "TRUE"))
            .toList(),
        batch,
        LOOKUP);
  }

  @Test
  void batchJoinsWithScansEqualBatchJoins() throws Exception {
    compare(
        IntStream.range(0, KEYS.length)
            .filter(i -> i % 3 == 2)
            .mapToObj(i -> new Query("JOIN", KEYS[i], "TRUE"))
            .toList(),
        batch,
        "dim");
  }

  @Test
  void conditionsBehindTheJoinAreKept() throws Exception {
    List<Query> queries = new ArrayList<>();
    for (String where :
        List.of(
            "c.n > 2",
            "c.n IS NULL",
            "c.note = 'x1' OR c.note IS NULL",
            "e.n > c.n",
            "COALESCE(c.note, 'none') <> 'x1'",
            "c.price > 2 AND e.nr < 30",
            "c.flag IS NOT TRUE",
            "CHAR_LENGTH(c.note) = 2")) {
      queries.add(new Query("JOIN", "e.id = c.id", where));
      queries.add(new Query("LEFT JOIN", "e.id = c.id", where));
    }
    compare(queries, streaming, LOOKUP);
  }

  /** With a DECIMAL, Flink holds NaN for larger than all numbers, and -0 for less than 0. */
  @Test
  void numbersThatAreNoneAreComparedAsInARegularJoin() throws Exception {
    Path files = Files.createDirectory(host.resolve("odd"));
    List<Double> numbers = List.of(Double.NaN, -0.0, 0.0, 1.5, 7.5, Double.NEGATIVE_INFINITY);
    Files.write(files.resolve("part-0"), numbers.stream().map(d -> "k|" + d).toList());
    streaming.execute(
        "CREATE TABLE odd (id STRING, d DOUBLE) WITH ('connector' = 'leat', 'format' = 'text',"
            + " 'text.field-delimiter' = '|', 'path' = '"
            + files.toUri()
            + "')");
    List<Field> fields =
        List.of(
            DataTypes.FIELD("id", DataTypes.STRING()), DataTypes.FIELD("d", DataTypes.DOUBLE()));
    batch.createView(
        "odd_reference", fields, numbers.stream().map(d -> Row.of("k", d)).toList(), Map.of());
    List<Field> ofKeys = fields.subList(0, 1);
    streaming.createView(
        "odd_keys", ofKeys, List.of(Row.of("k")), Map.of("proc_time", "PROCTIME()"));
    batch.createView("odd_keys", ofKeys, List.of(Row.of("k")), Map.of());

    for (String condition :
        List.of("c.d > 4.5", "c.d < 0.0", "c.d >= 0.0", "c.d > 4.5E0", "c.d < 0", "c.d <> 1.5")) {
      String query =
          "SELECT CAST(c.d AS STRING) FROM odd_keys AS e JOIN %s AS c ON e.id = c.id AND ";

      assertThat(
              streaming.run(query.formatted("odd FOR SYSTEM_TIME AS OF e.proc_time") + condition))
          .as(condition)
          .containsExactlyInAnyOrderElementsOf(
              batch.run(query.formatted("odd_reference") + condition));
    }
  }

  private static void compare(List<Query> queries, Session session, String dimension)
      throws Exception {
    int rows = 0;
    for (int from = 0; from < queries.size(); from += QUERIES_PER_JOB) {
      List<Query> some = queries.subList(from, Math.min(from + QUERIES_PER_JOB, queries.size()));
      Map<Integer, List<String>> actual = results(session, some, dimension);
      Map<Integer, List<String>> expected = results(batch, some, "reference");
      for (int i = 0; i < some.size(); i++) {
        assertThat(actual.getOrDefault(i, List.of()))
            .as("%s (seed %d)", some.get(i), SEED)
            .isEqualTo(expected.getOrDefault(i, List.of()));
        rows += expected.getOrDefault(i, List.of()).size();
      }
    }
    System.out.printf(
        "Compared with Flink's regular joins: %d queries, %d rows, with the table '%s'%n",
        queries.size(), rows, dimension);
    assertThat(rows).as("rows compared").isGreaterThan(queries.size());
  }

  /** Sorted rows by the number of their query. */
  private static Map<Integer, List<String>> results(
      Session session, List<Query> queries, String dimension) throws Exception {
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < queries.size(); i++) {
      parts.add(queries.get(i).sql(i, dimension));
    }
    Map<Integer, List<String>> results = new TreeMap<>();
    for (Row row : session.run(String.join("\nUNION ALL\n", parts))) {
      results
          .computeIfAbsent((Integer) row.getField(0), key -> new ArrayList<>())
          .add(row.toString());
    }
    results.values().forEach(list -> list.sort(null));
    return results;
  }

  /**
   * A query, in which all columns become text so that several can be one job.
   *
   * @param join the kind of join
   * @param on what is behind ON
   * @param where what is behind WHERE
   */
  private record Query(String join, String on, String where) {

    String sql(int number, String dimension) {
      // Each projection is another one.
      List<String> columns = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        String name = FIELDS.get((number * 5 + i * 7) % FIELDS.size()).getName();
        columns.add("CAST(c." + name + " AS STRING)");
      }
      return "SELECT "
          + number
          + ", e.nr, "
          + String.join(", ", columns)
          + " FROM events AS e "
          + join
          + " "
          + dimension
          + " AS c ON "
          + on
          + " WHERE "
          + where;
    }
  }

  /** Rows with few different values, so that keys meet, and with NULL in each column. */
  private static List<Row> rows(Random random, int count) {
    List<Row> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Object[] values = {
        "k" + random.nextInt(40),
        random.nextInt(7),
        (long) random.nextInt(50),
        (byte) random.nextInt(100),
        (short) random.nextInt(100),
        random.nextInt(80) / 4f,
        random.nextInt(80) / 8d,
        BigDecimal.valueOf(100 + random.nextInt(60) * 25L, 2),
        BigDecimal.valueOf(random.nextInt(60), 5).add(new BigDecimal("1234567890123456789012")),
        random.nextBoolean(),
        LocalDate.of(2026, 1, 1).plusDays(random.nextInt(40)),
        LocalDateTime.of(2026, 1, 1, 0, 0).plusHours(random.nextInt(60)).plusNanos(5_000_000),
        LocalDateTime.of(2026, 1, 1, 0, 0).plusHours(random.nextInt(60)).plusNanos(5),
        "x" + random.nextInt(40),
        random.nextBoolean() ? "DE" : "F" + random.nextInt(10),
      };
      for (int column = 0; column < values.length; column++) {
        if (random.nextInt(12) == 0) {
          values[column] = null;
        }
      }
      rows.add(Row.of(values));
    }
    return rows;
  }

  private static String line(Row row) {
    List<String> cells = new ArrayList<>();
    for (int i = 0; i < row.getArity(); i++) {
      Object value = row.getField(i);
      cells.add(value == null ? "\\N" : value.toString().replace('T', ' '));
    }
    return String.join("|", cells);
  }
}
