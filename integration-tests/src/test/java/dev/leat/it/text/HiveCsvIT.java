package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.format.Csv;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Compares every cell of seeded random CSV, full of quotes in odd places, with Hive's. */
class HiveCsvIT extends AgainstHive {
  private static final long SEED = Long.getLong("leat.csv.seed", 20_261_129L);
  private static final int FILES = Integer.getInteger("leat.csv.files", 30);
  private static final int LINES = Integer.getInteger("leat.csv.lines", 500);

  private static final List<Column> COLUMNS =
      List.of(
          new Column("a", ColumnType.STRING),
          new Column("b", ColumnType.STRING),
          new Column("c", ColumnType.STRING));

  @Test
  void everyCellIsReadAsHiveReadsIt() throws IOException {
    Comparison comparison = new Comparison("OpenCSVSerde");
    for (long seed = SEED; seed < SEED + FILES; seed++) {
      Random random = new Random(seed);
      char separator = ",,,;\t|".charAt(random.nextInt(6));
      char quote = "\"\"\"'".charAt(random.nextInt(4));
      char escape = "\\\\\\/".charAt(random.nextInt(4));
      String[] lines = new String[LINES];
      for (int i = 0; i < LINES; i++) {
        lines[i] = line(random, separator, quote, escape);
      }
      Path file = fresh("case.csv");
      Files.writeString(file, String.join("\n", lines) + "\n", StandardCharsets.UTF_8);
      Properties table = Tables.properties("org.apache.hadoop.hive.serde2.OpenCSVSerde", COLUMNS);
      table.setProperty("separatorChar", String.valueOf(separator));
      table.setProperty("quoteChar", String.valueOf(quote));
      table.setProperty("escapeChar", String.valueOf(escape));
      Csv format =
          Csv.separatedBy(separator)
              .quotedBy(quote)
              .escapedBy(escape)
              .columns(COLUMNS.toArray(Column[]::new));
      comparison.compare(
          "seed " + seed + " " + format,
          COLUMNS,
          Tables.read(format, COLUMNS, file, 5_000),
          hive().rows(table, COLUMNS.size(), file),
          lines);
    }
    comparison.print();
    assertThat(comparison.values()).containsOnlyKeys(Kind.STRING);
    assertThat(comparison.givenUp()).isZero();
  }

  private static String line(Random random, char separator, char quote, char escape) {
    StringBuilder line = new StringBuilder();
    if (random.nextInt(3) > 0) {
      int cells = random.nextInt(12) == 0 ? random.nextInt(6) : 3;
      for (int i = 0; i < cells; i++) {
        line.append(i == 0 ? "" : String.valueOf(separator));
        boolean quoted = random.nextBoolean();
        line.append(quoted ? String.valueOf(quote) : "");
        for (int n = random.nextInt(6); n > 0; n--) {
          line.append(
              switch (random.nextInt(14)) {
                case 0 -> quoted ? "" + quote + quote : "";
                case 1 -> "" + escape + quote;
                case 2 -> "" + escape + escape;
                case 3 -> quoted ? String.valueOf(separator) : " ";
                case 4 -> "ü";
                case 5 -> "😀";
                default -> String.valueOf((char) ('a' + random.nextInt(26)));
              });
        }
        line.append(quoted ? String.valueOf(quote) : "");
      }
      return line.toString();
    }
    for (int n = random.nextInt(16); n > 0; n--) {
      line.append(
          switch (random.nextInt(6)) {
            case 0 -> quote;
            case 1 -> separator;
            case 2 -> escape;
            case 3 -> ' ';
            default -> (char) ('a' + random.nextInt(3));
          });
    }
    return line.toString();
  }
}
