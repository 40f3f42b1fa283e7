package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.parquet.Parquet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares every cell of seeded random Parquet files with what Hive's {@code ParquetHiveSerDe}
 * makes of it.
 */
class HiveParquetIT extends AgainstHive {
  private static final String SERDE = "org.apache.hadoop.hive.ql.io.parquet.serde.ParquetHiveSerDe";
  private static final long SEED = Long.getLong("leat.parquet.seed", 20_261_129L);
  private static final int FILES = Integer.getInteger("leat.parquet.files", 8);
  private static final int ROWS = Integer.getInteger("leat.parquet.rows", 300);

  @Test
  void everyValueIsReadAsHiveReadsIt() throws IOException {
    Comparison comparison = new Comparison("ParquetHiveSerDe");
    for (long seed = SEED; seed < SEED + FILES; seed++) {
      Random random = new Random(seed);
      List<Column> columns = new RandomTypes(random).columns(6, 3);
      RandomValues values = new RandomValues(random);
      List<@Nullable Object[]> rows = new ArrayList<>();
      for (int i = 0; i < ROWS; i++) {
        rows.add(columns.stream().map(column -> values.orNull(column.type())).toArray());
      }
      Path path = fresh("case.parquet");
      ParquetFile file = new ParquetFile(random, columns);
      file.write(path, columns, rows, Map.of());
      compare(comparison, "seed " + seed + " " + file.schema(), columns, columns, path, rows);
    }
    comparison.print();
    assertThat(comparison.values()).containsOnlyKeys(Kind.values());
    assertThat(comparison.givenUp()).isZero();
  }

  @Test
  void oldDatesFollowTheCalendarThatHiveTakesFromTheFile() throws IOException {
    Comparison comparison = new Comparison("ParquetHiveSerDe, old dates");
    List<Column> columns =
        List.of(new Column("d", ColumnType.DATE), new Column("t", ColumnType.TIMESTAMP));
    List<@Nullable Object[]> rows = new ArrayList<>();
    Random random = new Random(SEED);
    for (int i = 0; i < 500; i++) {
      LocalDate day = LocalDate.of(1 + random.nextInt(1700), 1, 1).plusDays(random.nextInt(365));
      rows.add(new Object[] {day, day.atTime(random.nextInt(24), 1, 2)});
    }
    for (String proleptic : Arrays.asList(null, "true", "false")) {
      Path path = fresh("old.parquet");
      ParquetFile file = new ParquetFile(random, columns);
      file.write(
          path,
          columns,
          rows,
          proleptic == null ? Map.of() : Map.of("writer.date.proleptic", proleptic));
      compare(comparison, proleptic + " " + file.schema(), columns, columns, path, rows);
    }
    comparison.print();
  }

  @Test
  void columnsThatWereAddedOrMadeWiderAreReadAsHiveReadsThem() throws IOException {
    Comparison comparison = new Comparison("ParquetHiveSerDe, other types");
    List<Column> written =
        List.of(
            new Column("tiny", ColumnType.TINYINT),
            new Column("small", ColumnType.SMALLINT),
            new Column("whole", ColumnType.INT),
            new Column("real", ColumnType.FLOAT),
            new Column("Name", ColumnType.STRING));
    List<Column> table =
        List.of(
            new Column("NAME", ColumnType.STRING),
            new Column("added", ColumnType.parse("array<int>")),
            new Column("tiny", ColumnType.INT),
            new Column("small", ColumnType.BIGINT),
            new Column("whole", ColumnType.BIGINT),
            new Column("real", ColumnType.DOUBLE));
    Random random = new Random(SEED);
    RandomValues values = new RandomValues(random);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      rows.add(written.stream().map(column -> values.orNull(column.type())).toArray());
    }
    Path path = fresh("wider.parquet");
    new ParquetFile(random, written).write(path, written, rows, Map.of());
    compare(comparison, "wider", written, table, path, rows);
    comparison.print();
  }

  private void compare(
      Comparison comparison,
      String what,
      List<Column> written,
      List<Column> table,
      Path path,
      List<@Nullable Object[]> rows)
      throws IOException {
    Properties properties = Tables.properties(SERDE, table);
    Parquet format = Parquet.format().columns(table.toArray(Column[]::new));
    comparison.compare(
        what,
        table,
        Tables.read(format, table, path, Math.max(1_000, Files.size(path) / 3)),
        hive().rows(properties, table.size(), path),
        rows.stream().map(row -> written + " " + Arrays.deepToString(row)).toArray(String[]::new));
  }
}
