package dev.leat.spi;

import java.io.IOException;
import java.util.List;
import java.util.OptionalLong;

/**
 * Parses files of one format into a {@link RowSink}. Thread-safe: several splits are read at the
 * same time.
 */
public interface FormatReader {

  /**
   * Cuts a file into parts that can be parsed independently, each of about {@code targetBytes}; one
   * part where the file cannot be cut (it is compressed). The parts cover the file without overlap,
   * in order.
   */
  List<FileSplit> splits(Blob file, long targetBytes);

  /** Parses all rows of a part, in order. Exceptions of the sink pass through. */
  void read(FileSplit split, BlobReader reader, RowSink sink) throws IOException;

  /**
   * The number, from 1, of the line that is the first row of each file, in a format in which each
   * row is one line; empty in all others. From it the engine tells on which line a malformed row
   * stands, also where a file is parsed in parts.
   */
  default OptionalLong firstRowLine() {
    return OptionalLong.empty();
  }
}
