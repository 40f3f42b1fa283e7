package dev.leat.internal.index;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.internal.disk.OwnerOnly;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** How the files of an index are written. Tests put faults in. */
class IndexFiles {
  private static final long FULL_BYTES = 1 << 20;

  /** Files on the local disk. */
  static IndexFiles onDisk() {
    return new IndexFiles();
  }

  /**
   * Makes the directory, and takes away what an earlier build left there: first the manifest, so
   * that the rest is no index.
   */
  void prepare(Path directory) throws IOException {
    OwnerOnly.createDirectories(directory);
    discard(directory);
  }

  /** Deletes the files of an index, the manifest first. */
  void discard(Path directory) throws IOException {
    Files.deleteIfExists(directory.resolve(IndexManifest.FILE_NAME));
    if (Files.isDirectory(directory)) {
      try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, "*.{leat,json.new}")) {
        for (Path file : files) {
          Files.deleteIfExists(file);
        }
      }
    }
  }

  /** Opens a file that is written from its beginning. */
  WritableByteChannel create(Path directory, String name) throws IOException {
    return OwnerOnly.open(
        directory.resolve(name),
        StandardOpenOption.CREATE,
        StandardOpenOption.TRUNCATE_EXISTING,
        StandardOpenOption.WRITE);
  }

  /** Makes a file for intermediate bytes. */
  SpillFile spill(Path directory) throws IOException {
    return new SpillFile(directory);
  }

  /** Writes a small file. */
  IndexManifest.Shard write(Path directory, String name, byte[] content, int footerCrc)
      throws IOException {
    try (WritableByteChannel channel = create(directory, name)) {
      writeFully(channel, content);
    }
    java.util.zip.CRC32C crc = new java.util.zip.CRC32C();
    crc.update(content);
    return new IndexManifest.Shard(name, content.length, (int) crc.getValue(), footerCrc);
  }

  /** Writes a small file that others see whole or not at all. */
  void publish(Path directory, String name, byte[] content) throws IOException {
    String temporary = name + ".new";
    try (WritableByteChannel channel = create(directory, temporary)) {
      writeFully(channel, content);
    }
    Files.move(
        directory.resolve(temporary),
        directory.resolve(name),
        StandardCopyOption.ATOMIC_MOVE,
        StandardCopyOption.REPLACE_EXISTING);
  }

  private static void writeFully(WritableByteChannel channel, byte[] content) throws IOException {
    ByteBuffer buffer = ByteBuffer.wrap(content);
    while (buffer.hasRemaining()) {
      channel.write(buffer);
    }
  }

  /** What a failed access to a directory means to the user. */
  LeatException failed(Path directory, IOException e, boolean cancelled) {
    if (cancelled && e instanceof ClosedChannelException) {
      return new LeatException(
          ErrorCode.BUILD_CANCELLED,
          "the build of the index was cancelled; nothing of it is kept",
          e);
    }
    if (full(directory, e)) {
      return new LeatException(
          ErrorCode.DISK_FULL,
          "the disk of "
              + directory
              + " is full; free some space, or give Leat another directory or a smaller budget",
          e);
    }
    return new LeatException(
        ErrorCode.DISK_UNUSABLE,
        "the directory "
            + directory
            + " cannot be written: "
            + e
            + "; check that it exists and its permissions",
        e);
  }

  private static boolean full(Path directory, IOException e) {
    String message = String.valueOf(e.getMessage()).toLowerCase(Locale.ROOT);
    if (message.contains("no space left")
        || message.contains("not enough space")
        || message.contains("quota exceeded")
        || message.contains("file too large")) {
      return true;
    }
    try {
      return Files.exists(directory) && Files.getFileStore(directory).getUsableSpace() < FULL_BYTES;
    } catch (IOException unknown) {
      e.addSuppressed(unknown);
      return false;
    }
  }
}
