package dev.leat.parquet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.Formats;
import dev.leat.spi.Blob;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import dev.leat.spi.KeptRows;
import dev.leat.spi.RowFormat;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.hadoop.ParquetWriter;
import org.apache.parquet.hadoop.example.ExampleParquetWriter;
import org.apache.parquet.io.LocalOutputFile;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.MessageTypeParser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ParquetTest {
  private static final int ROWS = 30_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"uncompressed", "snappy", "gzip", "zstd", "lz4_raw"})
  void aFileThatAnotherToolCompressedIsReadInParts(String codec) throws Exception {
    Path path = directory.resolve(codec + ".parquet");
    try (Connection database = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = database.createStatement()) {
      statement.execute(
          "copy (select i as id, 'name' || i as name, (i / 4)::decimal(10,2) as money, "
              + "date '2020-01-01' + (i % 100)::int as day, i % 3 = 0 as flag, "
              + "repeat('unused', 5) as unused from range("
              + ROWS
              + ") t(i)) to '"
              + path
              + "' (format parquet, compression "
              + codec
              + ", row_group_size 4096)");
    }
    byte[] content = Files.readAllBytes(path);
    Blob file = KeptRows.blob(content);
    List<Column> columns =
        List.of(
            new Column("NAME", ColumnType.STRING),
            new Column("money", ColumnType.decimal(12, 3)),
            new Column("absent", ColumnType.INT),
            new Column("day", ColumnType.DATE),
            new Column("flag", ColumnType.BOOLEAN),
            new Column("id", ColumnType.BIGINT));
    FormatReader reader = Parquet.format().reader(columns);
    List<FileSplit> splits = reader.splits(file, Math.max(1, content.length / 4));
    assertThat(splits).hasSizeBetween(3, 5);
    KeptRows rows = new KeptRows();
    for (FileSplit split : splits) {
      reader.read(split, KeptRows.reader(content), rows);
    }
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      expected.add(
          List.of("name" + i, i * 250L, 18_262 + i % 100, i % 3 == 0 ? 1 : 0, i).toString());
    }
    assertThat(rows.rows).isEqualTo(expected);
    assertThat(Parquet.format().columnsOf(file, KeptRows.reader(content)))
        .extracting(column -> column.name() + " " + column.type().orElseThrow())
        .containsExactly(
            "id bigint",
            "name string",
            "money decimal(10,2)",
            "day date",
            "flag boolean",
            "unused string");
  }

  @Test
  void aFileOfAnotherFormatIsRefusedWithItsName() {
    byte[] content = "a|b|c\n".repeat(2_000).getBytes(StandardCharsets.US_ASCII);
    FormatReader reader = Parquet.format().reader(List.of(new Column("id", ColumnType.BIGINT)));
    Blob file = KeptRows.blob(content);
    assertThatThrownBy(
            () ->
                reader.read(
                    new FileSplit(file, 0, content.length),
                    KeptRows.reader(content),
                    new KeptRows()))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("mem:///part-0");
  }

  @Test
  void aColumnOfATypeThatHiveLacksIsToldByItsName() throws IOException {
    MessageType schema =
        MessageTypeParser.parseMessageType(
            "message t { required int32 id; required binary big (DECIMAL(50,0)); }");
    Path path = directory.resolve("big.parquet");
    try (ParquetWriter<Group> writer =
        ExampleParquetWriter.builder(new LocalOutputFile(path)).withType(schema).build()) {
      writer.write(new SimpleGroup(schema).append("id", 7).append("big", "\1"));
    }
    byte[] content = Files.readAllBytes(path);

    assertThatThrownBy(
            () -> Parquet.format().columnsOf(KeptRows.blob(content), KeptRows.reader(content)))
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.TYPE_MISMATCH))
        .hasMessageContaining("'big'")
        .hasMessageContaining("name the columns to keep");
  }

  @Test
  void theFormatIsFoundByItsName() {
    List<Column> columns = List.of(new Column("id", ColumnType.parse("map<string,int>")));
    RowFormat format = Formats.create("parquet", columns, Map.of());
    assertThat(format).isEqualTo(Parquet.format().columns(columns.toArray(Column[]::new)));
    assertThat(format.definition()).isNotEqualTo(Parquet.format().definition());
    assertThat(format.declaredColumns()).isPresent();
  }

  @Test
  void splitsCoverTheFile() {
    Blob file = KeptRows.blob(new byte[1_000]);
    assertThat(Parquet.format().reader(List.of()).splits(file, 300))
        .extracting(FileSplit::start)
        .containsExactly(0L, 300L, 600L);
  }
}
