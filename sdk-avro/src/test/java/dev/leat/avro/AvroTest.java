package dev.leat.avro;

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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AvroTest {

  @Test
  void aFileOfAnotherFormatIsRefusedWithItsName() {
    byte[] content = "a|b|c\n".repeat(2_000).getBytes(StandardCharsets.US_ASCII);
    FormatReader reader = Avro.format().reader(List.of(new Column("id", ColumnType.BIGINT)));
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
    RowFormat format = Formats.create("avro", columns, Map.of());
    assertThat(format).isEqualTo(Avro.format().columns(columns.toArray(Column[]::new)));
    assertThat(format.definition()).isNotEqualTo(Avro.format().definition());
    assertThat(format.declaredColumns()).isPresent();
  }

  @Test
  void splitsCoverTheFile() {
    Blob file = KeptRows.blob(new byte[1_000]);
    assertThat(Avro.format().reader(List.of()).splits(file, 300))
        .extracting(FileSplit::start)
        .containsExactly(0L, 300L, 600L);
  }
}
