package dev.leat.internal.store;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a call again when it failed in a way that may pass ({@link Kind#retriable()}). A reader
 * that failed is opened again, and a stream goes on behind the last byte that it gave: both still
 * answer with the blob that was opened, or fail with kind {@code CHANGED}.
 */
final class RetryingStore extends DecoratedStore {
  private static final Logger LOG = LoggerFactory.getLogger(RetryingStore.class);

  private final ResilienceSettings settings;
  private final StoreTime time;
  private final ResilienceListener listener;
  private final Backoff backoff;
  private final LongAdder retries = new LongAdder();

  RetryingStore(
      BlobStore delegate,
      ResilienceSettings settings,
      StoreTime time,
      ResilienceListener listener,
      Backoff backoff) {
    super(delegate);
    this.settings = settings;
    this.time = time;
    this.listener = listener;
    this.backoff = backoff;
  }

  long retries() {
    return retries.sum();
  }

  @Override
  <T> T call(Operation operation, URI uri, Call<T> call) throws IOException {
    long start = time.nanoTime();
    for (int attempt = 1; ; attempt++) {
      StoreException failure;
      try {
        return call.run();
      } catch (StoreException e) {
        failure = e;
      }
      if (!mayPass(failure)) {
        throw failure;
      }
      Duration wait = backoff.after(failure, attempt);
      Duration spent = Duration.ofNanos(time.nanoTime() - start);
      if (attempt >= settings.attempts() || spent.plus(wait).compareTo(settings.retryFor()) > 0) {
        throw attempt == 1
            ? failure
            : new StoreException(
                failure.kind(),
                failure.getMessage()
                    + " (given up after "
                    + attempt
                    + " attempts within "
                    + spent
                    + ")",
                failure);
      }
      retries.increment();
      listener.retrying(operation, uri, attempt, wait, failure);
      sleep(wait, operation, uri, failure);
    }
  }

  private static boolean mayPass(StoreException failure) {
    return failure.kind().retriable() && !CircuitBreakingStore.isRefusal(failure);
  }

  private void sleep(Duration wait, Operation operation, URI uri, StoreException failure)
      throws IOException {
    try {
      time.sleep(wait);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException(
              "interrupted between two attempts to " + operation + " " + uri);
      interrupted.initCause(failure);
      throw interrupted;
    }
  }

  /**
   * An attempt whose answer was lost may have created the blob. Then the next one finds it there;
   * whether it is ours, its content tells. Callers who compete must therefore give different
   * contents.
   */
  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    boolean[] unsure = {false};
    return call(
        Operation.PUBLISH_IF_ABSENT,
        target,
        () -> {
          try {
            return delegate.publishIfAbsent(content, target)
                || (unsure[0] && holds(target, content));
          } catch (StoreException e) {
            unsure[0] |= mayPass(e);
            throw e;
          }
        });
  }

  private boolean holds(URI target, byte[] content) throws IOException {
    Optional<Blob> there = delegate.find(target);
    if (there.isEmpty() || there.get().length() != content.length) {
      return false;
    }
    byte[] found = new byte[content.length];
    try (BlobReader reader = delegate.open(there.get())) {
      reader.readFully(0, found, 0, found.length);
    }
    return Arrays.equals(found, content);
  }

  @Override
  BlobReader reader(Blob blob, BlobReader opened) {
    return new RetryingReader(blob, opened);
  }

  private static void closeAfterFailure(Closeable closeable, Blob blob) {
    try {
      closeable.close();
    } catch (IOException e) {
      LOG.debug("What failed to read {} failed to close as well", blob.uri(), e);
    }
  }

  private final class RetryingReader implements BlobReader {
    private final Blob blob;

    /** What to read with; null after a failure until the next read. */
    private @Nullable Shared current;

    private boolean closed;

    RetryingReader(Blob blob, BlobReader opened) {
      this.blob = blob;
      this.current = new Shared(opened);
    }

    private synchronized Shared acquire() throws IOException {
      if (closed) {
        throw new StoreException(Kind.OTHER, "the reader of " + blob.uri() + " is closed", null);
      }
      Shared shared = current;
      if (shared == null) {
        shared = new Shared(delegate.open(blob));
        current = shared;
      }
      shared.users++;
      return shared;
    }

    private void release(Shared shared, boolean failed) {
      boolean last;
      synchronized (this) {
        if (failed && current == shared) {
          current = null;
        }
        shared.users--;
        last = shared.users == 0 && current != shared && !shared.closed;
      }
      if (last) {
        closeAfterFailure(shared.reader, blob);
      }
    }

    private <T> T attempt(ReaderCall<T> call) throws IOException {
      Shared shared = acquire();
      boolean failed = false;
      try {
        return call.run(shared.reader);
      } catch (StoreException e) {
        failed = mayPass(e);
        throw e;
      } finally {
        release(shared, failed);
      }
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
      call(
          Operation.READ,
          blob.uri(),
          () ->
              attempt(
                  reader -> {
                    reader.readFully(position, target, offset, length);
                    return true;
                  }));
    }

    @Override
    public InputStream stream(long position) throws IOException {
      return new RetryingStream(
          blob,
          position,
          call(Operation.STREAM, blob.uri(), () -> attempt(reader -> reader.stream(position))));
    }

    @Override
    public void close() throws IOException {
      Shared shared;
      synchronized (this) {
        closed = true;
        shared = current;
        current = null;
        if (shared != null) {
          shared.closed = true;
        }
      }
      if (shared != null) {
        shared.reader.close();
      }
    }
  }

  private interface ReaderCall<T> {
    T run(BlobReader reader) throws IOException;
  }

  /**
   * A reader and how many calls use it, so that one that failed is closed when the last of them has
   * ended. Guarded by its {@link RetryingReader}.
   */
  private static final class Shared {
    private final BlobReader reader;
    private int users;

    /** Whether it was closed with the whole, so that its last user need not. */
    private boolean closed;

    Shared(BlobReader reader) {
      this.reader = reader;
    }
  }

  private final class RetryingStream extends SimpleStream {
    private final Blob blob;
    private long position;
    private @Nullable InputStream current;

    RetryingStream(Blob blob, long position, InputStream opened) {
      this.blob = blob;
      this.position = position;
      this.current = opened;
    }

    @Override
    int readSome(byte[] target, int offset, int length) throws IOException {
      int count = call(Operation.STREAM, blob.uri(), () -> attempt(target, offset, length));
      position += Math.max(0, count);
      return count;
    }

    private int attempt(byte[] target, int offset, int length) throws IOException {
      InputStream stream = current;
      if (stream == null) {
        // The reader may be closed by now, so one of its own; its stream outlives it.
        try (BlobReader reader = delegate.open(blob)) {
          stream = reader.stream(position);
        }
        current = stream;
      }
      try {
        return stream.read(target, offset, length);
      } catch (StoreException e) {
        if (mayPass(e)) {
          current = null;
          closeAfterFailure(stream, blob);
        }
        throw e;
      }
    }

    @Override
    public void close() throws IOException {
      InputStream stream = current;
      current = null;
      if (stream != null) {
        stream.close();
      }
    }
  }
}
