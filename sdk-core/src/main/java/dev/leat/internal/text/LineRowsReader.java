package dev.leat.internal.text;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowSink;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;

/**
 * Reads files in which each line is a row that is parsed for itself: JSON and CSV. Lines are those
 * of Hadoop's {@code TextInputFormat}, as for delimited text. Thread-safe: what belongs to one file
 * is made for each call.
 */
abstract class LineRowsReader implements FormatReader {
  private static final int BUFFER = 256 * 1024;

  /** A longer line is a damaged file rather than a row. */
  private static final int MAX_LINE = 64 * 1024 * 1024;

  private final int headerLines;
  private final int footerLines;

  LineRowsReader(int headerLines, int footerLines) {
    this.headerLines = headerLines;
    this.footerLines = footerLines;
  }

  /** Parses the lines of one split. Belongs to one thread. */
  interface LineParser {
    /**
     * Gives the row of a line to the sink.
     *
     * @param bytes the line's bytes; at most one row is made of them
     * @param offset where the line begins in the file
     * @param number the number of the line from 1, or -1 where it is not known
     */
    void parse(byte[] bytes, int start, int end, long offset, long number) throws IOException;
  }

  abstract LineParser parser(Blob file, BlobReader reader, RowSink sink) throws IOException;

  @Override
  public List<FileSplit> splits(Blob file, long targetBytes) {
    return LineFile.splits(file, targetBytes, footerLines > 0);
  }

  @Override
  public void read(FileSplit split, BlobReader reader, RowSink sink) throws IOException {
    boolean whole = LineFile.isWhole(split, footerLines > 0);
    if (split.length() == 0) {
      return;
    }
    LineParser parser = parser(split.file(), reader, sink);
    long rowsEnd = whole ? Long.MAX_VALUE : split.start() + split.length();
    long number = split.start() == 0 ? headerLines + 1L : -1;
    ArrayDeque<Line> heldBack = new ArrayDeque<>();
    try (InputBuffer in = LineFile.openAtFirstRow(split, reader, headerLines, BUFFER)) {
      while ((in.position() < in.limit() || in.fill()) && in.fileOffset() < rowsEnd) {
        long offset = in.fileOffset();
        int end = LineFile.lineEnd(in);
        if (footerLines > 0) {
          heldBack.add(new Line(offset, Arrays.copyOfRange(in.bytes(), in.position(), end)));
          if (heldBack.size() > footerLines) {
            Line line = heldBack.remove();
            parse(parser, sink, line.content(), 0, line.content().length, line.offset(), number);
            number++;
          }
        } else {
          parse(parser, sink, in.bytes(), in.position(), end, offset, number);
          number += number > 0 ? 1 : 0;
        }
        if (end == in.limit()) {
          in.moveTo(end);
          return;
        }
        in.skipLineEnd(end);
      }
    }
  }

  private static void parse(
      LineParser parser, RowSink sink, byte[] bytes, int start, int end, long offset, long number)
      throws IOException {
    if (end - start > MAX_LINE) {
      sink.beginRow(offset);
      sink.reject(number, -1, "the line is longer than " + MAX_LINE + " bytes");
    } else {
      parser.parse(bytes, start, end, offset, number);
    }
  }

  /** A line that may turn out to belong to the footer. */
  private record Line(long offset, byte[] content) {}
}
