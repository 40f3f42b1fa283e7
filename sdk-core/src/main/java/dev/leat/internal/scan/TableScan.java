package dev.leat.internal.scan;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.internal.filter.BufferedRow;
import dev.leat.internal.index.SplitSink;
import dev.leat.internal.schema.ColumnNames;
import dev.leat.internal.schema.ScanColumns;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import dev.leat.spi.RowFormat.DeclaredColumn;
import dev.leat.spi.RowSink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * How the files of one version are read: each in the format of its part of the table. Thread-safe.
 */
public final class TableScan {
  private final ScanColumns columns;
  private final int[] partitionColumns;
  private final List<Part> parts;
  private final int[] partOfFile;
  private final Map<String, PartReader> readers = new ConcurrentHashMap<>();

  /**
   * A part of a table: all of it, or a partition.
   *
   * @param format how its rows stand
   * @param values the values of the partition's columns, or null where there is none
   */
  public record Part(RowFormat format, @Nullable BufferedRow values) {}

  /** A format that reads the columns that it has. */
  private record PartReader(FormatReader reader, int[] numbers, boolean straight) {}

  /**
   * A scan.
   *
   * @param columns what is read
   * @param parts the parts of the table
   * @param partOfFile for each file of the version, the position of its part
   */
  public TableScan(ScanColumns columns, List<Part> parts, int[] partOfFile) {
    this.columns = columns;
    this.partitionColumns =
        columns.partitionColumns().stream().mapToInt(Integer::intValue).toArray();
    this.parts = List.copyOf(parts);
    this.partOfFile = partOfFile.clone();
  }

  /**
   * Cuts a file into parts, as {@link FormatReader#splits}.
   *
   * @param ordinal the position of the file in the version
   */
  public List<FileSplit> splits(int ordinal, Blob file, long targetBytes) {
    return readerOf(part(ordinal)).reader().splits(file, targetBytes);
  }

  /**
   * The number of the line that is the first row of a file, as {@link FormatReader#firstRowLine}.
   *
   * @param ordinal the position of the file in the version
   */
  public OptionalLong firstRowLine(int ordinal) {
    return readerOf(part(ordinal)).reader().firstRowLine();
  }

  /**
   * Parses a part of a file into a sink of the index.
   *
   * @param ordinal the position of the file in the version
   */
  public void read(int ordinal, FileSplit split, BlobReader reader, SplitSink sink)
      throws IOException {
    read(
        ordinal,
        split,
        reader,
        columns.filter().isPresent()
            ? new FilterSink(sink, columns.filter().get(), columns)
            : (RowSink) sink);
  }

  /**
   * Parses a part of a file and leaves the filter to the sink, which also gets the columns that
   * only the filter asks for, behind those that are kept.
   *
   * @param ordinal the position of the file in the version
   */
  public void readUnfiltered(int ordinal, FileSplit split, BlobReader reader, RowSink sink)
      throws IOException {
    read(ordinal, split, reader, sink);
  }

  private void read(int ordinal, FileSplit split, BlobReader reader, RowSink sink)
      throws IOException {
    Part part = part(ordinal);
    PartReader partReader = readerOf(part);
    RowSink target = sink;
    if (!partReader.straight()) {
      BufferedRow values = part.values();
      target =
          new PartitionSink(
              target,
              partReader.numbers(),
              values == null ? new BufferedRow(List.of()) : values,
              partitionColumns);
    }
    partReader.reader().read(split, reader, target);
  }

  private Part part(int ordinal) {
    return parts.get(partOfFile[ordinal]);
  }

  private PartReader readerOf(Part part) {
    RowFormat format = part.format();
    return readers.computeIfAbsent(
        format.getClass().getName() + " " + format.definition(), key -> partReader(format));
  }

  private PartReader partReader(RowFormat format) {
    Optional<List<DeclaredColumn>> declared = format.declaredColumns();
    Optional<ColumnNames> names =
        declared.map(list -> new ColumnNames(list.stream().map(DeclaredColumn::name).toList()));
    List<Column> wanted = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int number = 0; number < columns.columns().size(); number++) {
      if (partitionColumns[number] >= 0) {
        continue;
      }
      Column column = columns.columns().get(number);
      if (names.isPresent()) {
        List<Integer> positions = names.get().positionsSpelled(column.name());
        if (positions.isEmpty()) {
          // The column was added to the table later than this part.
          continue;
        }
        column = new Column(declared.orElseThrow().get(positions.get(0)).name(), column.type());
      }
      wanted.add(column);
      numbers.add(number);
    }
    if (wanted.isEmpty()) {
      // Only the number of the rows counts; a format reads at least one column, a nested one last.
      DeclaredColumn any =
          declared.stream()
              .flatMap(List::stream)
              .min(
                  Comparator.comparing(
                      column -> column.type().filter(ColumnType::isNested).isPresent()))
              .orElseThrow(
                  () ->
                      new LeatException(
                          ErrorCode.INVALID_DEFINITION,
                          "no column of the files is kept, and the format "
                              + format
                              + " does not say which there are; keep at least one"));
      wanted.add(new Column(any.name(), any.type().orElse(ColumnType.STRING)));
      numbers.add(-1);
    }
    int[] numbersOf = numbers.stream().mapToInt(Integer::intValue).toArray();
    boolean straight =
        Arrays.equals(numbersOf, IntStream.range(0, columns.columns().size()).toArray());
    return new PartReader(format.reader(List.copyOf(wanted)), numbersOf, straight);
  }
}
