package dev.leat.internal.text;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * A file of a test, in memory. Its streams give at most {@code atOnce} bytes per call, and counts
 * those that are not closed.
 */
final class BytesFile implements BlobReader {
  private final byte[] content;
  private final int atOnce;
  final Blob blob;
  int openStreams;

  BytesFile(String name, byte[] content, int atOnce) {
    this.content = content;
    this.atOnce = atOnce;
    this.blob =
        new Blob(
            URI.create("file:///data/" + name), content.length, Optional.empty(), Instant.EPOCH);
  }

  BytesFile(String name, byte[] content) {
    this(name, content, Integer.MAX_VALUE);
  }

  @Override
  public void readFully(long position, byte[] target, int offset, int length) throws IOException {
    if (position + length > content.length) {
      throw new StoreException(StoreException.Kind.TRUNCATED, "too short", null);
    }
    System.arraycopy(content, (int) position, target, offset, length);
  }

  @Override
  public InputStream stream(long position) {
    openStreams++;
    return new ByteArrayInputStream(Arrays.copyOfRange(content, (int) position, content.length)) {
      @Override
      public synchronized int read(byte[] target, int offset, int length) {
        return super.read(target, offset, Math.min(length, atOnce));
      }

      @Override
      public synchronized int available() {
        return 0; // as a network stream may
      }

      @Override
      public void close() {
        openStreams--;
      }
    };
  }

  @Override
  public void close() {}
}
