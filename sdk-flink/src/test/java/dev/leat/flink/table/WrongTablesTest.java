package dev.leat.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is wrong with a table or query is said when the query is planned. */
class WrongTablesTest {
  private static final String COLUMNS = "id STRING, n INT, tags ARRAY<STRING>";

  private TableEnvironment tables;

  @BeforeEach
  void open() {
    tables = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    tables.executeSql(
        "CREATE TABLE e (id STRING, n INT, b BIGINT, tags ARRAY<STRING>, p AS PROCTIME()) WITH"
            + " ('connector' = 'datagen')");
  }

  @Test
  void aTableWithoutAPrimaryKeyIsFine() {
    assertThat(plan(COLUMNS, Map.of(), "e.id = c.id")).contains("LookupJoin");
  }

  @Test
  void anUnknownOptionIsRefusedWithTheListOfAll() {
    assertThatThrownBy(() -> plan(COLUMNS, Map.of("leat.refresh-intervall", "1 s"), "e.id = c.id"))
        .hasRootCauseInstanceOf(ValidationException.class)
        .rootCause()
        .hasMessageContaining("Unsupported options:")
        .hasMessageContaining("leat.refresh-intervall")
        .hasMessageContaining("leat.refresh-interval\n")
        .hasMessageContaining("lookup.full-cache.periodic-reload.interval")
        .hasMessageContaining("streaming-source.partition.include");
  }

  @Test
  void aMissingOptionIsNamed() {
    tables.executeSql("CREATE TABLE c (id STRING) WITH ('connector' = 'leat', 'format' = 'text')");
    assertThatThrownBy(() -> tables.explainSql("SELECT * FROM c"))
        .rootCause()
        .hasMessageContaining("Missing required options are:")
        .hasMessageContaining("path");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          format                          | xls                  | there is no format 'xls' on the class path; there are [
          format                          | parquet              | LEAT-6005
          text.delimiter                  | ,                    | the format 'text' has no option 'delimiter'; it has
          text.field-delimiter            | ::                   | it must be one character
          path                            | customers            | has no scheme
          path                            | s3a://user:pw@b/c    | holds credentials
          leat.name                       | a/b                  | cannot name a dimension
          leat.refresh-interval           | 10 ms                | is too short
          leat.max-staleness              | 1 min                | must be longer than the time between two looks
          leat.malformed-rows.max-share   | 2                    | cannot be skipped
          leat.cache-tiers                | memcached            | there is no cache tier 'memcached' on the class path
          leat.local-disk.budget          | 0 b                  | holds no index
          lookup.cache                    | NONE                 | no single row of a file can be asked for
          lookup.full-cache.reload-strategy | TIMED              | needs a time of the day
          leat.refresh-schedule           | 0 3 * *              | has 4 fields
          leat.refresh-black-outs         | 0 * * * * for 2 h    | leave no moment of a year
          leat.min-rows                   | -1                   | cannot have -1 rows
          leat.max-shrink                 | 2                    | is not a share
          leat.keep-versions              | 0                    | cannot keep 0 versions
          leat.source-requests-per-second | 0                    | a rate of 0.0 requests a second
          leat.success-file               | a/b                  | is no name of a file
          lookup.max-retries              | 0                    | always is, once its version has been replaced
          lookup.partial-cache.max-rows   | 10                   | contradict 'lookup.cache' = 'FULL'
          streaming-source.partition.include | latest            | the table is not partitioned
          properties.connection.timeout   | 5                    | is no property of a store
          """)
  void anOptionThatMakesNoSenseIsRefused(String option, String value, String message) {
    assertThatThrownBy(() -> plan(COLUMNS, Map.of(option, value), "e.id = c.id"))
        .satisfies(
            thrown -> assertThat(thrown).hasStackTraceContaining("ValidationException"),
            thrown -> assertThat(thrown).hasStackTraceContaining(message));
  }

  @Test
  void optionsThatContradictEachOtherAreRefused() {
    assertThatThrownBy(
            () ->
                plan(
                    COLUMNS,
                    Map.of("leat.refresh-interval", "1 min", "lookup.join.cache.ttl", "2 min"),
                    "e.id = c.id"))
        .hasStackTraceContaining("contradict each other; keep one");
    assertThatThrownBy(
            () ->
                plan(
                    COLUMNS,
                    Map.of(
                        "lookup.cache", "PARTIAL", "lookup.full-cache.reload-strategy", "PERIODIC"),
                    "e.id = c.id"))
        .hasStackTraceContaining("contradict 'lookup.cache' = 'PARTIAL'");
  }

  @Test
  void optionsOfOtherConnectorsThatMeanTheSameAreTaken() {
    assertThat(
            plan(
                COLUMNS,
                Map.of(
                    "lookup.cache", "FULL",
                    "lookup.full-cache.reload-strategy", "PERIODIC",
                    "lookup.full-cache.periodic-reload.interval", "10 min",
                    "lookup.max-retries", "5"),
                "e.id = c.id"))
        .contains("LookupJoin");
    assertThat(
            plan(
                COLUMNS,
                Map.of(
                    "lookup.cache", "PARTIAL",
                    "lookup.partial-cache.max-rows", "1000",
                    "lookup.partial-cache.expire-after-write", "10 min",
                    "lookup.partial-cache.cache-missing-key", "true"),
                "e.id = c.id"))
        .contains("LookupJoin");
    assertThat(
            plan(
                COLUMNS,
                Map.of("streaming-source.enable", "false", "lookup.join.cache.ttl", "1 h"),
                "e.id = c.id"))
        .contains("LookupJoin");
  }

  @ParameterizedTest
  @CsvSource({"properties.fs.s3a.secret.key", "password", "properties.fs.s3a.session.token"})
  void aSecretIsRefusedAndNotRepeated(String option) {
    assertThatThrownBy(() -> plan(COLUMNS, Map.of(option, "hunter2"), "e.id = c.id"))
        .hasStackTraceContaining("names a secret")
        .satisfies(
            thrown -> {
              for (Throwable each = thrown; each != null; each = each.getCause()) {
                assertThat(each.getMessage()).doesNotContain("hunter2");
              }
            });
  }

  /**
   * Flink's own error around it shows all options but those whose names it holds for sensitive, and
   * does not count an access key's id among them.
   */
  @Test
  void anAccessKeyIsRefusedAndNotRepeatedByLeat() {
    assertThatThrownBy(() -> plan(COLUMNS, Map.of("fs.s3a.access.key", "hunter2"), "e.id = c.id"))
        .rootCause()
        .hasMessageContaining("'fs.s3a.access.key'")
        .hasMessageContaining("names a secret")
        .hasMessageNotContaining("hunter2");
  }

  @ParameterizedTest
  @CsvSource({
    "TIMESTAMP_LTZ(3)",
    "TIME",
    "MULTISET<STRING>",
    "'MAP<ARRAY<INT>, INT>'",
  })
  void aTypeThatNoFileHoldsIsRefused(String type) {
    assertThatThrownBy(() -> plan("id STRING, odd " + type, Map.of(), "e.id = c.id"))
        .hasStackTraceContaining("LEAT-1003")
        .hasStackTraceContaining("the column 'odd' is")
        .hasStackTraceContaining("which no file holds");
  }

  @Test
  void aKeyColumnThatDoesNotExistIsRefused() {
    assertThatThrownBy(() -> plan(COLUMNS, Map.of(), "e.id = c.customer"))
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining("Column 'customer' not found");
  }

  @Test
  void aNestedColumnIsNoKey() {
    assertThatThrownBy(() -> plan(COLUMNS, Map.of(), "e.tags = c.tags"))
        .hasStackTraceContaining(
            "cannot be looked up; join by a column that is no ARRAY, MAP or ROW");
  }

  @Test
  void whatNoTableHoldsStandsInThePlan() {
    String plan = plan(COLUMNS, Map.of(), "e.id = c.id AND c.n > 3");
    assertThat(plan).contains("where=[>(n, 3)]").contains("select=[").doesNotContain("file:");
  }

  @Test
  void thePlanOfAScanSaysWhichColumnsAndRowsItWants() {
    plan(COLUMNS, Map.of(), "e.id = c.id");

    assertThat(tables.explainSql("SELECT id FROM c WHERE n > 3"))
        .contains("table=[[default_catalog, default_database, c, ")
        .contains("filter=[>(n, 3)]")
        .contains("project=[id, n]");
  }

  /** The plan of a left join with a table. */
  private String plan(String columns, Map<String, String> options, String on) {
    Map<String, String> all = new TreeMap<>(options);
    all.putIfAbsent("connector", "leat");
    all.putIfAbsent("path", "file:///nowhere/customers");
    all.putIfAbsent("format", "text");
    tables.executeSql("DROP TABLE IF EXISTS c");
    tables.executeSql(
        "CREATE TABLE c ("
            + columns
            + ") WITH ("
            + all.entrySet().stream()
                .map(entry -> "'" + entry.getKey() + "' = '" + entry.getValue() + "'")
                .collect(Collectors.joining(", "))
            + ")");
    return tables.explainSql(
        "SELECT e.b, c.* FROM e LEFT JOIN c FOR SYSTEM_TIME AS OF e.p ON " + on);
  }
}
