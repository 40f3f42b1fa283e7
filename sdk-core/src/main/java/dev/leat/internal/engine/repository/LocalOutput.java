package dev.leat.internal.engine.repository;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Writes one new file of the local disk. A failure of the disk is a {@link LeatException}, so that
 * it is not taken for one of the store that the bytes come from; an interrupt stays an {@link
 * IOException}.
 */
final class LocalOutput implements AutoCloseable {
  private final String dimension;
  private final Path file;
  private final FileChannel channel;

  LocalOutput(String dimension, Path file) {
    this.dimension = dimension;
    this.file = file;
    try {
      channel = OwnerOnly.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    } catch (IOException e) {
      throw failed(e);
    }
  }

  void write(byte[] bytes, int length) throws ClosedByInterruptException {
    ByteBuffer buffer = ByteBuffer.wrap(bytes, 0, length);
    try {
      while (buffer.hasRemaining()) {
        channel.write(buffer);
      }
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  void force() throws ClosedByInterruptException {
    try {
      channel.force(false);
    } catch (ClosedByInterruptException e) {
      throw e;
    } catch (IOException e) {
      throw failed(e);
    }
  }

  private LeatException failed(IOException cause) {
    return new LeatException(
        ErrorCode.DISK_FULL,
        "Dimension '"
            + dimension
            + "': cannot write "
            + file
            + " ("
            + cause.getMessage()
            + "); free space on the disk, or give a larger one with LocalDisk.at(…)",
        cause);
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw failed(e);
    }
  }
}
