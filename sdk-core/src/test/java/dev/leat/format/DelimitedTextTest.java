package dev.leat.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DelimitedTextTest {
  private static final DelimitedText FORMAT = DelimitedText.separatedBy('|').columns("id", "name");

  @Test
  void everyOptionChangesTheDefinitionAndNoneChangesTheFormatItIsCalledOn() {
    String before = FORMAT.definition();
    List<DelimitedText> formats =
        List.of(
            FORMAT,
            DelimitedText.separatedBy(',').columns("id", "name"),
            DelimitedText.separatedBy('|').columns("name", "id"),
            DelimitedText.separatedBy('|').columns("id\",\"name"),
            DelimitedText.separatedBy('|')
                .columns(new Column("id", ColumnType.INT), new Column("name", ColumnType.STRING)),
            DelimitedText.separatedBy('|').withHeader(),
            FORMAT.nullMarker(""),
            FORMAT.escapedBy('\\'),
            FORMAT.skipHeaderLines(1),
            FORMAT.skipFooterLines(1),
            FORMAT.charset(StandardCharsets.ISO_8859_1),
            FORMAT.strict());
    Set<String> definitions = new HashSet<>();
    formats.forEach(format -> definitions.add(format.definition()));

    assertThat(definitions).hasSameSizeAs(formats);
    assertThat(FORMAT.definition())
        .isEqualTo(before)
        .isEqualTo(
            "delimited-text/1 delimiter=124 escape=none null=\"\\\\N\" charset=UTF-8 header=0 footer=0 LENIENT columns=[\"id\",\"name\"]");
    assertThat(new HashSet<>(formats)).hasSameSizeAs(formats);
  }

  @Test
  void aFormatTravels() throws Exception {
    DelimitedText format =
        DelimitedText.separatedBy('\001')
            .columns(new Column("id", ColumnType.INT))
            .escapedBy('\\')
            .nullMarker("NULL")
            .charset(StandardCharsets.US_ASCII);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(format);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject())
          .isEqualTo(format)
          .hasSameHashCodeAs(format)
          .hasToString("DelimitedText[separated by character 1, [id]]");
    }
  }

  @Test
  void wrongArgumentsAreRefusedAtTheCall() {
    assertThatThrownBy(() -> DelimitedText.separatedBy('\n'))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("character 10");
    assertThatThrownBy(() -> DelimitedText.separatedBy('§'))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("ASCII");
    assertThatThrownBy(() -> FORMAT.escapedBy('|'))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is the delimiter");
    assertThatThrownBy(() -> FORMAT.columns("a", "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("'a' is there twice");
    assertThatThrownBy(() -> FORMAT.columns("a", " "))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("blank");
    assertThatThrownBy(() -> FORMAT.columns(new String[0]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no column");
    assertThatThrownBy(() -> FORMAT.skipHeaderLines(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 header lines");
    assertThatThrownBy(() -> FORMAT.skipFooterLines(-1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("-1 footer lines");
    assertThatThrownBy(() -> FORMAT.charset(StandardCharsets.UTF_16))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("superset of ASCII");
    assertThatThrownBy(() -> FORMAT.withHeader())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("either withHeader() or columns");
    assertThatThrownBy(() -> DelimitedText.separatedBy('|').withHeader().columns("a"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DelimitedText.separatedBy('|').withHeader().skipHeaderLines(1))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> DelimitedText.separatedBy('|').skipHeaderLines(1).withHeader())
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> FORMAT.columns((String[]) null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("names");
    assertThatThrownBy(() -> FORMAT.nullMarker(null))
        .isInstanceOf(NullPointerException.class)
        .hasMessage("marker");
  }

  @Test
  void cellsWithoutNamesCannotBeRead() {
    DelimitedText unnamed = DelimitedText.separatedBy('|');

    assertThat(unnamed.declaredColumns()).isEmpty();
    assertThatThrownBy(() -> unnamed.reader(List.of(new Column("a", ColumnType.STRING))))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.INVALID_DEFINITION))
        .hasMessageContaining("withHeader()");
  }

  @Test
  void aReaderRefusesAColumnThatTheFilesDoNotHave() throws IOException {
    assertThatThrownBy(() -> FORMAT.reader(List.of(new Column("country", ColumnType.STRING))))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.COLUMN_NOT_FOUND))
        .hasMessageContaining("no column 'country'; it has [id, name]");
    assertThatThrownBy(() -> FORMAT.reader(List.of())).isInstanceOf(IllegalArgumentException.class);
  }
}
