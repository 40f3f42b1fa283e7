package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Partitions;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.orc.Orc;
import dev.leat.parquet.Parquet;
import dev.leat.spi.RowFormat;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.orc.CompressionKind;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nothing of the files is asked for but the number of their rows, and their first column is of a
 * type that no text can stand for.
 */
class PartitionColumnsOnlyTest {
  private static final Column DAY = new Column("dt", ColumnType.STRING);
  private static final Column NUMBER = new Column("n", ColumnType.BIGINT);
  private static final Column TAGS = new Column("tags", ColumnType.parse("array<string>"));

  @TempDir Path directory;
  @TempDir Path disk;

  @Test
  void ofParquetWithANestedColumnFirst() throws Exception {
    Path file = partition().resolve("part-0.parquet");
    new ParquetFile(new Random(1), List.of(TAGS, NUMBER))
        .write(file, List.of(TAGS, NUMBER), rows(List.of("x"), 1L), Map.of());

    assertRead(Parquet.format().columns(TAGS, NUMBER));
  }

  @Test
  void ofOrcWithANestedColumnFirst() throws Exception {
    Path file = partition().resolve("part-0.orc");
    OrcFiles.write(
        file, List.of(TAGS, NUMBER), rows(List.of("x"), 1L), CompressionKind.SNAPPY, true);

    assertRead(Orc.format().columns(TAGS, NUMBER));
  }

  /** As Hive once wrote them: columns are found by position. */
  @Test
  void ofOrcWithoutNames() throws Exception {
    Path file = partition().resolve("part-0.orc");
    List<Column> unnamed =
        List.of(new Column("_col0", NUMBER.type()), new Column("_col1", TAGS.type()));
    OrcFiles.write(file, unnamed, rows(1L, List.of("x")), CompressionKind.SNAPPY, true);

    assertRead(Orc.format().columns(NUMBER, TAGS));
  }

  private Path partition() throws Exception {
    return Files.createDirectories(directory.resolve("dt=2026-01-02"));
  }

  private static List<@Nullable Object[]> rows(Object... row) {
    return List.of(row, row);
  }

  private void assertRead(RowFormat format) throws Exception {
    Dimension<DimensionKey, ?> dimension =
        Dimension.named("days")
            .at(directory.toUri().toString())
            .partitionedBy(Partitions.inDirectories(DAY))
            .rows(List.of(DAY), format)
            .keyedBy("dt");
    try (DimensionService<DimensionKey, ?> service =
        DimensionServices.acquire(
            new ServiceRequest<>(
                dimension,
                DuplicateKeys.KEEP_LAST,
                List.of(LocalDisk.at(disk)),
                Refresh.every(Duration.ofHours(1)),
                Staleness.serveForever()),
            new ServiceEnvironment(Map.of(), disk, Clock.systemUTC()))) {
      service.awaitFirstVersion();
      try (DimensionReader<DimensionKey, ?> reader = service.reader()) {
        assertThat(reader.find(DimensionKey.of("2026-01-02"))).isNotNull();
        assertThat(reader.find(DimensionKey.of("2026-01-03"))).isNull();
      }
      assertThat(service.statistics().served().orElseThrow().duplicateKeys()).isEqualTo(1);
    }
  }
}
