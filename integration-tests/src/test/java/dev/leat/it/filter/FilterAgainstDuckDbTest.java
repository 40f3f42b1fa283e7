package dev.leat.it.filter;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Partitions;
import dev.leat.Refresh;
import dev.leat.RowFilter;
import dev.leat.Staleness;
import dev.leat.format.Column;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random filters over random rows of a table that is partitioned by one of its columns: the index
 * has exactly the rows that DuckDB's {@code WHERE} gives. {@code -Dleat.filters=n} tries more.
 */
class FilterAgainstDuckDbTest {
  private static final int FILTERS = Integer.getInteger("leat.filters", 60);
  private static final int ROWS = 300;

  @TempDir private Path directory;

  @Test
  void anIndexHasTheRowsThatADatabaseFindsByTheSameFilter() throws Exception {
    long seed = Long.getLong("leat.seed", System.nanoTime());
    RandomFilters random = new RandomFilters(seed);
    List<List<@Nullable Object>> rows = new ArrayList<>();
    for (int id = 0; id < ROWS; id++) {
      List<@Nullable Object> row = new ArrayList<>();
      for (Column column : RandomFilters.COLUMNS) {
        row.add(column.name().equals("id") ? (Integer) id : random.cell(column));
      }
      rows.add(row);
    }
    write(rows);
    int kept = 0;
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement sql = connection.createStatement()) {
      load(sql, rows);
      for (int i = 0; i < FILTERS; i++) {
        RowFilter filter = random.filter(3);
        TreeSet<Integer> expected = ids(sql, filter);
        assertThat(idsOfIndex(filter))
            .as("seed %d, filter %d: %s", seed, i, filter)
            .isEqualTo(expected);
        kept += expected.size();
      }
    }
    assertThat(kept).as("filters that keep some and not all").isBetween(1, ROWS * FILTERS - 1);
  }

  private void write(List<List<@Nullable Object>> rows) throws IOException {
    Map<String, StringBuilder> files = new TreeMap<>();
    for (List<@Nullable Object> row : rows) {
      Object part = row.get(row.size() - 1);
      files
          .computeIfAbsent(
              "part=" + Objects.requireNonNullElse(part, "__HIVE_DEFAULT_PARTITION__"),
              key -> new StringBuilder())
          .append(
              row.subList(0, row.size() - 1).stream()
                  .map(FilterAgainstDuckDbTest::text)
                  .collect(Collectors.joining("|", "", "\n")));
    }
    for (Map.Entry<String, StringBuilder> file : files.entrySet()) {
      Path target = directory.resolve("table").resolve(file.getKey()).resolve("rows.txt");
      Files.createDirectories(Objects.requireNonNull(target.getParent()));
      Files.writeString(target, file.getValue());
    }
  }

  private static String text(@Nullable Object value) {
    return value == null
        ? "\\N"
        : value instanceof LocalDateTime
            ? value.toString().replace('T', ' ') + end(value)
            : value.toString();
  }

  /** The seconds, which Java leaves out where they are zero. */
  private static String end(Object time) {
    return time.toString().length() == "2024-03-01T00:00".length() ? ":00" : "";
  }

  private static void load(Statement sql, List<List<@Nullable Object>> rows) throws SQLException {
    sql.execute("SET threads = 1");
    sql.execute(
        RandomFilters.COLUMNS.stream()
            .map(column -> '"' + column.name() + "\" " + duckDbType(column))
            .collect(Collectors.joining(", ", "CREATE TABLE t (", ")")));
    sql.execute(
        rows.stream()
            .map(
                row ->
                    row.stream()
                        .map(RandomFilters::sqlLiteral)
                        .collect(Collectors.joining(",", "(", ")")))
            .collect(Collectors.joining(",", "INSERT INTO t VALUES ", "")));
  }

  private static String duckDbType(Column column) {
    return switch (column.type().kind()) {
      case STRING -> "VARCHAR";
      case INT -> "INTEGER";
      default -> column.type().toString();
    };
  }

  private static TreeSet<Integer> ids(Statement sql, RowFilter filter) throws SQLException {
    TreeSet<Integer> ids = new TreeSet<>();
    try (ResultSet found =
        sql.executeQuery("SELECT id FROM t WHERE " + RandomFilters.sql(filter))) {
      while (found.next()) {
        ids.add(found.getInt(1));
      }
    }
    return ids;
  }

  private TreeSet<Integer> idsOfIndex(RowFilter filter) throws InterruptedException {
    int columns = RandomFilters.COLUMNS.size();
    Column part = RandomFilters.COLUMNS.get(columns - 1);
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("filtered")
            .at(directory.resolve("table").toUri().toString())
            .partitionedBy(Partitions.inDirectories(part))
            .rows(
                // Most columns of the filter are none of the row's.
                List.of(RandomFilters.COLUMNS.get(0), RandomFilters.COLUMNS.get(8)),
                DelimitedText.separatedBy('|')
                    .columns(RandomFilters.COLUMNS.subList(0, columns - 1).toArray(Column[]::new)))
            .keyedBy("id")
            .where(filter);
    ServiceRequest<DimensionKey, DimensionRow> request =
        new ServiceRequest<>(
            dimension,
            DuplicateKeys.FAIL,
            List.of(LocalDisk.at(directory.resolve("disk"))),
            Refresh.never(),
            Staleness.serveForever());
    TreeSet<Integer> ids = new TreeSet<>();
    try (DimensionService<DimensionKey, DimensionRow> service =
        DimensionServices.acquire(
            request,
            new ServiceEnvironment(Map.of(), directory.resolve("tmp"), Clock.systemUTC()))) {
      service.awaitFirstVersion();
      try (DimensionReader<DimensionKey, DimensionRow> reader = service.reader()) {
        for (int id = 0; id < ROWS; id++) {
          if (reader.find(DimensionKey.of(id)) != null) {
            ids.add(id);
          }
        }
      }
    }
    return ids;
  }
}
