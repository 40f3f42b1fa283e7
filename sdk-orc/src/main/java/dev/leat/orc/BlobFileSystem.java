package dev.leat.orc;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.Progressable;

/**
 * One file of a store in the shape that ORC's library asks for: a Hadoop file system that has
 * nothing else, and that nobody finds by its scheme.
 */
final class BlobFileSystem extends FileSystem {
  private final Blob file;
  private final BlobReader reader;
  private final Path path;

  BlobFileSystem(Blob file, BlobReader reader, Configuration conf) {
    this.file = file;
    this.reader = reader;
    this.path = new Path(file.uri());
    setConf(conf);
  }

  Path path() {
    return path;
  }

  @Override
  public URI getUri() {
    return file.uri();
  }

  @Override
  public FSDataInputStream open(Path opened, int bufferSize) {
    return new FSDataInputStream(new Stream(file, reader));
  }

  @Override
  public FileStatus getFileStatus(Path asked) {
    return new FileStatus(file.length(), false, 1, 1L << 20, 0, path);
  }

  @Override
  protected void checkPath(Path any) {}

  @Override
  public FSDataOutputStream create(
      Path target,
      FsPermission permission,
      boolean overwrite,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress) {
    throw readOnly();
  }

  @Override
  public FSDataOutputStream append(Path target, int bufferSize, Progressable progress) {
    throw readOnly();
  }

  @Override
  public boolean rename(Path source, Path target) {
    throw readOnly();
  }

  @Override
  public boolean delete(Path target, boolean recursive) {
    throw readOnly();
  }

  @Override
  public FileStatus[] listStatus(Path directory) {
    throw readOnly();
  }

  @Override
  public void setWorkingDirectory(Path directory) {
    throw readOnly();
  }

  @Override
  public Path getWorkingDirectory() {
    return path;
  }

  @Override
  public boolean mkdirs(Path directory, FsPermission permission) {
    throw readOnly();
  }

  private UnsupportedOperationException readOnly() {
    return new UnsupportedOperationException(file.uri() + " can only be read");
  }

  private static final class Stream extends FSInputStream {
    private final Blob file;
    private final BlobReader reader;
    private long position;

    Stream(Blob file, BlobReader reader) {
      this.file = file;
      this.reader = reader;
    }

    @Override
    public void seek(long target) {
      position = target;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public boolean seekToNewSource(long target) {
      return false;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = read(position, target, offset, length);
      position += Math.max(0, count);
      return count;
    }

    @Override
    public int read(long from, byte[] target, int offset, int length) throws IOException {
      int count = (int) Math.min(length, file.length() - from);
      if (count <= 0) {
        return length == 0 ? 0 : -1;
      }
      reader.readFully(from, target, offset, count);
      return count;
    }

    @Override
    public void readFully(long from, byte[] target, int offset, int length) throws IOException {
      if (length > file.length() - from) {
        throw new EOFException(file.uri() + " ends before byte " + (from + length));
      }
      reader.readFully(from, target, offset, length);
    }
  }
}
