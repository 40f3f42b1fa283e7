package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.EnrichedPlay;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Joins the plays with the very files of each edition of the table once more, in DuckDB, which
 * shares no line of code with Leat, and compares every output event with that.
 *
 * <p>An event is right if it is one of the plays, unchanged, and its customer's columns are those
 * of exactly the edition that it names; an event without a customer is right if no edition has one.
 * Within a partition of the plays editions must not go back. That is looked at for each file of the
 * table by itself, since a bucket's files are replaced one after the other and a version of the
 * dimension is what the listing shows.
 */
final class IndependentCheck {
  private static final int CUSTOMER_COLUMNS = 22;

  private IndependentCheck() {}

  /**
   * Checks.
   *
   * @param plays what was sent: {@code event|partition|customer|video|started|seconds}
   * @param output what was committed: {@code
   *     event|customer|video|started|seconds|tier|country|status|version|record time}
   */
  static Verdict check(Path plays, Path output, List<Edition> editions, Path directory)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = connection.createStatement()) {
      sql.execute("SET threads = 2");
      sql.execute("SET memory_limit = '1GB'");
      sql.execute("SET temp_directory = " + quoted(directory.resolve("duckdb").toString()));
      sql.execute(
          "CREATE TABLE plays AS SELECT * FROM "
              + csv(
                  List.of(plays),
                  "'event': 'BIGINT', 'partition': 'INT', 'customer': 'VARCHAR', 'video': 'VARCHAR', 'started': 'BIGINT', 'seconds': 'INT'"));
      sql.execute(
          "CREATE TABLE output AS SELECT * FROM "
              + csv(
                  List.of(output),
                  "'event': 'BIGINT', 'customer': 'VARCHAR', 'video': 'VARCHAR', 'started': 'BIGINT', 'seconds': 'INT', 'tier': 'VARCHAR', 'country': 'VARCHAR', 'status': 'VARCHAR', 'version': 'INT', 'record_time': 'BIGINT'"));
      sql.execute(
          "CREATE TABLE customers (id VARCHAR, tier VARCHAR, country VARCHAR, status VARCHAR, version INT, file INT)");
      for (Edition edition : editions) {
        for (int file = 0; file < edition.files().size(); file++) {
          // The column numbers are those of the files, not names that Leat has read. The generator
          // writes ISO 8859-1.
          sql.execute(
              "INSERT INTO customers SELECT c1, c18, c19, c20, c21, "
                  + file
                  + " FROM "
                  + csv(List.of(edition.files().get(file)), customerColumns()));
        }
      }
      return verdict(sql);
    }
  }

  /** An output event as a line of the file that {@link #check} takes. */
  static String outputLine(EnrichedPlay play, long recordTime) {
    return Stream.of(
            play.eventId(),
            play.customerId(),
            play.videoId(),
            play.startedAt(),
            play.seconds(),
            play.subscriptionTier(),
            play.countryCode(),
            play.accountStatus(),
            play.validVersion(),
            recordTime)
        .map(value -> value == null ? "" : value.toString())
        .collect(Collectors.joining("|", "", "\n"));
  }

  private static Verdict verdict(Statement sql) throws SQLException {
    sql.execute(
        """
        CREATE TABLE checked AS
        SELECT o.*, p.partition, c.file,
          p.event IS NULL
          OR o.customer IS DISTINCT FROM p.customer OR o.video IS DISTINCT FROM p.video
          OR o.started IS DISTINCT FROM p.started OR o.seconds IS DISTINCT FROM p.seconds
          OR o.record_time IS DISTINCT FROM p.started AS changed,
          CASE WHEN o.version IS NULL
            THEN o.tier IS NOT NULL OR o.country IS NOT NULL OR o.status IS NOT NULL
              OR (o.customer IS NOT NULL AND o.customer IN (SELECT id FROM customers))
            ELSE c.id IS NULL OR o.tier IS DISTINCT FROM c.tier
              OR o.country IS DISTINCT FROM c.country OR o.status IS DISTINCT FROM c.status
          END AS misjoined
        FROM output o
        LEFT JOIN plays p ON p.event = o.event
        LEFT JOIN customers c ON c.id = o.customer AND c.version = o.version
        """);
    long events = number(sql, "SELECT count(*) FROM output");
    long sent = number(sql, "SELECT count(*) FROM plays");
    long matched = number(sql, "SELECT count(*) FROM checked WHERE version IS NOT NULL");
    long nullKeys = number(sql, "SELECT count(*) FROM output WHERE customer IS NULL");
    // coalesce: a comparison that yields NULL must not hide an error
    long wrong =
        number(sql, "SELECT count(*) FROM checked WHERE coalesce(changed OR misjoined, true)");
    long lost =
        number(sql, "SELECT count(*) FROM plays WHERE event NOT IN (SELECT event FROM output)");
    long doubled = number(sql, "SELECT count(*) - count(DISTINCT event) FROM output");
    long backwards =
        number(
            sql,
            """
            SELECT count(*) FROM (
              SELECT version < max(version) OVER (
                PARTITION BY partition, file ORDER BY event ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS back
              FROM checked WHERE version IS NOT NULL) WHERE back
            """);
    List<Integer> versions = new ArrayList<>();
    try (ResultSet rows =
        sql.executeQuery(
            "SELECT DISTINCT version FROM output WHERE version IS NOT NULL ORDER BY 1")) {
      while (rows.next()) {
        versions.add(rows.getInt(1));
      }
    }
    List<String> examples = new ArrayList<>();
    try (ResultSet rows =
        sql.executeQuery(
            "SELECT event, customer, tier, country, status, version, changed FROM checked WHERE coalesce(changed OR misjoined, true) ORDER BY event LIMIT 5")) {
      while (rows.next()) {
        StringBuilder example = new StringBuilder();
        for (int i = 1; i <= 7; i++) {
          example.append(i == 1 ? "" : "|").append(rows.getString(i));
        }
        examples.add(example.toString());
      }
    }
    return new Verdict(
        sent,
        events,
        matched,
        nullKeys,
        wrong,
        lost,
        doubled,
        backwards,
        List.copyOf(versions),
        List.copyOf(examples));
  }

  private static long number(Statement sql, String query) throws SQLException {
    try (ResultSet rows = sql.executeQuery(query)) {
      rows.next();
      return rows.getLong(1);
    }
  }

  private static String csv(List<Path> files, String columns) {
    String names =
        files.stream().map(file -> quoted(file.toString())).collect(Collectors.joining(", "));
    return "read_csv(["
        + names
        + "], delim = '|', header = false, quote = '', escape = '', nullstr = '', encoding = 'latin-1', auto_detect = false, columns = {"
        + columns
        + "})";
  }

  private static String customerColumns() {
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < CUSTOMER_COLUMNS; i++) {
      columns.append("'c").append(i).append(i == 21 ? "': 'INT', " : "': 'VARCHAR', ");
    }
    return columns.append("'after_the_last_delimiter': 'VARCHAR'").toString();
  }

  private static String quoted(String text) {
    return "'" + text.replace("'", "''") + "'";
  }
}
