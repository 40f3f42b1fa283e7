package dev.leat.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.spi.RowFormatFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FormatsTest {
  private static final List<Column> COLUMNS =
      List.of(new Column("id", ColumnType.INT), new Column("name", ColumnType.STRING));

  @Test
  void textWithoutOptionsIsHivesDefault() {
    assertThat(Formats.create("text", COLUMNS, Map.of()))
        .isEqualTo(DelimitedText.separatedBy('\001').columns(COLUMNS.toArray(Column[]::new)));
  }

  @Test
  void everyOptionOfTextReachesTheFormat() {
    assertThat(
            Formats.create(
                "text",
                COLUMNS,
                Map.of(
                    "field-delimiter", "\\t",
                    "escape-character", "\\",
                    "null-literal", "",
                    "charset", "ISO-8859-1",
                    "skip-header-lines", "2",
                    "skip-footer-lines", "1",
                    "strict", "TRUE")))
        .isEqualTo(
            DelimitedText.separatedBy('\t')
                .columns(COLUMNS.toArray(Column[]::new))
                .escapedBy('\\')
                .nullMarker("")
                .charset(StandardCharsets.ISO_8859_1)
                .skipHeaderLines(2)
                .skipFooterLines(1)
                .strict());
    assertThat(
            Formats.create("text", COLUMNS, Map.of("field-delimiter", "\\u007c", "header", "true")))
        .isEqualTo(DelimitedText.separatedBy('|').withHeader());
  }

  @Test
  void anUnknownOptionIsToldWithAllThatThereAre() {
    assertInvalid(
        Map.of("field.delim", "|"),
        "the format 'text' has no option 'field.delim'",
        "charset (UTF-8 by default)",
        "field-delimiter (\\001 by default)",
        "escape-character,");
  }

  @Test
  void aValueThatMakesNoSenseIsToldWithTheOption() {
    assertInvalid(
        Map.of("field-delimiter", "||"), "'field-delimiter'", "'||'", "must be one character");
    assertInvalid(Map.of("skip-header-lines", "-1"), "'skip-header-lines'", "'-1'", "whole number");
    assertInvalid(Map.of("strict", "yes"), "'strict'", "'yes'", "true or false");
    assertInvalid(Map.of("charset", "EBCDIC-0"), "'charset'", "a character set of this Java");
    assertInvalid(Map.of("charset", "UTF-16"), "no superset of ASCII");
    assertInvalid(Map.of("header", "true", "skip-header-lines", "1"), "withHeader()");
  }

  @Test
  void anUnknownFormatIsToldWithAllThatThereAre() {
    assertThatThrownBy(() -> Formats.create("txt", COLUMNS, Map.of()))
        .isInstanceOf(LeatException.class)
        .hasMessageContaining("there is no format 'txt'")
        .hasMessageContaining("text");
  }

  @ParameterizedTest
  @ValueSource(strings = {"avro", "orc", "parquet"})
  void aFormatOfAnArtifactThatIsNotThereIsToldWithTheArtifact(String format) {
    assertThatThrownBy(() -> Formats.create(format, COLUMNS, Map.of()))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.FORMAT_NOT_FOUND))
        .hasMessageContaining("LEAT-6005")
        .hasMessageContaining("dev.leat:leat-" + format)
        .hasMessageContaining("leat-sql-" + format);
  }

  @Test
  void everyOptionOfEveryFormatIsDescribedOnce() {
    for (RowFormatFactory factory : Formats.available()) {
      assertThat(factory.options()).extracting(option -> option.name()).doesNotHaveDuplicates();
      assertThat(factory.options())
          .allSatisfy(option -> assertThat(option.description()).endsWith("."));
    }
  }

  private static void assertInvalid(Map<String, String> options, String... parts) {
    assertThatThrownBy(() -> Formats.create("text", COLUMNS, options))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.INVALID_DEFINITION))
        .hasMessageContainingAll(parts);
  }
}
