package dev.leat.format;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import dev.leat.spi.KeptRows;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JsonTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          tinyint        | 300                     | [44]
          tinyint        | "x"                     | [0]
          int            | 7.9                     | [7]
          int            | true                    | [1]
          bigint         | "12"                    | [12]
          bigint         | null                    | []
          bigint         | [1]                     | [?]
          boolean        | "true"                  | [1]
          boolean        | "yes"                   | [0]
          boolean        | 2                       | [1]
          double         | 1e3                     | [1000.0]
          decimal(20,3)  | 12345678901234567.125   | [12345678901234567125]
          string         | 1.0                     | [1.0]
          string         | 00                      | rejected
          string         | {"a": [1, 2]}           | [{"a":[1,2]}]
          date           | "2024-02-30"            | [?]
          date           | "2024-2-3"              | [19756]
          timestamp      | "2024-01-01 00:00:01.5" | [1704067201.500000000]
          binary         | "YWI="                  | [ab]
          binary         | "*"                     | [?]
          array<int>     | 1                       | [?]
          """)
  void aValueBecomesWhatTheColumnIs(String type, String value, String expected) throws IOException {
    Json format = Json.lines().columns(new Column("c", ColumnType.parse(type)));

    List<String> rows = read(format, "{\"other\": [1, {}], \"C\": " + value + "}\n");

    assertThat(rows).singleElement().asString().startsWith(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          tinyint | 300
          int     | "x"
          boolean | "yes"
          date    | "2024-02-30"
          """)
  void aValueThatDoesNotFitMakesItsRowMalformedWhereItIsStrict(String type, String value)
      throws IOException {
    Json format = Json.lines().strict().columns(new Column("c", ColumnType.parse(type)));

    assertThat(read(format, "{\"c\": " + value + "}"))
        .singleElement()
        .asString()
        .startsWith("rejected: the value")
        .endsWith("is not readable as " + type);
  }

  @Test
  void aLineThatIsNoObjectIsMalformedAndABlankOneIsNone() throws IOException {
    Json format = Json.lines().columns(new Column("c", ColumnType.INT));

    assertThat(read(format, "\uFEFF{\"c\":1}\n\n  \n[2]\n{\"c\":3\n{\"c\":4} and more\n{\"c\":5}"))
        .hasSize(5)
        .satisfies(
            rows -> {
              assertThat(rows.get(0)).isEqualTo("[1]");
              assertThat(rows.get(1)).startsWith("rejected: the line is no JSON object");
              assertThat(rows.get(2)).startsWith("rejected: the line is no JSON:");
              assertThat(rows.get(3)).isEqualTo("[4]");
              assertThat(rows.get(4)).isEqualTo("[5]");
            });
  }

  @Test
  void ofSeveralMembersOfANameTheLastCounts() throws IOException {
    Json format = Json.lines().columns(new Column("c", ColumnType.INT));

    assertThat(read(format, "{\"c\":1,\"C\":2}\n{\"c\":[],\"c\":3}\n"))
        .containsExactly("[2]", "[3]");
  }

  @Test
  void theMembersOfTheFirstLinesAreTheColumnsWhereNoneAreNamed() throws IOException {
    byte[] content = "{\"a\":1,\"b\":{\"x\":1}}\nno json\n{\"A\":2,\"c\":3}\n".getBytes(UTF_8);

    assertThat(Json.lines().columnsOf(KeptRows.blob(content), KeptRows.reader(content)))
        .extracting(column -> column.name())
        .containsExactly("a", "b", "c");
  }

  @Test
  void namesThatDifferInCaseOnlyAreRefused() {
    assertThatThrownBy(
            () ->
                Json.lines()
                    .columns(new Column("a", ColumnType.INT), new Column("A", ColumnType.INT)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("differ in more than their case");
  }

  private static List<String> read(Json format, String text) throws IOException {
    byte[] content = text.getBytes(UTF_8);
    FormatReader reader =
        format.reader(
            format.declaredColumns().orElseThrow().stream()
                .map(column -> new Column(column.name(), column.type().orElseThrow()))
                .toList());
    KeptRows rows = new KeptRows();
    reader.read(
        new FileSplit(KeptRows.blob(content), 0, content.length), KeptRows.reader(content), rows);
    return rows.rows;
  }
}
