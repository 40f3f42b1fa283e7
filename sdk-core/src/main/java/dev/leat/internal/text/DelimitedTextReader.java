package dev.leat.internal.text;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.internal.schema.ColumnNames;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowSink;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** Reads files of delimited text. Thread-safe: what belongs to one file is made for each call. */
public final class DelimitedTextReader implements FormatReader {
  /**
   * Small enough for a second-level cache, large enough that a call to the store's stream costs
   * nothing beside it.
   */
  private static final int BUFFER = 256 * 1024;

  /** A longer cell is a damaged file rather than a cell. */
  private static final int MAX_CELL = 64 * 1024 * 1024;

  private final List<Column> columns;
  private final Optional<List<String>> declaredColumns;
  private final TextLayout layout;
  private final int bufferSize;
  private final int maxCell;

  /**
   * Creates a reader.
   *
   * @param columns the columns to deliver
   * @param declaredColumns the names of the cells of a line, or empty where the first line of each
   *     file says them
   */
  public DelimitedTextReader(
      List<Column> columns, Optional<List<String>> declaredColumns, TextLayout layout) {
    this(columns, declaredColumns, layout, BUFFER, MAX_CELL);
  }

  DelimitedTextReader(
      List<Column> columns,
      Optional<List<String>> declaredColumns,
      TextLayout layout,
      int bufferSize,
      int maxCell) {
    if (columns.isEmpty()) {
      throw new IllegalArgumentException("no column is to be delivered; name at least one");
    }
    this.columns = List.copyOf(columns);
    this.declaredColumns = declaredColumns;
    this.layout = layout;
    this.bufferSize = bufferSize;
    this.maxCell = maxCell;
    declaredColumns.ifPresent(names -> targets(names, "the format"));
  }

  @Override
  public List<FileSplit> splits(Blob file, long targetBytes) {
    return LineFile.splits(file, targetBytes, layout.footerLines() > 0);
  }

  @Override
  public void read(FileSplit split, BlobReader reader, RowSink sink) throws IOException {
    Blob file = split.file();
    boolean wholeFile = LineFile.isWhole(split, layout.footerLines() > 0);
    if (split.length() == 0) {
      return;
    }
    List<String> names =
        declaredColumns.isPresent() ? declaredColumns.get() : headerOf(file, reader, layout);
    RowScanner scanner =
        new RowScanner(
            columns,
            targets(names, file.uri().toString()),
            names.size(),
            layout,
            sink,
            split.start() == 0 ? layout.headerLines() + 1L : -1);
    long rowsEnd = wholeFile ? Long.MAX_VALUE : split.start() + split.length();
    try (InputBuffer in =
        LineFile.openAtFirstRow(split, reader, layout.headerLines(), bufferSize)) {
      if (layout.needsTranscoding() || layout.footerLines() > 0) {
        readLines(in, scanner, rowsEnd);
      } else {
        readRows(in, scanner, rowsEnd);
      }
    }
  }

  @Override
  public OptionalLong firstRowLine() {
    return OptionalLong.of(layout.headerLines() + 1L);
  }

  /** The names that the first line of a file has. */
  public static List<String> headerOf(Blob file, BlobReader reader, TextLayout layout)
      throws IOException {
    try (InputBuffer in = LineFile.open(file, reader, 0, BUFFER)) {
      in.skipByteOrderMark();
      int end = LineFile.lineEnd(in);
      List<String> names = Header.names(in.bytes(), in.position(), end, layout);
      if (names.isEmpty()) {
        throw new LeatException(
            ErrorCode.INVALID_DEFINITION,
            file.uri()
                + " has no header line; declare the columns with columns(…), or take the file away");
      }
      return names;
    }
  }

  /**
   * For each cell of a line up to the last that is delivered, the position of its column, or -1.
   */
  private int[] targets(List<String> names, String where) {
    ColumnNames cells = new ColumnNames(names);
    int[] targets = new int[names.size()];
    Arrays.fill(targets, -1);
    int used = 0;
    for (int i = 0; i < columns.size(); i++) {
      String name = columns.get(i).name();
      List<Integer> positions = cells.positionsOf(name);
      if (positions.size() != 1) {
        throw new LeatException(
            positions.isEmpty() ? ErrorCode.COLUMN_NOT_FOUND : ErrorCode.INVALID_DEFINITION,
            where
                + " has "
                + (positions.isEmpty() ? "no column '" : "several columns '")
                + name
                + "'; it has "
                + names);
      }
      int position = positions.get(0);
      if (targets[position] >= 0) {
        throw new IllegalArgumentException(
            "column '" + names.get(position) + "' is to be delivered twice");
      }
      targets[position] = i;
      used = Math.max(used, position + 1);
    }
    return Arrays.copyOf(targets, used);
  }

  private void readRows(InputBuffer in, RowScanner scanner, long rowsEnd) throws IOException {
    scanner.startAt(in.fileOffset(), in.position());
    while (scanner.scan(in.bytes(), in.limit(), rowsEnd)) {
      if (in.limit() - scanner.keepFrom() >= maxCell) {
        scanner.abandonCell(tooLong());
      }
      int kept = scanner.keepFrom();
      in.moveTo(kept);
      boolean more = in.fill();
      scanner.shifted(kept);
      if (!more) {
        scanner.endOfFile(in.bytes());
        return;
      }
    }
  }

  private String tooLong() {
    return "a cell is longer than " + maxCell + " bytes";
  }

  /** Line by line: slower, for what must see the end of a line first. */
  private void readLines(InputBuffer in, RowScanner scanner, long rowsEnd) throws IOException {
    ArrayDeque<Line> heldBack = new ArrayDeque<>();
    while ((in.position() < in.limit() || in.fill()) && in.fileOffset() < rowsEnd) {
      long offset = in.fileOffset();
      int end = LineFile.lineEnd(in);
      Optional<byte[]> content = Optional.empty();
      if (end - in.position() <= maxCell) {
        content = Optional.of(transcoded(in.bytes(), in.position(), end));
      }
      heldBack.add(new Line(offset, content));
      if (heldBack.size() > layout.footerLines()) {
        scanLine(heldBack.remove(), scanner);
      }
      if (end == in.limit()) {
        in.moveTo(end);
        return;
      }
      in.skipLineEnd(end);
    }
  }

  private void scanLine(Line line, RowScanner scanner) {
    if (line.content().isEmpty()) {
      scanner.refuseLine(line.offset(), tooLong());
      return;
    }
    byte[] content = line.content().get();
    scanner.startAt(line.offset(), 0);
    scanner.scan(content, content.length - Words.BYTES, Long.MAX_VALUE);
  }

  /** The line in UTF-8, with a line end and the room that a scan needs behind it. */
  private byte[] transcoded(byte[] bytes, int start, int end) {
    byte[] utf8 =
        layout.needsTranscoding()
            ? new String(bytes, start, end - start, layout.charset())
                .getBytes(StandardCharsets.UTF_8)
            : Arrays.copyOfRange(bytes, start, end);
    byte[] line = Arrays.copyOf(utf8, utf8.length + 1 + Words.BYTES);
    line[utf8.length] = '\n';
    return line;
  }

  /**
   * A line that may turn out to belong to the footer; without its content where that is too long.
   */
  private record Line(long offset, Optional<byte[]> content) {}
}
