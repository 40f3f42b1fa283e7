package dev.leat.orc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.orc.CompressionKind;
import org.apache.orc.OrcFile;
import org.apache.orc.TypeDescription;
import org.apache.orc.Writer;
import org.apache.orc.storage.ql.exec.vector.BytesColumnVector;
import org.apache.orc.storage.ql.exec.vector.LongColumnVector;
import org.apache.orc.storage.ql.exec.vector.VectorizedRowBatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class OrcTest {
  private static final int ROWS = 5_000;

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(names = {"NONE", "ZLIB", "SNAPPY", "LZ4", "ZSTD"})
  void aFileIsReadInPartsOnTheClassPathThatUsersGet(CompressionKind compression)
      throws IOException {
    Path path = directory.resolve(compression + ".orc");
    TypeDescription schema = TypeDescription.fromString("struct<id:bigint,name:string,unused:int>");
    Configuration conf = new Configuration(false);
    conf.set("fs.file.impl", "org.apache.hadoop.fs.RawLocalFileSystem");
    // Hadoop keeps a file system for all who ask for its scheme, and others need the usual one.
    conf.set("fs.file.impl.disable.cache", "true");
    try (Writer writer =
        OrcFile.createWriter(
            new org.apache.hadoop.fs.Path(path.toUri()),
            OrcFile.writerOptions(conf)
                .setSchema(schema)
                .compress(compression)
                .stripeSize(8_192))) {
      VectorizedRowBatch batch = schema.createRowBatch(100);
      for (int i = 0; i < ROWS; i++) {
        ((LongColumnVector) batch.cols[0]).vector[batch.size] = i;
        ((BytesColumnVector) batch.cols[1])
            .setVal(batch.size, ("name" + i).getBytes(StandardCharsets.US_ASCII));
        if (++batch.size == batch.getMaxSize()) {
          writer.addRowBatch(batch);
          batch.reset();
        }
      }
    }
    byte[] content = Files.readAllBytes(path);
    Blob file = KeptRows.blob(content);
    List<Column> columns =
        List.of(
            new Column("NAME", ColumnType.STRING),
            new Column("absent", ColumnType.INT),
            new Column("id", ColumnType.BIGINT));
    FormatReader reader = Orc.format().reader(columns);
    KeptRows rows = new KeptRows();
    for (FileSplit split : reader.splits(file, Math.max(1, content.length / 3))) {
      reader.read(split, KeptRows.reader(content), rows);
    }
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < ROWS; i++) {
      expected.add(List.of("name" + i, i).toString());
    }
    assertThat(rows.rows).isEqualTo(expected);
    assertThat(Orc.format().columnsOf(file, KeptRows.reader(content)))
        .extracting(column -> column.name() + " " + column.type().orElseThrow())
        .containsExactly("id bigint", "name string", "unused int");
  }

  @Test
  void aFileOfAnotherFormatIsRefusedWithItsName() {
    byte[] content = "a|b|c\n".repeat(2_000).getBytes(StandardCharsets.US_ASCII);
    FormatReader reader = Orc.format().reader(List.of(new Column("id", ColumnType.BIGINT)));
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
  void theFormatIsFoundByItsName() {
    List<Column> columns = List.of(new Column("id", ColumnType.parse("map<string,int>")));
    RowFormat format = Formats.create("orc", columns, Map.of());
    assertThat(format).isEqualTo(Orc.format().columns(columns.toArray(Column[]::new)));
    assertThat(format.definition()).isNotEqualTo(Orc.format().definition());
    assertThat(format.declaredColumns()).isPresent();
  }

  @Test
  void splitsCoverTheFile() {
    Blob file = KeptRows.blob(new byte[1_000]);
    assertThat(Orc.format().reader(List.of()).splits(file, 300))
        .extracting(FileSplit::start)
        .containsExactly(0L, 300L, 600L);
  }
}
