package dev.leat.parquet;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/** A file of a store as Parquet's library reads it: by position, without a file system. */
final class BlobInput implements InputFile {
  private final Blob file;
  private final BlobReader reader;

  BlobInput(Blob file, BlobReader reader) {
    this.file = file;
    this.reader = reader;
  }

  @Override
  public long getLength() {
    return file.length();
  }

  @Override
  public SeekableInputStream newStream() {
    return new Stream(new Positioned(file, reader));
  }

  @Override
  public String toString() {
    return file.uri().toString();
  }

  private static final class Stream extends DelegatingSeekableInputStream {
    private final Positioned in;

    Stream(Positioned in) {
      super(in);
      this.in = in;
    }

    @Override
    public long getPos() {
      return in.position;
    }

    @Override
    public void seek(long position) {
      in.position = position;
    }

    @Override
    public void readFully(ByteBuffer target) throws IOException {
      // In one request, where the library would ask for pieces of 8 KB.
      byte[] bytes = new byte[target.remaining()];
      in.readAll(bytes, 0, bytes.length);
      target.put(bytes);
    }

    @Override
    public void readFully(byte[] target, int offset, int length) throws IOException {
      in.readAll(target, offset, length);
    }
  }

  /** Reads from a position that moves on. */
  private static final class Positioned extends java.io.InputStream {
    private final Blob file;
    private final BlobReader reader;
    private long position;

    Positioned(Blob file, BlobReader reader) {
      this.file = file;
      this.reader = reader;
    }

    void readAll(byte[] target, int offset, int length) throws IOException {
      if (length > file.length() - position) {
        throw new EOFException(file.uri() + " ends before byte " + (position + length));
      }
      reader.readFully(position, target, offset, length);
      position += length;
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = (int) Math.min(length, file.length() - position);
      if (count <= 0) {
        return length == 0 ? 0 : -1;
      }
      readAll(target, offset, count);
      return count;
    }
  }
}
