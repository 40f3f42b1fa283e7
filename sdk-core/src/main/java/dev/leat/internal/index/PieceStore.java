package dev.leat.internal.index;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Keeps intermediate bytes: in memory up to a bound, then in a file. Thread-safe. */
final class PieceStore implements AutoCloseable {
  private final IndexFiles files;
  private final Path directory;
  private final long memory;
  private final AtomicLong used = new AtomicLong();
  private @Nullable SpillFile file;
  private boolean closed;

  PieceStore(IndexFiles files, Path directory, long memory) {
    this.files = files;
    this.directory = directory;
    this.memory = memory;
  }

  /** Keeps a copy of the bytes. */
  Piece keep(byte[] bytes, int offset, int length) throws IOException {
    if (used.addAndGet(length) <= memory) {
      return new Piece(Arrays.copyOfRange(bytes, offset, offset + length), null, 0, length);
    }
    used.addAndGet(-length);
    SpillFile target = file();
    return new Piece(null, target, target.append(bytes, offset, length), length);
  }

  /**
   * Keeps the bytes at the beginning of an array, in the array itself where that is nearly full:
   * then the piece has the array, and the caller must not use it any more. A piece in memory has
   * {@link Bits#SLACK} bytes behind its end.
   */
  Piece keepArray(byte[] bytes, int length) throws IOException {
    boolean nearlyFull = length >= bytes.length - bytes.length / 4;
    int held = nearlyFull ? bytes.length : length + Bits.SLACK;
    if (used.addAndGet(held) <= memory) {
      return new Piece(nearlyFull ? bytes : Arrays.copyOf(bytes, held), null, 0, length);
    }
    used.addAndGet(-held);
    SpillFile target = file();
    return new Piece(null, target, target.append(bytes, 0, length), length);
  }

  /** Says that a piece is no longer needed. */
  void release(Piece piece) {
    if (piece.bytes() != null) {
      used.addAndGet(-piece.bytes().length);
    }
  }

  /** How many bytes are in memory. */
  long used() {
    return used.get();
  }

  private synchronized SpillFile file() throws IOException {
    if (closed) {
      throw new IOException("the build has ended");
    }
    if (file == null) {
      file = files.spill(directory);
    }
    return file;
  }

  @Override
  public synchronized void close() throws IOException {
    closed = true;
    if (file != null) {
      file.close();
    }
  }
}
