package dev.leat.avro;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import java.io.IOException;
import java.io.InputStream;
import org.apache.avro.file.SeekableInput;
import org.jspecify.annotations.Nullable;

/** A file of a store as Avro's library reads it: as one stream from where it jumped last. */
final class BlobInput implements SeekableInput {
  private final Blob file;
  private final BlobReader reader;
  private long position;
  private @Nullable InputStream stream;

  BlobInput(Blob file, BlobReader reader) {
    this.file = file;
    this.reader = reader;
  }

  @Override
  public void seek(long target) throws IOException {
    if (target != position) {
      closeStream();
      position = target;
    }
  }

  @Override
  public long tell() {
    return position;
  }

  @Override
  public long length() {
    return file.length();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (position >= file.length()) {
      return length == 0 ? 0 : -1;
    }
    InputStream in = stream;
    if (in == null) {
      in = reader.stream(position);
      stream = in;
    }
    int count = in.read(target, offset, length);
    position += Math.max(0, count);
    return count;
  }

  private void closeStream() throws IOException {
    InputStream in = stream;
    stream = null;
    if (in != null) {
      in.close();
    }
  }

  @Override
  public void close() throws IOException {
    closeStream();
  }
}
