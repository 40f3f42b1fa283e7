package dev.leat.internal.text;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FileSplit;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** How a file of lines is cut into splits, and where the first line of a split begins. */
final class LineFile {
  /** As in Hadoop, the last split may be larger by a tenth, so that none is tiny. */
  private static final double SPLIT_SLOP = 1.1;

  private static final int HEAD_BUFFER = 8 * 1024;

  private LineFile() {}

  /**
   * Cuts a file.
   *
   * @param wholeOnly whether the end of the file must be known to read its lines
   */
  static List<FileSplit> splits(Blob file, long targetBytes, boolean wholeOnly) {
    if (targetBytes < 1) {
      throw new IllegalArgumentException(
          "splits of " + targetBytes + " bytes cannot be made; use 1 or more");
    }
    long length = file.length();
    if (length == 0) {
      return List.of();
    }
    if (wholeOnly || Compression.of(file.uri()) != Compression.NONE) {
      return List.of(new FileSplit(file, 0, length));
    }
    List<FileSplit> splits = new ArrayList<>();
    long start = 0;
    while ((double) (length - start) / targetBytes > SPLIT_SLOP) {
      splits.add(new FileSplit(file, start, targetBytes));
      start += targetBytes;
    }
    splits.add(new FileSplit(file, start, length - start));
    return List.copyOf(splits);
  }

  /** Whether a split is all of its file; refuses a part of a file that cannot be read in parts. */
  static boolean isWhole(FileSplit split, boolean wholeOnly) {
    Blob file = split.file();
    boolean whole = split.start() == 0 && split.length() == file.length();
    if (!whole && (wholeOnly || Compression.of(file.uri()) != Compression.NONE)) {
      throw new IllegalArgumentException(file.uri() + " cannot be read in parts; use splits(…)");
    }
    return whole;
  }

  static InputBuffer open(Blob file, BlobReader reader, long offset, int bufferSize)
      throws IOException {
    return new InputBuffer(
        Compression.of(file.uri())
            .decompressed(reader.stream(offset), file.length() - offset, file.uri()),
        offset,
        bufferSize);
  }

  /** Opens a file at the first line that begins in the split and is no header. */
  static InputBuffer openAtFirstRow(
      FileSplit split, BlobReader reader, int headerLines, int bufferSize) throws IOException {
    Blob file = split.file();
    long headerEnd = 0;
    boolean mayBeginBeforeFirstRow =
        headerLines > 0 || split.start() <= InputBuffer.BYTE_ORDER_MARK_LENGTH;
    if (split.start() > 0 && mayBeginBeforeFirstRow) {
      try (InputBuffer head = open(file, reader, 0, Math.min(bufferSize, HEAD_BUFFER))) {
        skipHeader(head, headerLines);
        headerEnd = head.fileOffset();
      }
    }
    if (headerEnd > 0 && headerEnd >= split.start()) {
      return open(file, reader, headerEnd, bufferSize);
    }
    // From one byte before the split it is seen whether its first byte begins a line.
    InputBuffer in = open(file, reader, Math.max(0, split.start() - 1), bufferSize);
    try {
      if (split.start() > 0) {
        in.skipLine();
      } else {
        skipHeader(in, headerLines);
      }
      return in;
    } catch (IOException | RuntimeException e) {
      closeAfter(e, in);
      throw e;
    }
  }

  private static void closeAfter(Exception failure, InputBuffer in) {
    try {
      in.close();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private static void skipHeader(InputBuffer in, int headerLines) throws IOException {
    in.skipByteOrderMark();
    for (int i = 0; i < headerLines && in.skipLine(); i++) {
      // the lines are not rows
    }
  }

  /**
   * The place where the line ends that begins at the position: its line end, or the end of the
   * file. Moves the bytes.
   */
  static int lineEnd(InputBuffer in) throws IOException {
    int searched = 0;
    while (true) {
      int end = RowScanner.lineEnd(in.bytes(), in.position() + searched, in.limit());
      if (end < in.limit()) {
        return end;
      }
      searched = in.limit() - in.position();
      if (!in.fill()) {
        return in.limit();
      }
    }
  }
}
