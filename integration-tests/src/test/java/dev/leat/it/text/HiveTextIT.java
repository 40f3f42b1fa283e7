package dev.leat.it.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.format.DelimitedText;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Compares every cell of seeded random files, full of what a type can just read or just not, with
 * what Hive's serde makes of it. Run with {@code -Dleat.text.seed=… -Dleat.text.files=…
 * -Dleat.text.lines=…} for other files, more of them, or longer ones; a failure names the seed of
 * its file, which makes it the first of a run.
 */
class HiveTextIT extends AgainstHive {
  private static final long SEED = Long.getLong("leat.text.seed", 20_261_129L);
  private static final int FILES = Integer.getInteger("leat.text.files", 60);
  private static final int LINES = Integer.getInteger("leat.text.lines", 500);

  @Test
  void everyCellIsReadAsHiveReadsIt() throws IOException {
    long rows = 0;
    long nulls = 0;
    long unparsable = 0;
    Map<Kind, Long> values = new EnumMap<>(Kind.class);
    for (int i = 0; i < FILES; i++) {
      long seed = SEED + i;
      AwkwardFile file = new AwkwardFile(seed, LINES);
      Path path = fresh("case.txt");
      Files.write(path, file.content());
      CellTexts ours = read(file, path);
      List<@Nullable String[]> hives =
          withoutHeaderAndFooter(hive().read(file.table(), file.columns().size(), path), file);
      compare(file, seed, ours.rows(), hives);
      rows += hives.size();
      unparsable += ours.unparsableCells();
      for (@Nullable String[] row : hives) {
        for (int column = 0; column < row.length; column++) {
          if (row[column] == null) {
            nulls++;
          } else {
            values.merge(file.columns().get(column).type().kind(), 1L, Long::sum);
          }
        }
      }
    }
    System.out.printf(
        "Compared with Hive's serde: %d files from seed %d, %d lines, %d cells with a value %s, %d"
            + " NULL, of which %d were text that the type cannot read.%n",
        FILES,
        SEED,
        rows,
        values.values().stream().mapToLong(Long::longValue).sum(),
        values,
        nulls,
        unparsable);
    assertThat(values.keySet())
        .as("types of which at least one cell had a value")
        .containsExactlyInAnyOrderElementsOf(
            EnumSet.complementOf(EnumSet.of(Kind.ARRAY, Kind.MAP, Kind.STRUCT)));
    assertThat(rows).isGreaterThanOrEqualTo((long) FILES * LINES * 9 / 10);
  }

  @Test
  void filesThatHadoopCompressedAreReadAsTheirContent() throws IOException {
    AwkwardFile file = new AwkwardFile(SEED, 20_000);
    Path plain = fresh("plain.txt");
    Files.write(plain, file.content());
    List<@Nullable String[]> expected = read(file, plain).rows();
    assertThat(expected).hasSizeGreaterThan(15_000);
    for (String extension : List.of("gz", "deflate", "bz2", "zst", "snappy", "lz4")) {
      Path compressed = fresh("part-0." + extension);
      hive().compress(plain, compressed);
      assertThat(Files.size(compressed)).as(extension).isLessThan(Files.size(plain));
      compare(file, SEED, read(file, compressed).rows(), expected);
    }
  }

  private static List<@Nullable String[]> withoutHeaderAndFooter(
      List<@Nullable String[]> rows, AwkwardFile file) {
    int from = Math.min(file.headerLines(), rows.size());
    return rows.subList(from, Math.max(from, rows.size() - file.footerLines()));
  }

  private void compare(
      AwkwardFile file, long seed, List<@Nullable String[]> ours, List<@Nullable String[]> hives)
      throws IOException {
    for (int row = 0; row < Math.min(ours.size(), hives.size()); row++) {
      for (int i = 0; i < file.columns().size(); i++) {
        Column column = file.columns().get(i);
        @Nullable String expected = expected(column, hives.get(row)[i]);
        if (!Objects.equals(ours.get(row)[i], expected)) {
          throw new AssertionError(
              "%s of row %d is %s and Hive reads %s out of %s, in the file of seed %d (-Dleat.text.seed=%d -Dleat.text.files=1): %s"
                  .formatted(
                      column,
                      row,
                      ours.get(row)[i],
                      expected,
                      raw(file, row, i),
                      seed,
                      seed,
                      file));
        }
      }
    }
    assertThat(ours).as("rows of the file of seed %d, %s", seed, file).hasSameSizeAs(hives);
  }

  /**
   * What we say on purpose where Hive says something else; {@code docs/formats.md} has the same
   * list, with the reasons.
   */
  private static @Nullable String expected(Column column, @Nullable String hives) {
    if (hives != null && column.type().kind() == Kind.CHAR) {
      // CHAR comes without its padding, so that a key is found without it; Hive leaves it out of
      // comparisons too.
      return hives.replaceFirst(" +\\z", "");
    }
    return hives;
  }

  /** The cell as it stands in the file, in quotes and with codes for what cannot be seen. */
  private String raw(AwkwardFile file, int row, int column) throws IOException {
    List<Column> texts =
        file.columns().stream().map(each -> new Column(each.name(), ColumnType.STRING)).toList();
    Path path = fresh("again.txt");
    Files.write(path, file.content());
    String cell =
        read(file.format().columns(texts.toArray(Column[]::new)), texts, path)
            .rows()
            .get(row)[column];
    StringBuilder visible = new StringBuilder("\"");
    String.valueOf(cell)
        .chars()
        .forEach(
            c ->
                visible.append(
                    c >= ' ' && c < 127 ? String.valueOf((char) c) : "\\u%04x".formatted(c)));
    return visible.append('"').toString();
  }

  private static CellTexts read(AwkwardFile file, Path path) throws IOException {
    return read(file.format(), file.columns(), path);
  }

  private static CellTexts read(DelimitedText format, List<Column> columns, Path path)
      throws IOException {
    FormatReader reader = format.reader(columns);
    CellTexts rows = new CellTexts(columns);
    Blob blob = new Blob(path.toUri(), Files.size(path), Optional.empty(), Instant.EPOCH);
    long splitSize = path.toString().endsWith(".txt") ? 10_000 : Long.MAX_VALUE;
    for (FileSplit split : reader.splits(blob, splitSize)) {
      reader.read(split, new PathReader(path), rows);
    }
    return rows;
  }

  private record PathReader(Path path) implements BlobReader {
    @Override
    public void readFully(long position, byte[] target, int offset, int length) {
      throw new AssertionError("text is read as a stream");
    }

    @Override
    public InputStream stream(long position) throws IOException {
      InputStream in = Files.newInputStream(path);
      in.skipNBytes(position);
      return in;
    }

    @Override
    public void close() {}
  }
}
