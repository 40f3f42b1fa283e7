package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.avro.Avro;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.format.DelimitedText;
import dev.leat.orc.Orc;
import dev.leat.parquet.Parquet;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TimeZone;
import java.util.stream.Collectors;
import org.apache.avro.file.CodecFactory;
import org.apache.orc.CompressionKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Days and times of all formats as Hive reads them that runs in another time zone than UTC, while
 * our own process is in a third one, which must not matter.
 */
class HiveTimeZoneIT {
  private static final String HIVE = "org.apache.hadoop.hive.";
  private static final long SEED = Long.getLong("leat.zone.seed", 20_261_130L);
  private static final int ROWS = Integer.getInteger("leat.zone.rows", 400);
  private static final long EARLIEST = Instant.parse("1900-01-01T00:00:00Z").getEpochSecond();
  private static final int YEARS = 200;

  private static final List<Column> COLUMNS =
      List.of(new Column("day", ColumnType.DATE), new Column("at", ColumnType.TIMESTAMP));

  private final TimeZone before = TimeZone.getDefault();

  @ParameterizedTest
  @ValueSource(strings = {"America/New_York", "Asia/Kolkata"})
  void timesAreReadAsHiveReadsThemInItsZone(String name, @TempDir Path directory)
      throws IOException {
    ZoneId zone = ZoneId.of(name);
    Random random = new Random(SEED);
    List<@Nullable Object[]> rows = rows(random, zone);
    Comparison comparison = new Comparison("readers in " + name);
    TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Apia"));
    try (HiveOracle oracle = new HiveOracle(directory, "-Duser.timezone=" + name)) {
      for (String writer : Arrays.asList(null, "Europe/Berlin")) {
        Map<String, String> extra = writer == null ? Map.of() : Map.of("writer.time.zone", writer);
        // Each with the schema drawn anew: INT96, INT64 as an instant or as it stands.
        for (int i = 0; i < 8; i++) {
          ParquetFile file = new ParquetFile(random, COLUMNS);
          Path path = directory.resolve("case.parquet");
          Files.deleteIfExists(path);
          file.write(path, COLUMNS, rows, extra);
          compare(
              comparison,
              oracle,
              "seed " + SEED + " " + file.schema() + " " + extra,
              HIVE + "ql.io.parquet.serde.ParquetHiveSerDe",
              Parquet.format().columns(columns()).timeZone(zone),
              path,
              rows);
        }
        Path avro = directory.resolve("case.avro");
        Files.deleteIfExists(avro);
        AvroFiles.write(avro, COLUMNS, rows, CodecFactory.nullCodec(), extra);
        compare(
            comparison,
            oracle,
            "seed " + SEED + " avro " + extra,
            HIVE + "serde2.avro.AvroSerDe",
            Avro.format().columns(columns()).timeZone(zone),
            avro,
            rows);
      }
      Path orc = directory.resolve("case.orc");
      OrcFiles.write(orc, COLUMNS, rows, CompressionKind.NONE, true);
      compare(
          comparison,
          oracle,
          "seed " + SEED + " orc",
          HIVE + "ql.io.orc.OrcSerde",
          Orc.format().columns(columns()),
          orc,
          rows);
      Path text = directory.resolve("case.text");
      Files.write(
          text,
          rows.stream()
              .map(row -> row[0] + "\u0001" + row[1].toString().replace('T', ' '))
              .collect(Collectors.toList()));
      compare(
          comparison,
          oracle,
          "seed " + SEED + " text",
          HIVE + "serde2.lazy.LazySimpleSerDe",
          DelimitedText.separatedBy('\u0001').columns(columns()),
          text,
          rows);
    } finally {
      TimeZone.setDefault(before);
    }
    comparison.print();
    assertThat(comparison.values()).containsOnlyKeys(Kind.DATE, Kind.TIMESTAMP);
    assertThat(comparison.givenUp()).isZero();
  }

  /** Times at random, and those about the changes of the zone's offset. */
  private static List<@Nullable Object[]> rows(Random random, ZoneId zone) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    while (rows.size() < ROWS) {
      Instant at =
          Instant.ofEpochSecond(
              EARLIEST + (long) (random.nextDouble() * YEARS * 365.25 * 86_400),
              random.nextInt(1_000) * 1_000_000L);
      ZoneOffsetTransition change = zone.getRules().nextTransition(at);
      if (change != null && random.nextBoolean()) {
        at = change.getInstant().plusMillis(random.nextInt(14_400_000) - 7_200_000L);
      }
      LocalDateTime time = LocalDateTime.ofInstant(at, ZoneOffset.UTC);
      rows.add(new Object[] {time.toLocalDate(), time});
    }
    return rows;
  }

  private static Column[] columns() {
    return COLUMNS.toArray(Column[]::new);
  }

  private static void compare(
      Comparison comparison,
      HiveOracle oracle,
      String what,
      String serde,
      RowFormat format,
      Path path,
      List<@Nullable Object[]> rows)
      throws IOException {
    Properties properties = Tables.properties(serde, COLUMNS);
    comparison.compare(
        what,
        COLUMNS,
        Tables.read(format, COLUMNS, path, Files.size(path)),
        oracle.rows(properties, COLUMNS.size(), path),
        rows.stream().map(Arrays::deepToString).toArray(String[]::new));
  }
}
