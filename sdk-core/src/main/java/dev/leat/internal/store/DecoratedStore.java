package dev.leat.internal.store;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A store over another one that sends every request through {@link #call}: those of the store, of
 * its readers, and of their streams.
 */
abstract class DecoratedStore implements BlobStore {
  final BlobStore delegate;

  DecoratedStore(BlobStore delegate) {
    this.delegate = delegate;
  }

  /** One request. */
  interface Call<T> {
    T run() throws IOException;
  }

  /** Makes a request, as the decorator sees fit. */
  abstract <T> T call(Operation operation, URI uri, Call<T> call) throws IOException;

  /** Is told how many bytes a read brought. */
  void bytesRead(long count) {}

  /** The reader that callers get for one of the delegate. */
  BlobReader reader(Blob blob, BlobReader opened) {
    return new DecoratedReader(blob, opened);
  }

  /** The stream that callers get for one of the delegate. */
  InputStream stream(Blob blob, InputStream opened) {
    return new DecoratedStream(blob, opened);
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    return call(Operation.LIST, directory, () -> delegate.list(directory));
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    return call(Operation.FIND, uri, () -> delegate.find(uri));
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    return reader(blob, call(Operation.OPEN, blob.uri(), () -> delegate.open(blob)));
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    call(
        Operation.PUBLISH,
        target,
        () -> {
          delegate.publish(file, target);
          return true;
        });
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    return call(
        Operation.PUBLISH_IF_ABSENT, target, () -> delegate.publishIfAbsent(content, target));
  }

  @Override
  public void delete(URI uri) throws IOException {
    call(
        Operation.DELETE,
        uri,
        () -> {
          delegate.delete(uri);
          return true;
        });
  }

  @Override
  public void close() {
    delegate.close();
  }

  @Override
  public String toString() {
    return delegate.toString();
  }

  private final class DecoratedReader implements BlobReader {
    private final Blob blob;
    private final BlobReader opened;

    DecoratedReader(Blob blob, BlobReader opened) {
      this.blob = blob;
      this.opened = opened;
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
      call(
          Operation.READ,
          blob.uri(),
          () -> {
            opened.readFully(position, target, offset, length);
            return true;
          });
      bytesRead(length);
    }

    @Override
    public InputStream stream(long position) throws IOException {
      return DecoratedStore.this.stream(
          blob, call(Operation.STREAM, blob.uri(), () -> opened.stream(position)));
    }

    @Override
    public void close() throws IOException {
      opened.close();
    }
  }

  private final class DecoratedStream extends SimpleStream {
    private final Blob blob;
    private final InputStream opened;

    DecoratedStream(Blob blob, InputStream opened) {
      this.blob = blob;
      this.opened = opened;
    }

    @Override
    int readSome(byte[] target, int offset, int length) throws IOException {
      int count = call(Operation.STREAM, blob.uri(), () -> opened.read(target, offset, length));
      bytesRead(Math.max(0, count));
      return count;
    }

    @Override
    public void close() throws IOException {
      opened.close();
    }
  }

  /** A stream of which only the reading of an array is left to write. */
  abstract static class SimpleStream extends InputStream {

    /** As {@link #read(byte[], int, int)}, with checked arguments and a length of at least 1. */
    abstract int readSome(byte[] target, int offset, int length) throws IOException;

    @Override
    public final int read() throws IOException {
      byte[] one = new byte[1];
      int count;
      do {
        count = readSome(one, 0, 1);
      } while (count == 0);
      return count < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public final int read(byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      return length == 0 ? 0 : readSome(target, offset, length);
    }
  }
}
