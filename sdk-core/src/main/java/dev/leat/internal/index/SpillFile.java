package dev.leat.internal.index;

import dev.leat.internal.disk.OwnerOnly;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A file for intermediate bytes that is gone when it is closed, or when the process dies.
 * Thread-safe.
 */
class SpillFile implements AutoCloseable {
  private final FileChannel channel;
  private final AtomicLong end = new AtomicLong();

  /** Makes a file in a directory, which is made if it is not there. */
  SpillFile(Path directory) throws IOException {
    OwnerOnly.createDirectories(directory);
    Path path = Files.createTempFile(directory, "rows-", ".spill");
    // DELETE_ON_CLOSE unlinks the file as soon as it is open, where the system can do that: even a
    // killed process leaves nothing.
    channel =
        FileChannel.open(
            path,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE,
            StandardOpenOption.DELETE_ON_CLOSE);
  }

  /** Appends bytes and says where. */
  long append(byte[] bytes, int offset, int length) throws IOException {
    long position = end.getAndAdd(length);
    ByteBuffer buffer = ByteBuffer.wrap(bytes, offset, length);
    while (buffer.hasRemaining()) {
      channel.write(buffer, position + buffer.position() - offset);
    }
    return position;
  }

  void read(long position, byte[] target, int offset, int length) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(target, offset, length);
    while (buffer.hasRemaining()) {
      if (channel.read(buffer, position + buffer.position() - offset) < 0) {
        throw new EOFException(
            "an intermediate file ends at "
                + channel.size()
                + " instead of "
                + (position + length));
      }
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
