package dev.leat.internal.index;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Some intermediate bytes, in memory or in a file.
 *
 * @param bytes the bytes, or null where they are in a file
 * @param file the file, or null where they are in memory
 * @param position where in the file
 * @param length how many
 */
record Piece(byte @Nullable [] bytes, @Nullable SpillFile file, long position, int length) {

  /**
   * The bytes with {@link Bits#SLACK} behind them: those in memory, which must not be changed, or
   * read from the file.
   */
  byte[] withSlack() throws IOException {
    if (bytes != null && bytes.length - length >= Bits.SLACK) {
      return bytes;
    }
    byte[] copy = new byte[length + Bits.SLACK];
    copyTo(copy, 0);
    return copy;
  }

  /** Copies the bytes to an array. */
  void copyTo(byte[] target, int offset) throws IOException {
    if (bytes != null) {
      System.arraycopy(bytes, 0, target, offset, length);
    } else if (file != null) {
      file.read(position, target, offset, length);
    }
  }
}
