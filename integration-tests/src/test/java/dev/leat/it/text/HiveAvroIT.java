package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.avro.Avro;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.apache.avro.file.CodecFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares every cell of seeded random Avro files with what Hive's {@code AvroSerDe} makes of it.
 */
class HiveAvroIT extends AgainstHive {
  private static final String SERDE = "org.apache.hadoop.hive.serde2.avro.AvroSerDe";
  private static final long SEED = Long.getLong("leat.avro.seed", 20_261_129L);
  private static final int FILES = Integer.getInteger("leat.avro.files", 8);
  private static final int ROWS = Integer.getInteger("leat.avro.rows", 300);

  @Test
  void everyValueIsReadAsHiveReadsIt() throws IOException {
    Comparison comparison = new Comparison("AvroSerDe");
    for (int i = 0; i < FILES; i++) {
      Random random = new Random(SEED + i);
      List<Column> columns =
          new RandomTypes(random)
              .columns(6, 3).stream()
                  .map(column -> new Column(column.name(), avro(column.type())))
                  .toList();
      RandomValues values = new RandomValues(random);
      List<@Nullable Object[]> rows = new ArrayList<>();
      for (int row = 0; row < ROWS; row++) {
        rows.add(columns.stream().map(column -> values.orNull(column.type())).toArray());
      }
      Path path = fresh("case.avro");
      CodecFactory codec = i % 2 == 0 ? CodecFactory.nullCodec() : CodecFactory.deflateCodec(6);
      AvroFiles.write(path, columns, rows, codec, Map.of());
      compare(comparison, "seed " + (SEED + i), columns, path, rows);
    }
    comparison.print();
    assertThat(comparison.values())
        .containsOnlyKeys(
            EnumSet.complementOf(EnumSet.of(Kind.TINYINT, Kind.SMALLINT)).toArray(Kind[]::new));
    assertThat(comparison.givenUp()).isZero();
  }

  @Test
  void oldDatesFollowTheCalendarThatTheFileNames() throws IOException {
    Comparison comparison = new Comparison("AvroSerDe, old dates");
    List<Column> columns =
        List.of(new Column("d", ColumnType.DATE), new Column("t", ColumnType.TIMESTAMP));
    Random random = new Random(SEED);
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      LocalDate day = LocalDate.of(1 + random.nextInt(1700), 1, 1).plusDays(random.nextInt(365));
      rows.add(new Object[] {day, day.atTime(random.nextInt(24), 1, 2)});
    }
    for (String proleptic : Arrays.asList(null, "true", "false")) {
      Path path = fresh("old.avro");
      AvroFiles.write(
          path,
          columns,
          rows,
          CodecFactory.nullCodec(),
          proleptic == null ? Map.of() : Map.of("writer.proleptic", proleptic));
      compare(comparison, "proleptic " + proleptic, columns, path, rows);
    }
    comparison.print();
  }

  /** Avro has no smaller integers than INT, and texts for all keys. */
  private static ColumnType avro(ColumnType type) {
    return switch (type.kind()) {
      case TINYINT, SMALLINT -> ColumnType.INT;
      case ARRAY -> ColumnType.array(avro(type.element()));
      case MAP -> ColumnType.map(ColumnType.STRING, avro(type.value()));
      case STRUCT ->
          ColumnType.struct(
              type.fields().stream()
                  .map(field -> new Column(field.name(), avro(field.type())))
                  .toList());
      default -> type;
    };
  }

  private void compare(
      Comparison comparison,
      String what,
      List<Column> table,
      Path path,
      List<@Nullable Object[]> rows)
      throws IOException {
    Properties properties = Tables.properties(SERDE, table);
    properties.setProperty("avro.schema.literal", AvroFiles.schema(table).toString());
    Avro format = Avro.format().columns(table.toArray(Column[]::new));
    comparison.compare(
        what,
        table,
        Tables.read(format, table, path, Math.max(1_000, Files.size(path) / 3)),
        hive().rows(properties, table.size(), path),
        rows.stream().map(row -> table + " " + Arrays.deepToString(row)).toArray(String[]::new));
  }
}
