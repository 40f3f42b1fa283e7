package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.format.DelimitedText;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Compares arrays, maps and structs in seeded random text with what Hive's serde makes of them. */
class HiveNestedTextIT extends AgainstHive {
  private static final long SEED = Long.getLong("leat.nested.seed", 20_261_129L);
  private static final int FILES = Integer.getInteger("leat.nested.files", 30);
  private static final int LINES = Integer.getInteger("leat.nested.lines", 300);

  @Test
  void everyPartIsReadAsHiveReadsIt() throws IOException {
    Comparison comparison = new Comparison("LazySimpleSerDe, nested");
    for (long seed = SEED; seed < SEED + FILES; seed++) {
      Random random = new Random(seed);
      List<Column> columns = new RandomTypes(random).columns(9, 3);
      char[] separators = "|\2\3\4\5\6\7\10".toCharArray();
      if (random.nextBoolean()) {
        separators[1] = ',';
        separators[2] = ':';
      }
      @Nullable Character escape = random.nextInt(3) == 0 ? '\\' : null;
      String nullMarker = random.nextInt(4) == 0 ? "-" : "\\N";
      Path file = fresh("case.txt");
      String[] raw = new String[LINES];
      ByteArrayOutputStream content = new ByteArrayOutputStream();
      AwkwardCells cells = new AwkwardCells(random);
      for (int i = 0; i < LINES; i++) {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int column = 0; column < columns.size(); column++) {
          if (column > 0) {
            line.write(separators[0]);
          }
          write(line, random, cells, columns.get(column).type(), separators, 1, nullMarker);
        }
        byte[] bytes = line.toByteArray();
        for (int at = 0; at < bytes.length; at++) {
          bytes[at] = bytes[at] == '\n' || bytes[at] == '\r' ? (byte) ' ' : bytes[at];
        }
        raw[i] = new String(bytes, StandardCharsets.UTF_8);
        content.writeBytes(bytes);
        content.write('\n');
      }
      Files.write(file, content.toByteArray());
      Properties table =
          Tables.properties("org.apache.hadoop.hive.serde2.lazy.LazySimpleSerDe", columns);
      table.setProperty("field.delim", "|");
      table.setProperty("serialization.format", "|");
      table.setProperty("collection.delim", String.valueOf(separators[1]));
      table.setProperty("mapkey.delim", String.valueOf(separators[2]));
      table.setProperty("serialization.null.format", nullMarker);
      DelimitedText format =
          DelimitedText.separatedBy('|')
              .columns(columns.toArray(Column[]::new))
              .nullMarker(nullMarker)
              .collectionItemsSeparatedBy(separators[1])
              .mapKeysSeparatedBy(separators[2]);
      if (escape != null) {
        table.setProperty("escape.delim", String.valueOf(escape));
        format = format.escapedBy(escape);
      }
      comparison.compare(
          "seed " + seed + " " + format.definition(),
          columns,
          Tables.read(format, columns, file, 30_000),
          hive().rows(table, columns.size(), file),
          raw);
    }
    comparison.print();
    assertThat(comparison.values()).containsOnlyKeys(Kind.values());
  }

  private static void write(
      ByteArrayOutputStream out,
      Random random,
      AwkwardCells cells,
      ColumnType type,
      char[] separators,
      int level,
      String nullMarker) {
    if (random.nextInt(20) == 0) {
      out.writeBytes(nullMarker.getBytes(StandardCharsets.UTF_8));
      return;
    }
    switch (type.kind()) {
      case ARRAY -> {
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
          out.writeBytes(i == 0 ? new byte[0] : new byte[] {(byte) separators[level]});
          write(out, random, cells, type.element(), separators, level + 1, nullMarker);
        }
      }
      case MAP -> {
        int count = random.nextInt(4);
        for (int i = 0; i < count; i++) {
          out.writeBytes(i == 0 ? new byte[0] : new byte[] {(byte) separators[level]});
          write(out, random, cells, type.key(), separators, level + 2, nullMarker);
          if (random.nextInt(10) > 0) {
            out.write(separators[level + 1]);
            write(out, random, cells, type.value(), separators, level + 2, nullMarker);
          }
        }
      }
      case STRUCT -> {
        int count = Math.max(1, type.fields().size() + random.nextInt(12) / 10 - 0);
        for (int i = 0; i < count; i++) {
          out.writeBytes(i == 0 ? new byte[0] : new byte[] {(byte) separators[level]});
          ColumnType field = type.fields().get(Math.min(i, type.fields().size() - 1)).type();
          write(out, random, cells, field, separators, level + 1, nullMarker);
        }
      }
      default -> out.writeBytes(cells.cell(type));
    }
  }
}
