package dev.leat.internal.engine.build;

import dev.leat.spi.BlobReader;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** Tells when the first byte has come from a reader. */
final class WatchedReader implements BlobReader {
  private final BlobReader reader;
  private final Runnable onBytes;

  WatchedReader(BlobReader reader, Runnable onBytes) {
    this.reader = reader;
    this.onBytes = onBytes;
  }

  @Override
  public void readFully(long position, byte[] target, int offset, int length) throws IOException {
    reader.readFully(position, target, offset, length);
    onBytes.run();
  }

  @Override
  public InputStream stream(long position) throws IOException {
    return new FilterInputStream(reader.stream(position)) {
      private boolean told;

      @Override
      public int read() throws IOException {
        return tell(in.read());
      }

      @Override
      public int read(byte[] target, int offset, int length) throws IOException {
        return tell(in.read(target, offset, length));
      }

      private int tell(int result) {
        if (!told && result >= 0) {
          told = true;
          onBytes.run();
        }
        return result;
      }
    };
  }

  @Override
  public void close() throws IOException {
    reader.close();
  }
}
