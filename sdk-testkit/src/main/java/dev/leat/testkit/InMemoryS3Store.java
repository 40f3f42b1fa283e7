package dev.leat.testkit;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A client of an {@link InMemoryS3}. */
final class InMemoryS3Store implements BlobStore {

  private final InMemoryS3 bucket;
  private volatile boolean closed;

  InMemoryS3Store(InMemoryS3 bucket) {
    this.bucket = bucket;
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    String key = key(directory);
    bucket.begin(StoreOperation.LIST, key);
    return bucket.listed(key).stream()
        .sorted(Comparator.comparing(blob -> blob.uri().toString()))
        .toList();
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    String key = key(uri);
    bucket.begin(StoreOperation.FIND, key);
    return Optional.ofNullable(bucket.stored(key)).map(stored -> bucket.blob(key, stored));
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    String key = key(blob.uri());
    bucket.begin(StoreOperation.OPEN, key);
    Reader reader = new Reader(blob, key);
    return bucket.resources().opened(reader, "a reader of " + blob.uri());
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    String key = key(target);
    byte[] content = Files.readAllBytes(file);
    bucket.begin(StoreOperation.PUBLISH, key);
    bucket.put(key, content);
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    String key = key(target);
    bucket.begin(StoreOperation.PUBLISH_IF_ABSENT, key);
    return bucket.putIfAbsent(key, content);
  }

  @Override
  public void delete(URI uri) throws IOException {
    String key = key(uri);
    bucket.begin(StoreOperation.DELETE, key);
    bucket.deleteTree(key);
  }

  @Override
  public void close() {
    closed = true;
  }

  private String key(URI uri) throws StoreException {
    if (closed) {
      throw new StoreException(
          StoreException.Kind.OTHER, "the client of " + bucket + " is closed", null);
    }
    if (!InMemoryS3.SCHEME.equals(uri.getScheme())
        || !bucket.bucket().equals(uri.getAuthority())
        || Arrays.asList(uri.getPath().split("/", -1)).contains("..")) {
      throw new StoreException(
          StoreException.Kind.ACCESS_DENIED, uri + " is not in " + bucket.uri(""), null);
    }
    return uri.getPath().isEmpty() ? "" : uri.getPath().substring(1);
  }

  /** Pinned to an ETag, as a request with {@code If-Match} is. */
  private final class Reader implements BlobReader {

    private final Blob blob;
    private final String key;
    private volatile boolean readerClosed;

    Reader(Blob blob, String key) {
      this.blob = blob;
      this.key = key;
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      checkOpen();
      if (position < 0 || length > blob.length() - position) {
        throw new StoreException(
            StoreException.Kind.TRUNCATED,
            blob.uri()
                + " has "
                + blob.length()
                + " bytes; "
                + length
                + " at "
                + position
                + " were asked for",
            null);
      }
      Long breaksAfter = bucket.begin(StoreOperation.READ, key);
      byte[] content = content();
      if (breaksAfter != null && breaksAfter < length) {
        throw broken();
      }
      System.arraycopy(content, (int) position, target, offset, length);
    }

    @Override
    public InputStream stream(long position) throws IOException {
      checkOpen();
      if (position < 0 || position > blob.length()) {
        throw new StoreException(
            StoreException.Kind.TRUNCATED,
            blob.uri()
                + " has "
                + blob.length()
                + " bytes; a stream from "
                + position
                + " was asked for",
            null);
      }
      Long breaksAfter = bucket.begin(StoreOperation.STREAM, key);
      byte[] content = content();
      Stream stream =
          new Stream(content, (int) position, breaksAfter == null ? Long.MAX_VALUE : breaksAfter);
      return bucket.resources().opened(stream, "a stream of " + blob.uri());
    }

    private byte[] content() throws StoreException {
      InMemoryS3.Stored stored = bucket.stored(key);
      if (stored == null) {
        throw new StoreException(
            StoreException.Kind.NOT_FOUND, blob.uri() + " is not there any more", null);
      }
      boolean same =
          blob.contentTag()
              .map(stored.etag()::equals)
              .orElse(stored.content().length == blob.length());
      if (!same) {
        throw new StoreException(
            StoreException.Kind.CHANGED,
            blob.uri() + " is no longer the object that was listed",
            null);
      }
      return stored.content();
    }

    private StoreException broken() {
      return new StoreException(
          StoreException.Kind.UNAVAILABLE,
          "reading " + blob.uri() + " failed: the connection broke (injected)",
          null);
    }

    private void checkOpen() throws StoreException {
      if (readerClosed || closed) {
        throw new StoreException(
            StoreException.Kind.OTHER, "the reader of " + blob.uri() + " is closed", null);
      }
    }

    @Override
    public void close() {
      readerClosed = true;
      bucket.resources().closed(this);
    }

    /** A response that has begun: it goes on with its content whatever happens to the object. */
    private final class Stream extends InputStream {

      private final byte[] content;
      private int position;
      private long left;

      Stream(byte[] content, int position, long left) {
        this.content = content;
        this.position = position;
        this.left = left;
      }

      @Override
      public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
      }

      @Override
      public int read(byte @Nullable [] target, int offset, int length) throws IOException {
        Objects.requireNonNull(target, "target");
        Objects.checkFromIndexSize(offset, length, target.length);
        if (position == content.length) {
          return -1;
        }
        if (left <= 0) {
          throw broken();
        }
        int count = (int) Math.min(left, Math.min(length, content.length - position));
        System.arraycopy(content, position, target, offset, count);
        position += count;
        left -= count;
        return count;
      }

      @Override
      public void close() {
        bucket.resources().closed(this);
      }
    }
  }
}
