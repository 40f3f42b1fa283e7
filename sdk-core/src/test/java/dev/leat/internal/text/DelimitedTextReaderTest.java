package dev.leat.internal.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.internal.text.RecordedRows.Rejected;
import dev.leat.internal.text.RecordedRows.Row;
import dev.leat.spi.FileSplit;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DelimitedTextReaderTest {
  private static final TextLayout PLAIN = layout(Optional.empty(), 0, 0, Strictness.LENIENT);
  private static final TextLayout ESCAPED =
      layout(Optional.of((byte) '\\'), 0, 0, Strictness.LENIENT);
  private static final TextLayout STRICT = layout(Optional.empty(), 0, 0, Strictness.STRICT);

  @Test
  void aLineBecomesARowAndTheNullMarkerIsNull() throws IOException {
    assertThat(read(PLAIN, "a|b|c\n\\N||x\n"))
        .containsExactly(row("a", "b", "c"), row(null, "", "x"));
  }

  @Test
  void theLastLineNeedsNoEnd() throws IOException {
    assertThat(read(PLAIN, "a|b|c\nd|e|f")).containsExactly(row("a", "b", "c"), row("d", "e", "f"));
    assertThat(read(PLAIN, "")).isEmpty();
    assertThat(read(PLAIN, "a|b|")).containsExactly(row("a", "b", ""));
  }

  @Test
  void shortLinesHaveNullsAndLongOnesLoseWhatIsTooMuch() throws IOException {
    assertThat(read(PLAIN, "a\na|b\na|b|c|d|e\na|b|c|\n\n"))
        .containsExactly(
            row("a", null, null),
            row("a", "b", null),
            row("a", "b", "c"),
            row("a", "b", "c"),
            row("", null, null));
  }

  @Test
  void linesEndWithLineFeedCarriageReturnOrBoth() throws IOException {
    assertThat(read(PLAIN, "a|b|c\r\nd|e|f\rg|h|i\n\rj|k|l\r\r\n"))
        .containsExactly(
            row("a", "b", "c"),
            row("d", "e", "f"),
            row("g", "h", "i"),
            row("", null, null),
            row("j", "k", "l"),
            row("", null, null));
  }

  @Test
  void anEscapeTakesTheMeaningOffTheDelimiterAndNotOffTheLineEnd() throws IOException {
    assertThat(read(ESCAPED, "a\\|b|c\\\\|d\\ne\\r\nx\\\ny|\\N|z\\\\\\|\n"))
        .containsExactly(
            row("a|b", "c\\", "d\ne\r"), row("x\\", null, null), row("y", null, "z\\|"));
  }

  @Test
  void onlyTheColumnsThatAreAskedForAreDelivered() throws IOException {
    List<Column> columns =
        List.of(new Column("c", ColumnType.STRING), new Column("a", ColumnType.INT));
    RecordedRows rows =
        read(
            new DelimitedTextReader(columns, Optional.of(List.of("a", "b", "c", "d")), PLAIN),
            columns,
            "1|x|y|z\n2|\n3|||\n");

    assertThat(rows.cells()).containsExactly(row("y", "1"), row(null, "2"), row("", "3"));
  }

  @Test
  void aRowKnowsWhereItBegins() throws IOException {
    RecordedRows rows = read(reader(PLAIN), strings(), "a\r\nbb\nc");

    assertThat(rows.rows).extracting(Row::offset).containsExactly(0L, 3L, 6L);
  }

  @Test
  void theByteOrderMarkIsNoText() throws IOException {
    assertThat(read(PLAIN, "\uFEFFa|b|c\n")).containsExactly(row("a", "b", "c"));
    assertThat(read(PLAIN, "\uFEFF")).isEmpty();
    assertThat(read(PLAIN, "a|\uFEFF|c\n")).containsExactly(row("a", "\uFEFF", "c"));
  }

  @Test
  void badUtf8IsReplacedAsHadoopDoes() throws IOException {
    byte[] content = {
      'a',
      (byte) 0xC3,
      '|',
      (byte) 0xED,
      (byte) 0xA0,
      (byte) 0x80,
      'x',
      '|',
      (byte) 0xC3,
      (byte) 0xA4,
      '\n'
    };

    assertThat(read(reader(PLAIN), strings(), content).cells())
        .containsExactly(row("a\uFFFD", "\uFFFDx", "ä"));
  }

  @Test
  void headerAndFooterLinesAreLeftOut() throws IOException {
    TextLayout header = layout(Optional.empty(), 2, 0, Strictness.LENIENT);
    TextLayout both = layout(Optional.empty(), 1, 2, Strictness.LENIENT);

    assertThat(read(header, "\uFEFFone\r\ntwo\r\na|b|c")).containsExactly(row("a", "b", "c"));
    assertThat(read(header, "one\ntwo")).isEmpty();
    assertThat(read(header, "one\ntwo\n")).isEmpty();
    assertThat(read(both, "head\na|b|c\nd|e|f\nfoot\nfoot\n"))
        .containsExactly(row("a", "b", "c"), row("d", "e", "f"));
    assertThat(read(both, "head\nfoot\nfoot")).isEmpty();
    assertThat(read(both, "head\nfoot")).isEmpty();
  }

  @Test
  void theHeaderOfEachFileSaysWhereItsColumnsAre() throws IOException {
    TextLayout header = layout(Optional.empty(), 1, 0, Strictness.LENIENT);
    DelimitedTextReader reader = new DelimitedTextReader(strings(), Optional.empty(), header);

    assertThat(read(reader, strings(), "a|b|c\n1|2|3\n").cells())
        .containsExactly(row("1", "2", "3"));
    assertThat(read(reader, strings(), "c|x|b|A|\r\n1|2|3|4|\r\n").cells())
        .containsExactly(row("4", "3", "1"));
    assertThatThrownBy(() -> read(reader, strings(), "a|b\n"))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.COLUMN_NOT_FOUND))
        .hasMessageContaining("file:///data/test.txt has no column 'c'; it has [a, b]");
    assertThatThrownBy(() -> read(reader, strings(), "a|b|c|a\n"))
        .hasMessageContaining("several columns 'a'");
    assertThatThrownBy(() -> read(reader, strings(), "\n"))
        .hasMessageContaining("has no header line");
  }

  @Test
  void anotherCharacterSetIsConvertedBeforeTheLineIsCut() throws IOException {
    Charset shiftJis = Charset.forName("Shift_JIS");
    TextLayout layout =
        new TextLayout((byte) '|', Optional.empty(), "なし", shiftJis, 0, 0, Strictness.LENIENT);
    // The second byte of 十 is 0x5C and that of ポ is 0x7C, the delimiter.
    byte[] content = "十ポ|なし|x\r\n|||\n".getBytes(shiftJis);

    assertThat(read(reader(layout), strings(), content).cells())
        .containsExactly(row("十ポ", null, "x"), row("", "", ""));
    TextLayout latin =
        new TextLayout(
            (byte) '|',
            Optional.of((byte) '\\'),
            "\\N",
            StandardCharsets.ISO_8859_1,
            1,
            0,
            Strictness.LENIENT);
    assertThat(
            read(
                    reader(latin),
                    strings(),
                    "kopf\nä\\|ö|\\N|é".getBytes(StandardCharsets.ISO_8859_1))
                .cells())
        .containsExactly(row("ä|ö", null, "é"));
  }

  @Test
  void aCellThatCannotBeReadIsNullAndCountedAndAnEmptyOneIsNull() throws IOException {
    List<Column> columns =
        List.of(
            new Column("a", ColumnType.INT),
            new Column("b", ColumnType.DATE),
            new Column("c", ColumnType.BOOLEAN));
    RecordedRows rows =
        read(
            new DelimitedTextReader(columns, Optional.of(names()), PLAIN),
            columns,
            "x|2020-02-30|yes\n||\n7|2020-02-29|TRUE\n");

    assertThat(rows.cells())
        .containsExactly(
            row(null, null, null), row(null, null, null), row("7", "2020-02-29", "true"));
    assertThat(rows.unparsable).containsExactly("a=x", "b=2020-02-30", "c=yes");
  }

  @Test
  void strictRefusesWhatHiveReadsAsNull() throws IOException {
    List<Column> columns =
        List.of(
            new Column("a", ColumnType.STRING),
            new Column("b", ColumnType.INT),
            new Column("c", ColumnType.STRING));
    DelimitedTextReader reader =
        new DelimitedTextReader(
            columns, Optional.of(names()), layout(Optional.empty(), 1, 0, Strictness.STRICT));
    RecordedRows rows =
        read(reader, columns, "head\na|1|c\na|1\na|1|c|\na|1|c|d\na|x|c\n\\N|\\N|\n\na|1|c||\n");

    assertThat(rows.cells())
        .containsExactly(row("a", "1", "c"), row("a", "1", "c"), row(null, null, ""));
    assertThat(rows.rejected)
        .containsExactly(
            new Rejected(11, 3, -1, "the line has 2 cells for 3 columns"),
            new Rejected(22, 5, -1, "the line has more cells than the 3 columns"),
            new Rejected(30, 6, 1, "the cell is not readable as int"),
            new Rejected(43, 8, -1, "the line has 1 cells for 3 columns"),
            new Rejected(44, 9, -1, "the line has 5 cells for 3 columns"));
    assertThat(rows.unparsable).isEmpty();
  }

  @Test
  void strictRefusesBadUtf8InAColumnThatIsKept() throws IOException {
    RecordedRows rows =
        read(
            reader(STRICT),
            strings(),
            new byte[] {'a', '|', (byte) 0xFF, '|', 'c', '\n', 'x', '|', 'y', '|', 'z', '\n'});

    assertThat(rows.rejected)
        .containsExactly(new Rejected(0, 1, 1, "the cell is not well-formed UTF-8"));
    assertThat(rows.cells()).containsExactly(row("x", "y", "z"));
  }

  /**
   * Lines of all lengths and ends, cells of all places in a word, text of one to four bytes per
   * character, escapes before everything.
   */
  private static byte[] awkward() {
    StringBuilder text = new StringBuilder("\uFEFF");
    String[] ends = {"\n", "\r\n", "\r", "\n\n", "\r\r\n", "|\n"};
    String[] cells = {
      "",
      "a",
      "\\|",
      "\\\\",
      "ä€😀",
      "\\N",
      "twelve bytes",
      "\t\u0001",
      "\\n\\",
      "|",
      "0123456789012345678901234567890"
    };
    for (int i = 0; i < 150; i++) {
      text.append(cells[i % cells.length]).append('|').append(cells[(i * 7 + 3) % cells.length]);
      if (i % 5 != 0) {
        text.append('|').append(cells[(i * 5 + 1) % cells.length]);
      }
      text.append(ends[(i * 11) % ends.length]);
    }
    return text.append("end|of|file\\").toString().getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void everyCutIntoTwoSplitsGivesTheSameRows() throws IOException {
    byte[] content = awkward();
    for (TextLayout layout :
        List.of(
            PLAIN,
            ESCAPED,
            layout(Optional.of((byte) '\\'), 3, 0, Strictness.LENIENT),
            STRICT,
            latin1Layout())) {
      DelimitedTextReader reader =
          new DelimitedTextReader(strings(), Optional.of(names()), layout, 64, 1 << 20);
      RecordedRows whole = read(reader, strings(), content);
      BytesFile file = new BytesFile("test.txt", content);
      assertThat(whole.rows).hasSizeGreaterThan(layout.isStrict() ? 20 : 150);
      for (int cut = 0; cut <= content.length; cut++) {
        RecordedRows parts = new RecordedRows(strings());
        reader.read(new FileSplit(file.blob, 0, cut), file, parts);
        reader.read(new FileSplit(file.blob, cut, content.length - cut), file, parts);
        assertThat(parts.rows).as("cut at %d", cut).isEqualTo(whole.rows);
        assertThat(parts.rejected)
            .extracting(Rejected::offset)
            .as("cut at %d", cut)
            .isEqualTo(whole.rejected.stream().map(Rejected::offset).toList());
      }
      assertThat(file.openStreams).isZero();
    }
  }

  private static TextLayout latin1Layout() {
    return new TextLayout(
        (byte) '|',
        Optional.of((byte) '\\'),
        "\\N",
        StandardCharsets.ISO_8859_1,
        1,
        0,
        Strictness.LENIENT);
  }

  @Test
  void splitsOfOneByteGiveTheSameRows() throws IOException {
    byte[] content = awkward();
    DelimitedTextReader reader =
        new DelimitedTextReader(strings(), Optional.of(names()), ESCAPED, 64, 1 << 20);
    BytesFile file = new BytesFile("test.txt", content);
    RecordedRows parts = new RecordedRows(strings());
    List<FileSplit> splits = reader.splits(file.blob, 1);
    for (FileSplit split : splits) {
      reader.read(split, file, parts);
    }

    assertThat(splits).hasSize(content.length);
    assertThat(parts.rows).isEqualTo(read(reader, strings(), content).rows);
  }

  @Test
  void theSizeOfTheBufferAndOfTheReadsDoesNotMatter() throws IOException {
    byte[] content = awkward();
    for (TextLayout layout :
        List.of(
            PLAIN,
            ESCAPED,
            STRICT,
            layout(Optional.of((byte) '\\'), 2, 0, Strictness.LENIENT),
            layout(Optional.empty(), 1, 3, Strictness.LENIENT))) {
      RecordedRows whole = read(reader(layout), strings(), content);
      for (int bufferSize = 1; bufferSize < 70; bufferSize++) {
        for (int atOnce : new int[] {1, 2, 7, 8, 9, 1000}) {
          DelimitedTextReader reader =
              new DelimitedTextReader(strings(), Optional.of(names()), layout, bufferSize, 1 << 20);
          BytesFile file = new BytesFile("test.txt", content, atOnce);
          RecordedRows rows = new RecordedRows(strings());
          reader.read(new FileSplit(file.blob, 0, content.length), file, rows);
          assertThat(rows.rows)
              .as("buffer of %d, reads of %d", bufferSize, atOnce)
              .isEqualTo(whole.rows);
          assertThat(rows.rejected).isEqualTo(whole.rejected);
        }
      }
    }
  }

  @Test
  void cellsMayBeLongerThanTheBuffer() throws IOException {
    String large = "x".repeat(70_000) + "ä";
    String larger = "y".repeat(3_000_000);

    assertThat(read(PLAIN, large + "|" + larger + "|z\r\na|b|" + large + "\n"))
        .containsExactly(row(large, larger, "z"), row("a", "b", large));
  }

  @Test
  void aCellBeyondAllMeasureIsRefusedAndTheNextRowIsRead() throws IOException {
    for (TextLayout layout : List.of(PLAIN, latin1Layout())) {
      DelimitedTextReader reader =
          new DelimitedTextReader(strings(), Optional.of(names()), layout, 16, 100);
      RecordedRows rows = read(reader, strings(), "head|b|c\na|" + "x".repeat(500) + "|c\nd|e|f\n");

      assertThat(rows.rejected)
          .extracting(Rejected::reason)
          .containsExactly("a cell is longer than 100 bytes");
      assertThat(rows.rejected).extracting(Rejected::offset).containsExactly(9L);
      assertThat(rows.cells()).contains(row("d", "e", "f"));
    }
  }

  @Test
  void filesAreCutIntoSplitsThatCoverThem() {
    DelimitedTextReader reader = reader(PLAIN);
    BytesFile file = new BytesFile("test.txt", new byte[1000]);

    assertThat(reader.splits(file.blob, 300))
        .extracting(FileSplit::start)
        .containsExactly(0L, 300L, 600L, 900L);
    assertThat(reader.splits(file.blob, 480))
        .extracting(FileSplit::length)
        .containsExactly(480L, 520L);
    assertThat(reader.splits(file.blob, Long.MAX_VALUE)).hasSize(1);
    assertThat(reader.splits(new BytesFile("test.txt.GZ", new byte[1000]).blob, 300)).hasSize(1);
    assertThat(reader(layout(Optional.empty(), 0, 1, Strictness.LENIENT)).splits(file.blob, 300))
        .hasSize(1);
    assertThat(reader.splits(new BytesFile("empty", new byte[0]).blob, 300)).isEmpty();
    assertThatThrownBy(() -> reader.splits(file.blob, 0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static List<String> names() {
    return List.of("a", "b", "c");
  }

  private static List<Column> strings() {
    return names().stream().map(name -> new Column(name, ColumnType.STRING)).toList();
  }

  private static DelimitedTextReader reader(TextLayout layout) {
    return new DelimitedTextReader(strings(), Optional.of(names()), layout);
  }

  private static TextLayout layout(
      Optional<Byte> escape, int header, int footer, Strictness strictness) {
    return new TextLayout(
        (byte) '|', escape, "\\N", StandardCharsets.UTF_8, header, footer, strictness);
  }

  private static List<List<@Nullable String>> read(TextLayout layout, String content)
      throws IOException {
    return read(reader(layout), strings(), content).cells();
  }

  private static RecordedRows read(DelimitedTextReader reader, List<Column> columns, String content)
      throws IOException {
    return read(reader, columns, content.getBytes(StandardCharsets.UTF_8));
  }

  private static RecordedRows read(DelimitedTextReader reader, List<Column> columns, byte[] content)
      throws IOException {
    BytesFile file = new BytesFile("test.txt", content);
    RecordedRows rows = new RecordedRows(columns);
    for (FileSplit split : reader.splits(file.blob, Long.MAX_VALUE)) {
      reader.read(split, file, rows);
    }
    assertThat(file.openStreams).isZero();
    return rows;
  }

  private static List<@Nullable String> row(@Nullable String... cells) {
    return new ArrayList<>(Arrays.asList(cells));
  }
}
