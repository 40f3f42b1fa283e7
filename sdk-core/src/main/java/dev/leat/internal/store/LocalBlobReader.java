package dev.leat.internal.store;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Reads one file and fails as soon as it is no longer the one that was listed. */
final class LocalBlobReader implements BlobReader {
  private final Path path;
  private final Blob blob;
  private final FileChannel channel;

  /** The inode, where the file system has such a thing. */
  private final @Nullable Object fileKey;

  private LocalBlobReader(Path path, Blob blob, FileChannel channel, @Nullable Object fileKey) {
    this.path = path;
    this.blob = blob;
    this.channel = channel;
    this.fileKey = fileKey;
  }

  static LocalBlobReader open(Path path, Blob blob) throws IOException {
    FileChannel channel = FileChannel.open(path, StandardOpenOption.READ);
    try {
      // Taken after opening: if the path is replaced in between, these are the attributes of the
      // newer file, which is then told as changed although the channel has the right one; never the
      // reverse.
      BasicFileAttributes attributes = Files.readAttributes(path, BasicFileAttributes.class);
      if (!isListed(attributes, blob)) {
        throw changed(blob, attributes);
      }
      return new LocalBlobReader(path, blob, channel, attributes.fileKey());
    } catch (IOException | RuntimeException e) {
      channel.close();
      throw e;
    }
  }

  private static boolean isListed(BasicFileAttributes attributes, Blob blob) {
    return attributes.size() == blob.length()
        && attributes.lastModifiedTime().toInstant().equals(blob.modified());
  }

  private static StoreException changed(Blob blob, BasicFileAttributes now) {
    return new StoreException(
        Kind.CHANGED,
        blob.uri()
            + " changed: "
            + blob.length()
            + " bytes of "
            + blob.modified()
            + " were listed, now it has "
            + now.size()
            + " bytes of "
            + now.lastModifiedTime()
            + "; list it again",
        null);
  }

  /**
   * Fails if the file that is open was written to. A file that took its place under the same name
   * is another file and of no concern.
   */
  private void requireUnchanged() throws IOException {
    BasicFileAttributes now;
    try {
      now = Files.readAttributes(path, BasicFileAttributes.class);
    } catch (NoSuchFileException e) {
      return; // deleted; what is open lives on
    }
    if (Objects.equals(now.fileKey(), fileKey) && !isListed(now, blob)) {
      throw changed(blob, now);
    }
  }

  @Override
  public void readFully(long position, byte[] target, int offset, int length) throws IOException {
    Objects.checkFromIndexSize(offset, length, target.length);
    try {
      ByteBuffer bytes = ByteBuffer.wrap(target, offset, length);
      while (bytes.hasRemaining()) {
        if (channel.read(bytes, position + length - bytes.remaining()) < 0) {
          requireUnchanged();
          throw truncated(position, length);
        }
      }
      requireUnchanged();
    } catch (IOException e) {
      throw LocalFileStore.translated(e, "read", blob.uri());
    }
  }

  private StoreException truncated(long position, int length) {
    return new StoreException(
        Kind.TRUNCATED,
        blob.uri() + " of " + blob.length() + " bytes ends before " + position + "+" + length,
        null);
  }

  @Override
  public InputStream stream(long position) throws IOException {
    blob.requireRange(position, 0);
    if (!channel.isOpen()) {
      throw new StoreException(Kind.OTHER, "the reader of " + blob.uri() + " is closed", null);
    }
    try {
      LocalBlobReader own = open(path, blob);
      return own.new Sequential(position);
    } catch (IOException e) {
      throw LocalFileStore.translated(e, "open", blob.uri());
    }
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }

  /** A stream that owns its reader. */
  private final class Sequential extends InputStream {
    private long position;

    Sequential(long position) {
      this.position = position;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      if (length == 0) {
        return 0;
      }
      if (position == blob.length()) {
        return -1;
      }
      int count = (int) Math.min(length, blob.length() - position);
      readFully(position, target, offset, count);
      position += count;
      return count;
    }

    @Override
    public int available() {
      return (int) Math.min(Integer.MAX_VALUE, blob.length() - position);
    }

    @Override
    public void close() throws IOException {
      LocalBlobReader.this.close();
    }
  }
}
