package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.orc.Orc;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.apache.orc.CompressionKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares every cell of seeded random ORC files with what Hive's {@code OrcSerde} makes of it. */
class HiveOrcIT extends AgainstHive {
  private static final String SERDE = "org.apache.hadoop.hive.ql.io.orc.OrcSerde";
  private static final long SEED = Long.getLong("leat.orc.seed", 20_261_129L);
  private static final int FILES = Integer.getInteger("leat.orc.files", 8);
  private static final int ROWS = Integer.getInteger("leat.orc.rows", 300);

  /** Those that Hive's version of the library reads. */
  private static final List<CompressionKind> COMPRESSIONS =
      List.of(
          CompressionKind.NONE,
          CompressionKind.ZLIB,
          CompressionKind.SNAPPY,
          CompressionKind.LZ4,
          CompressionKind.ZSTD);

  @Test
  void everyValueIsReadAsHiveReadsIt() throws IOException {
    Comparison comparison = new Comparison("OrcSerde");
    for (int i = 0; i < FILES; i++) {
      Random random = new Random(SEED + i);
      List<Column> columns = new RandomTypes(random).columns(6, 3);
      List<@Nullable Object[]> rows = rows(random, columns, ROWS);
      Path path = fresh("case.orc");
      OrcFiles.write(path, columns, rows, COMPRESSIONS.get(i % COMPRESSIONS.size()), true);
      compare(comparison, "seed " + (SEED + i), columns, path, rows);
    }
    comparison.print();
    assertThat(comparison.values()).containsOnlyKeys(Kind.values());
    assertThat(comparison.givenUp()).isZero();
  }

  @Test
  void oldDatesFollowTheCalendarThatTheFileNames() throws IOException {
    Comparison comparison = new Comparison("OrcSerde, old dates");
    List<Column> columns =
        List.of(new Column("d", ColumnType.DATE), new Column("t", ColumnType.TIMESTAMP));
    Random random = new Random(SEED);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      LocalDate day = LocalDate.of(1 + random.nextInt(1700), 1, 1).plusDays(random.nextInt(365));
      rows.add(new Object[] {day, day.atTime(random.nextInt(24), 1, 2)});
    }
    for (boolean proleptic : new boolean[] {true, false}) {
      Path path = fresh("old.orc");
      OrcFiles.write(path, columns, rows, CompressionKind.ZLIB, proleptic);
      compare(comparison, "proleptic " + proleptic, columns, path, rows);
    }
    comparison.print();
  }

  @Test
  void columnsThatWereAddedRenamedOrMadeWiderAreReadAsHiveReadsThem() throws IOException {
    Comparison comparison = new Comparison("OrcSerde, other types");
    Random random = new Random(SEED);
    for (boolean named : new boolean[] {true, false}) {
      List<Column> written =
          List.of(
              new Column(named ? "tiny" : "_col0", ColumnType.TINYINT),
              new Column(named ? "whole" : "_col1", ColumnType.INT),
              new Column(named ? "real" : "_col2", ColumnType.FLOAT),
              new Column(named ? "name" : "_col3", ColumnType.STRING),
              new Column(named ? "money" : "_col4", ColumnType.decimal(10, 2)),
              new Column(named ? "large" : "_col5", ColumnType.BIGINT));
      List<Column> table =
          List.of(
              new Column("tiny", ColumnType.INT),
              new Column("whole", ColumnType.BIGINT),
              new Column("real", ColumnType.DOUBLE),
              new Column("name", ColumnType.varchar(5)),
              new Column("money", ColumnType.decimal(20, 4)),
              new Column("large", ColumnType.STRING),
              new Column("added", ColumnType.parse("array<int>")));
      List<@Nullable Object[]> rows = rows(random, written, 200);
      Path path = fresh("wider.orc");
      OrcFiles.write(path, written, rows, CompressionKind.ZLIB, true);
      compare(comparison, "named " + named, table, path, rows);
    }
    comparison.print();
  }

  private static List<@Nullable Object[]> rows(Random random, List<Column> columns, int count) {
    RandomValues values = new RandomValues(random);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      rows.add(columns.stream().map(column -> values.orNull(column.type())).toArray());
    }
    return rows;
  }

  private void compare(
      Comparison comparison,
      String what,
      List<Column> table,
      Path path,
      List<@Nullable Object[]> rows)
      throws IOException {
    Properties properties = Tables.properties(SERDE, table);
    Orc format = Orc.format().columns(table.toArray(Column[]::new));
    comparison.compare(
        what,
        table,
        Tables.read(format, table, path, Math.max(1_000, Files.size(path) / 3)),
        hive().rows(properties, table.size(), path),
        rows.stream().map(row -> table + " " + Arrays.deepToString(row)).toArray(String[]::new));
  }
}
