package dev.leat.spi;

import static java.util.Objects.requireNonNull;

/**
 * A part of a source file that one thread parses.
 *
 * @param file the file
 * @param start the first byte of the part, 0 for the whole file
 * @param length the number of bytes of the part. Where rows end at marks (lines), a row belongs to
 *     the split in which it begins
 */
public record FileSplit(Blob file, long start, long length) {

  /** Checks that the part lies in the file. */
  public FileSplit {
    requireNonNull(file, "file");
    if (start < 0 || length < 0 || start > file.length() - length) {
      throw new IllegalArgumentException(
          "the part "
              + start
              + "+"
              + length
              + " is not within "
              + file.uri()
              + " of "
              + file.length()
              + " bytes");
    }
  }
}
