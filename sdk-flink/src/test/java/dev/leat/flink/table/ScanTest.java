package dev.leat.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.flink.table.SqlCluster.Session;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.flink.runtime.testutils.InMemoryReporter;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.types.Row;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tables that are read as a whole. */
class ScanTest {
  @TempDir private static Path host;
  private static final InMemoryReporter METRICS = InMemoryReporter.createWithRetainedMetrics();

  @RegisterExtension
  private static final MiniClusterExtension CLUSTER = SqlCluster.in(() -> host, 4, METRICS);

  @TempDir private Path directory;
  private Session session;

  @BeforeEach
  void open() {
    session = SqlCluster.streaming();
  }

  @AfterAll
  static void closeReporter() {
    METRICS.close();
  }

  @Test
  void allTypesAreRead() throws Exception {
    write(
        "part-0",
        "anna|1|2|3|4|1.5|2.5|12.30|true|2026-01-02|2026-01-02 03:04:05.678|ab",
        "\\N|\\N|\\N|\\N|\\N|\\N|\\N|\\N|\\N|\\N|\\N|\\N");
    session.execute(
        "CREATE TABLE t (s STRING, i INT, b BIGINT, t TINYINT, m SMALLINT, f FLOAT, d DOUBLE, p"
            + " DECIMAL(10, 2), x BOOLEAN, born DATE, ts TIMESTAMP(3), c CHAR(4)) "
            + options());

    assertThat(session.run("SELECT * FROM t"))
        .containsExactlyInAnyOrder(
            Row.of(
                "anna",
                1,
                2L,
                (byte) 3,
                (short) 4,
                1.5f,
                2.5,
                new BigDecimal("12.30"),
                true,
                LocalDate.of(2026, 1, 2),
                LocalDateTime.of(2026, 1, 2, 3, 4, 5, 678_000_000),
                "ab  "),
            Row.of(new Object[12]));
  }

  /** Nor is that of the JVM: the formats' own tests are run in another one than Hive's. */
  @Test
  void theZoneOfTheSessionChangesNoTimestampOnlyWhatAQueryMakesOfIt() throws Exception {
    write("part-0", "2026-01-02 03:04:05.678");
    session.execute("CREATE TABLE t (ts TIMESTAMP(9)) " + options());
    String query =
        "SELECT ts, CAST(ts AS TIMESTAMP_LTZ(3)) FROM t WHERE ts = TIMESTAMP '2026-01-02 03:04:05.678'";
    LocalDateTime local = LocalDateTime.of(2026, 1, 2, 3, 4, 5, 678_000_000);

    for (String zone : List.of("UTC", "Asia/Kolkata", "America/New_York")) {
      session.tables().getConfig().setLocalTimeZone(ZoneId.of(zone));

      assertThat(session.run(query))
          .containsExactly(Row.of(local, local.atZone(ZoneId.of(zone)).toInstant()));
    }
  }

  @Test
  void aProjectionAConditionAndACountAreRead() throws Exception {
    write("part-0", "anna|1|x", "boris|2|y");
    write("part-1", "carla|3|x");
    session.execute("CREATE TABLE t (name STRING, n INT, kind STRING) " + options());

    assertThat(session.run("SELECT n, name FROM t WHERE kind = 'x' AND n > 1"))
        .containsExactly(Row.of(3, "carla"));
    List<Row> counts = session.run("SELECT COUNT(*) FROM t");
    assertThat(counts.get(counts.size() - 1).getField(0)).isEqualTo(3L);
  }

  @Test
  void manyFilesAreReadInParallelEachOnce() throws Exception {
    for (int file = 0; file < 20; file++) {
      int base = file * 1000;
      write(
          "part-" + file,
          IntStream.range(0, 1000).mapToObj(i -> "" + (base + i)).toArray(String[]::new));
    }
    session.execute("CREATE TABLE t (n INT) " + options());

    assertThat(
            session.run("SELECT n FROM t").stream().map(row -> (Integer) row.getField(0)).sorted())
        .containsExactlyElementsOf(IntStream.range(0, 20_000).boxed().toList());
  }

  @Test
  void aTableWhoseFirstColumnIsNestedIsReadAndCounted() throws Exception {
    write("part-0", "x\u0002y|anna", "z|boris");
    session.execute("CREATE TABLE t (tags ARRAY<STRING>, id STRING) " + options());

    assertThat(session.run("SELECT tags FROM t"))
        .containsExactlyInAnyOrder(
            Row.of((Object) new String[] {"x", "y"}), Row.of((Object) new String[] {"z"}));
    assertThat(session.run("SELECT * FROM t WHERE id = 'boris'"))
        .containsExactly(Row.of(new String[] {"z"}, "boris"));
    List<Row> counts = session.run("SELECT COUNT(*) FROM t");
    assertThat(counts.get(counts.size() - 1).getField(0)).isEqualTo(2L);
  }

  @Test
  void moreMalformedRowsThanAreAllowedFailAScanToo() throws Exception {
    write(
        "part-0",
        IntStream.range(0, 20_000)
            .mapToObj(i -> i % 100 == 0 ? "{broken" : "{\"n\":" + i + "}")
            .toArray(String[]::new));
    String table =
        "CREATE TABLE %s (n INT) WITH ('connector' = 'leat', 'format' = 'json', 'path' = '%s' %s)";
    String path = directory.toUri().toString();
    session.execute(table.formatted("few", path, ", 'leat.malformed-rows.max-rows' = '199'"));
    session.execute(table.formatted("standard", path, ""));
    session.execute(table.formatted("many", path, ", 'leat.malformed-rows.max-share' = '0.01'"));

    assertThatThrownBy(() -> session.run("SELECT n FROM few"))
        .hasStackTraceContaining("LEAT-2005")
        .hasStackTraceContaining("200 of a part, more than 199");
    assertThatThrownBy(() -> session.run("SELECT n FROM standard"))
        .hasStackTraceContaining("200 of the 20000 rows of a part are malformed");
    assertThat(session.run("SELECT n FROM many")).hasSize(19_800);
  }

  @Test
  void partitionsAreColumnsAndArePruned() throws Exception {
    write("dt=2026-01-01/part-0", "anna|1");
    write("dt=2026-01-02/part-0", "boris|2");
    write("dt=__HIVE_DEFAULT_PARTITION__/part-0", "carla|3");
    session.execute(
        "CREATE TABLE t (name STRING, dt DATE, n INT) PARTITIONED BY (dt) " + options());

    assertThat(session.run("SELECT * FROM t"))
        .containsExactlyInAnyOrder(
            Row.of("anna", LocalDate.of(2026, 1, 1), 1),
            Row.of("boris", LocalDate.of(2026, 1, 2), 2),
            Row.of("carla", null, 3));
    assertThat(session.run("SELECT name FROM t WHERE dt = DATE '2026-01-02'"))
        .containsExactly(Row.of("boris"));
    assertThat(session.run("SELECT DISTINCT dt FROM t WHERE dt IS NOT NULL")).hasSize(2);
  }

  @Test
  void theLatestPartitionIsTheTable() throws Exception {
    write("dt=2026-01-01/part-0", "anna|1");
    write("dt=2026-01-02/part-0", "anna|2");
    session.execute(
        "CREATE TABLE t (name STRING, n INT, dt STRING) PARTITIONED BY (dt) "
            + options("'streaming-source.partition.include' = 'latest'"));

    assertThat(session.run("SELECT * FROM t")).containsExactly(Row.of("anna", 2, "2026-01-02"));
    session.createView(
        "e",
        List.of(
            org.apache.flink.table.api.DataTypes.FIELD(
                "name", org.apache.flink.table.api.DataTypes.STRING())),
        List.of(Row.of("anna")),
        Map.of("p", "PROCTIME()"));
    assertThat(
            session.run(
                "SELECT e.name, t.n, t.dt FROM e JOIN t FOR SYSTEM_TIME AS OF e.p ON e.name ="
                    + " t.name"))
        .containsExactly(Row.of("anna", 2, "2026-01-02"));
  }

  private void write(String file, String... lines) throws IOException {
    Path path = directory.resolve("t").resolve(file);
    Files.createDirectories(path.getParent());
    Files.write(path, List.of(lines));
  }

  private String options(String... further) {
    return "WITH ('connector' = 'leat', 'format' = 'text', 'text.field-delimiter' = '|', 'path' = '"
        + directory.resolve("t").toUri()
        + "'"
        + (further.length == 0 ? "" : ", " + String.join(", ", further))
        + ")";
  }
}
