package dev.leat.internal.text;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.internal.schema.ColumnNames;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.RowSink;
import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads lines of cells that may stand in quotes. */
public final class CsvReader extends LineRowsReader {
  private final List<Column> columns;
  private final Optional<List<String>> declaredColumns;
  private final CsvLayout layout;

  /**
   * Creates a reader.
   *
   * @param columns the columns to deliver
   * @param declaredColumns the names of the cells of a line, or empty where the first line of each
   *     file says them
   */
  public CsvReader(List<Column> columns, Optional<List<String>> declaredColumns, CsvLayout layout) {
    super(layout.headerLines(), layout.footerLines());
    this.columns = List.copyOf(columns);
    this.declaredColumns = declaredColumns;
    this.layout = layout;
    columns.forEach(NestedText::check);
    declaredColumns.ifPresent(names -> positions(names, "the format"));
  }

  /** The names that the first line of a file has. */
  public static List<String> headerOf(Blob file, BlobReader reader, CsvLayout layout)
      throws IOException {
    try (InputBuffer in = LineFile.open(file, reader, 0, 8 * 1024)) {
      in.skipByteOrderMark();
      int end = LineFile.lineEnd(in);
      String line =
          new String(
              in.bytes(), in.position(), end - in.position(), Charset.forName(layout.charset()));
      List<String> names = new ArrayList<>();
      for (String cell : layout.line().cells(line)) {
        names.add(cell.isBlank() ? "_c" + names.size() : cell.strip());
      }
      if (names.isEmpty()) {
        throw new LeatException(
            ErrorCode.INVALID_DEFINITION,
            file.uri()
                + " has no header line; declare the columns with columns(…), or take the file away");
      }
      return names;
    }
  }

  /** For each column that is delivered the position of its cell. */
  private int[] positions(List<String> names, String where) {
    ColumnNames cells = new ColumnNames(names);
    int[] positions = new int[columns.size()];
    for (int i = 0; i < positions.length; i++) {
      String name = columns.get(i).name();
      List<Integer> found = cells.positionsOf(name);
      if (found.size() != 1) {
        throw new LeatException(
            found.isEmpty() ? ErrorCode.COLUMN_NOT_FOUND : ErrorCode.INVALID_DEFINITION,
            where
                + " has "
                + (found.isEmpty() ? "no column '" : "several columns '")
                + name
                + "'; it has "
                + names);
      }
      positions[i] = found.get(0);
    }
    return positions;
  }

  @Override
  LineParser parser(Blob file, BlobReader reader, RowSink sink) throws IOException {
    List<String> names =
        declaredColumns.isPresent() ? declaredColumns.get() : headerOf(file, reader, layout);
    return new Parser(positions(names, file.uri().toString()), names.size(), columns, layout, sink);
  }

  /** Parses the lines of one split. */
  private static final class Parser implements LineParser {
    private final int[] positions;
    private final int declaredCount;
    private final CsvLayout layout;
    private final Charset charset;
    private final CsvLine line;
    private final RowSink sink;
    private final CellDecoder decoder;

    Parser(
        int[] positions, int declaredCount, List<Column> columns, CsvLayout layout, RowSink sink) {
      this.positions = positions;
      this.declaredCount = declaredCount;
      this.layout = layout;
      this.charset = Charset.forName(layout.charset());
      this.line = layout.line();
      this.sink = sink;
      this.decoder =
          layout.nullMarker().isEmpty()
              ? CellDecoder.withoutNullMarker(columns, layout.strictness(), sink)
              : new CellDecoder(
                  columns,
                  new TextLayout(
                      (byte) ',',
                      Optional.empty(),
                      layout.nullMarker().get(),
                      StandardCharsets.UTF_8,
                      0,
                      0,
                      layout.strictness()),
                  sink);
    }

    @Override
    public void parse(byte[] bytes, int start, int end, long offset, long number) {
      sink.beginRow(offset);
      List<String> cells = line.cells(new String(bytes, start, end - start, charset));
      if (layout.strictness() == Strictness.STRICT && cells.size() != declaredCount) {
        sink.reject(
            number,
            -1,
            "the line has " + cells.size() + " whole cells for " + declaredCount + " columns");
        return;
      }
      for (int i = 0; i < positions.length; i++) {
        if (positions[i] < cells.size()) {
          String reason = deliver(i, cells.get(positions[i]));
          if (reason != null) {
            sink.reject(number, i, reason);
            return;
          }
        }
      }
      sink.endRow();
    }

    private @Nullable String deliver(int column, String cell) {
      byte[] utf8 = cell.getBytes(StandardCharsets.UTF_8);
      return decoder.deliver(column, utf8, 0, utf8.length, false, false);
    }
  }
}
