package dev.leat.internal.text;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * A window on a stream: an array that is filled behind what is still needed of it. Belongs to one
 * thread.
 */
final class InputBuffer implements AutoCloseable {
  static final int BYTE_ORDER_MARK_LENGTH = 3;

  private final InputStream in;
  private byte[] bytes;
  private int limit;
  private int position;
  private long offset;
  private boolean ended;

  /**
   * Creates an empty window.
   *
   * @param offset the place in the file of the stream's first byte
   * @param capacity how many bytes to hold; grows where more are needed at once
   */
  InputBuffer(InputStream in, long offset, int capacity) {
    this.in = in;
    this.offset = offset;
    this.bytes = new byte[capacity + Words.BYTES];
  }

  /**
   * The array. Beyond {@link #limit()} there is always room for one word, with bytes that mean
   * nothing.
   */
  byte[] bytes() {
    return bytes;
  }

  /** Where the bytes end. */
  int limit() {
    return limit;
  }

  /** Where the next byte is that nobody has taken yet. */
  int position() {
    return position;
  }

  void moveTo(int newPosition) {
    position = newPosition;
  }

  /** The place in the file of the next byte that nobody has taken yet. */
  long fileOffset() {
    return offset + position;
  }

  /**
   * Drops what is before the position, which becomes 0, and reads on.
   *
   * @return whether there was a byte to read
   */
  boolean fill() throws IOException {
    int kept = limit - position;
    int capacity = bytes.length - Words.BYTES;
    if (kept == capacity) {
      if (capacity > Integer.MAX_VALUE / 2 - Words.BYTES) {
        throw new LeatException(
            ErrorCode.ROW_TOO_LARGE,
            "the line that begins at byte "
                + fileOffset()
                + " is longer than "
                + capacity
                + " bytes; check that the file is text");
      }
      bytes = Arrays.copyOf(bytes, 2 * capacity + Words.BYTES);
    } else if (position > 0) {
      System.arraycopy(bytes, position, bytes, 0, kept);
    }
    offset += position;
    position = 0;
    limit = kept;
    if (ended) {
      return false;
    }
    int count = in.read(bytes, limit, bytes.length - Words.BYTES - limit);
    if (count < 0) {
      ended = true;
      return false;
    }
    limit += count;
    return true;
  }

  /** Goes over the mark that says that a file is UTF-8, if the stream begins with it. */
  void skipByteOrderMark() throws IOException {
    while (limit < BYTE_ORDER_MARK_LENGTH && fill()) {
      // a stream may give one byte at a time
    }
    if (limit >= BYTE_ORDER_MARK_LENGTH
        && bytes[0] == (byte) 0xEF
        && bytes[1] == (byte) 0xBB
        && bytes[2] == (byte) 0xBF) {
      position = BYTE_ORDER_MARK_LENGTH;
    }
  }

  /**
   * Moves to the beginning of the next line.
   *
   * @return whether there was a line end
   */
  boolean skipLine() throws IOException {
    int end = RowScanner.lineEnd(bytes, position, limit);
    while (end == limit) {
      position = limit;
      if (!fill()) {
        return false;
      }
      end = RowScanner.lineEnd(bytes, position, limit);
    }
    skipLineEnd(end);
    return true;
  }

  /** Moves behind the line end that is at {@code end}, the LF after a CR included. */
  void skipLineEnd(int end) throws IOException {
    boolean afterCr = bytes[end] == '\r';
    position = end + 1;
    if (afterCr && (position < limit || fill()) && bytes[position] == '\n') {
      position++;
    }
  }

  @Override
  public void close() throws IOException {
    in.close();
  }
}
