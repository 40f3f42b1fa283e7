package dev.leat.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.FileSplit;
import dev.leat.spi.KeptRows;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CsvTest {
  private static final List<Column> TWO =
      List.of(new Column("a", ColumnType.STRING), new Column("b", ColumnType.STRING));

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          x,y               | [x, y]
          "x,1",y           | [x,1, y]
           "he said ""hi""\",y  | [he said "hi", y]
          x\\,y             | [x, y]
          "x\\"y",z         | [x"y, z]
          ,y                | [, y]
          x                 | [x]
          x,y,z             | [x, y]
          x,"not closed     | [x]
          """)
  void cellsAreCutAsHiveCutsThem(String line, String expected) throws IOException {
    assertThat(read(Csv.commaSeparated().columns("a", "b"), TWO, line + "\n"))
        .containsExactly(expected);
  }

  @Test
  void theMarksAreThoseOfTheFormat() throws IOException {
    Csv format = Csv.separatedBy(';').quotedBy('\'').escapedBy('/').columns("a", "b");

    assertThat(read(format, TWO, "'x;1';'it/'s'\r\n\"x\";y"))
        .containsExactly("[x;1, it's]", "[\"x\", y]");
  }

  @Test
  void aNullMarkerIsNoText() throws IOException {
    Csv format = Csv.commaSeparated().columns("a", "b").nullMarker("");

    assertThat(read(format, TWO, "x,\n,y\n")).containsExactly("[x]", "[y]");
  }

  @Test
  void typedColumnsAreReadAsInDelimitedText() throws IOException {
    List<Column> typed =
        List.of(new Column("n", ColumnType.INT), new Column("d", ColumnType.parse("decimal(5,2)")));
    Csv format = Csv.commaSeparated().columns(typed.toArray(Column[]::new));

    assertThat(read(format, typed, "\"7\",1.255\nx,2\n,3\n"))
        .containsExactly("[7, 126]", "[?, 200]", "[300]");
    assertThat(read(format.strict(), typed, "7\nx,2\n7,2\n"))
        .satisfies(
            rows -> {
              assertThat(rows.get(0))
                  .isEqualTo("rejected: the line has 1 whole cells for 2 columns");
              assertThat(rows.get(1)).startsWith("rejected: ");
              assertThat(rows.get(2)).isEqualTo("[7, 200]");
            });
  }

  @Test
  void aHeaderNamesTheCellsInAnyOrder() throws IOException {
    Csv format = Csv.commaSeparated().withHeader();

    assertThat(read(format, TWO, "b,\"A\",\ny,x,z\n")).containsExactly("[x, y]");
    assertThatThrownBy(() -> read(format, TWO, "b,c\ny,x\n"))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.COLUMN_NOT_FOUND))
        .hasMessageContaining("no column 'a'")
        .hasMessageContaining("[b, c]");
  }

  @Test
  void linesAtBothEndsAreLeftOut() throws IOException {
    Csv format = Csv.commaSeparated().columns("a", "b").skipHeaderLines(1).skipFooterLines(1);

    assertThat(read(format, TWO, "name,value\nx,y\ntotal,1\n")).containsExactly("[x, y]");
  }

  @Test
  void anotherCharacterSetIsRead() throws IOException {
    Csv format = Csv.commaSeparated().columns("a", "b").charset(StandardCharsets.ISO_8859_1);
    byte[] content = "é,ü\n".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(read(format, TWO, content)).containsExactly("[é, ü]");
  }

  private static List<String> read(Csv format, List<Column> columns, String text)
      throws IOException {
    return read(format, columns, text.getBytes(UTF_8));
  }

  private static List<String> read(Csv format, List<Column> columns, byte[] content)
      throws IOException {
    KeptRows rows = new KeptRows();
    format
        .reader(columns)
        .read(
            new FileSplit(KeptRows.blob(content), 0, content.length),
            KeptRows.reader(content),
            rows);
    return rows.rows;
  }
}
