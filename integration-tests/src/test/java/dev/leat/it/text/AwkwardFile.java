package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.DelimitedText;
import java.io.ByteArrayOutputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A file of text made from a seed, with the columns and options to read it with, as ours and as
 * Hive's.
 */
final class AwkwardFile {
  private static final List<Charset> CHARSETS =
      List.of(
          StandardCharsets.UTF_8,
          StandardCharsets.UTF_8,
          StandardCharsets.UTF_8,
          StandardCharsets.ISO_8859_1,
          Charset.forName("windows-1252"),
          Charset.forName("GBK"),
          StandardCharsets.US_ASCII);

  private final Random random;
  private final List<Column> columns = new ArrayList<>();
  private final char delimiter;
  private final @Nullable Character escape;
  private final String nullMarker;
  private final Charset charset;
  private final int headerLines;
  private final int footerLines;
  private final byte[] content;

  AwkwardFile(long seed, int lines) {
    random = new Random(seed);
    List<ColumnType> types =
        new ArrayList<>(
            List.of(
                ColumnType.BOOLEAN,
                ColumnType.TINYINT,
                ColumnType.SMALLINT,
                ColumnType.INT,
                ColumnType.BIGINT,
                ColumnType.FLOAT,
                ColumnType.DOUBLE,
                ColumnType.STRING,
                ColumnType.DATE,
                ColumnType.TIMESTAMP,
                ColumnType.BINARY,
                ColumnType.decimal(1 + random.nextInt(18), 0),
                ColumnType.character(1 + random.nextInt(9)),
                ColumnType.varchar(1 + random.nextInt(9))));
    int precision = 1 + random.nextInt(38);
    types.add(ColumnType.decimal(precision, random.nextInt(precision + 1)));
    Collections.shuffle(types, random);
    for (int i = 0; i < types.size(); i++) {
      columns.add(new Column("c" + i, types.get(i)));
    }
    delimiter = "||||,\t;\u0001\u007f".charAt(random.nextInt(9));
    escape = random.nextInt(2) == 0 ? null : "\\\\\\/\u0002".charAt(random.nextInt(5));
    nullMarker =
        List.of("\\N", "\\N", "\\N", "", "NULL", "-", "日本語", "\\\\N").get(random.nextInt(8));
    charset = CHARSETS.get(random.nextInt(CHARSETS.size()));
    headerLines = random.nextInt(4) == 0 ? 1 + random.nextInt(2) : 0;
    footerLines = random.nextInt(6) == 0 ? 1 + random.nextInt(2) : 0;
    content = content(lines);
  }

  private byte[] content(int lines) {
    AwkwardCells cells = new AwkwardCells(random);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    if (random.nextInt(3) == 0) {
      out.writeBytes("\uFEFF".getBytes(StandardCharsets.UTF_8));
    }
    String[] ends =
        List.of(
                new String[] {"\n"},
                new String[] {"\r\n"},
                new String[] {"\n", "\r\n", "\r", "\n\n", "\r\r\n"})
            .get(random.nextInt(3));
    for (int line = 0; line < lines; line++) {
      int count = columns.size();
      switch (random.nextInt(20)) {
        case 0 -> count = random.nextInt(columns.size());
        case 1 -> count = columns.size() + 1 + random.nextInt(3);
        default -> {}
      }
      for (int i = 0; i < count; i++) {
        byte[] cell =
            random.nextInt(15) == 0
                ? nullMarker.getBytes(charset)
                : cells.cell(columns.get(i % columns.size()).type());
        out.writeBytes(cell);
        if (i + 1 < count || random.nextInt(25) == 0) {
          out.write(delimiter);
        }
      }
      if (line + 1 < lines || random.nextBoolean()) {
        out.writeBytes(ends[random.nextInt(ends.length)].getBytes(StandardCharsets.US_ASCII));
      }
    }
    return out.toByteArray();
  }

  List<Column> columns() {
    return columns;
  }

  byte[] content() {
    return content;
  }

  int headerLines() {
    return headerLines;
  }

  int footerLines() {
    return footerLines;
  }

  DelimitedText format() {
    DelimitedText format =
        DelimitedText.separatedBy(delimiter)
            .columns(columns.toArray(Column[]::new))
            .nullMarker(nullMarker)
            .charset(charset)
            .skipHeaderLines(headerLines)
            .skipFooterLines(footerLines);
    return escape == null ? format : format.escapedBy(escape);
  }

  /** The properties of the Hive table. */
  Properties table() {
    Properties table = new Properties();
    table.setProperty("columns", String.join(",", columns.stream().map(Column::name).toList()));
    table.setProperty(
        "columns.types",
        String.join(":", columns.stream().map(column -> column.type().toString()).toList()));
    table.setProperty("field.delim", String.valueOf(delimiter));
    table.setProperty("serialization.format", String.valueOf(delimiter));
    table.setProperty("serialization.null.format", nullMarker);
    table.setProperty("serialization.encoding", charset.name());
    if (escape != null) {
      table.setProperty("escape.delim", String.valueOf(escape));
    }
    return table;
  }

  @Override
  public String toString() {
    return format().definition();
  }
}
