package dev.leat.internal.store;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Spaces the requests to a store evenly in time: each takes the next free slot and waits for it.
 *
 * <p>What counts is what a client sends. S3A opens an object without a request where its status is
 * known; a stream is one GET, however often it is read; a listing is one request for each thousand
 * objects, which is known when it has ended, so that its further slots keep those who come after it
 * waiting.
 */
final class RateLimitedStore extends DecoratedStore {
  private static final int LISTED_PER_REQUEST = 1000;

  private final long spacing;
  private final StoreTime time;

  /** The reading of the clock at which the next request may be sent. */
  private final AtomicLong free;

  RateLimitedStore(BlobStore delegate, Duration spacing, StoreTime time) {
    super(delegate);
    this.spacing = spacing.toNanos();
    this.time = time;
    this.free = new AtomicLong(time.nanoTime());
  }

  @Override
  <T> T call(Operation operation, URI uri, Call<T> call) throws IOException {
    if (operation != Operation.OPEN) {
      awaitSlot(operation, uri);
    }
    return call.run();
  }

  @Override
  InputStream stream(Blob blob, InputStream opened) {
    return opened;
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    List<Blob> listed = super.list(directory);
    long more = listed.size() / LISTED_PER_REQUEST;
    if (more > 0) {
      takeSlots(more);
    }
    return listed;
  }

  /** Takes the next slots; gives the reading of the clock at the first of them. */
  private long takeSlots(long count) {
    while (true) {
      long next = free.get();
      long now = time.nanoTime();
      // Slots that nobody took are lost. The difference, since the clock may overflow.
      long slot = next - now > 0 ? next : now;
      if (free.compareAndSet(next, slot + count * spacing)) {
        return slot;
      }
    }
  }

  private void awaitSlot(Operation operation, URI uri) throws IOException {
    long wait = takeSlots(1) - time.nanoTime();
    if (wait <= 0) {
      return;
    }
    try {
      time.sleep(Duration.ofNanos(wait));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException(
              "interrupted while waiting for the rate limit to " + operation + " " + uri);
      interrupted.initCause(e);
      throw interrupted;
    }
  }
}
