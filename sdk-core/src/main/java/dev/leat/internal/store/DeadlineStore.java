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
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives every request a deadline, whatever the client beneath does.
 *
 * <p>Clients block in sockets that neither a deadline nor an interrupt may reach. So each request
 * runs on a daemon thread of a bounded pool that this store owns, while the caller waits for the
 * deadline at most. A request that is not done by then is abandoned: its thread is interrupted, and
 * whatever it still brings is thrown away. It never touches the caller's memory, because reads go
 * into arrays of their own; what it still opens is closed. It keeps its thread until the client
 * returns: when all threads are held so, further requests wait for one within their own deadline
 * and fail the same way, which opens the circuit breaker above.
 */
final class DeadlineStore extends DecoratedStore {
  private static final Logger LOG = LoggerFactory.getLogger(DeadlineStore.class);
  private static final Duration IDLE_THREAD = Duration.ofSeconds(10);
  private static final Duration GRACE = Duration.ofSeconds(1);
  private static final Duration CLOSING = Duration.ofSeconds(5);

  private final ResilienceSettings settings;
  private final StoreTime time;
  private final ThreadPoolExecutor executor;
  private final LongAdder timeouts = new LongAdder();
  private final AtomicBoolean closed = new AtomicBoolean();

  /** Those for which somebody waits; all others have been interrupted. */
  private final Set<Abandonable<?>> calls = ConcurrentHashMap.newKeySet();

  DeadlineStore(BlobStore delegate, ResilienceSettings settings, StoreTime time) {
    super(delegate);
    this.settings = settings;
    this.time = time;
    AtomicInteger threads = new AtomicInteger();
    executor =
        new ThreadPoolExecutor(
            settings.concurrentCalls(),
            settings.concurrentCalls(),
            IDLE_THREAD.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(), // each caller waits for its own call, so it holds no more
            // than there are callers
            task -> {
              Thread thread =
                  new Thread(task, "leat-store-" + threads.incrementAndGet() + "-of-" + delegate);
              thread.setDaemon(true);
              return thread;
            });
    executor.allowCoreThreadTimeOut(true);
  }

  long timeouts() {
    return timeouts.sum();
  }

  @Override
  <T> T call(Operation operation, URI uri, Call<T> call) throws IOException {
    Duration atMost =
        switch (operation) {
          case LIST, PUBLISH, DELETE -> settings.bulkTimeout();
          case FIND, OPEN, READ, STREAM, PUBLISH_IF_ABSENT -> settings.callTimeout();
        };
    Abandonable<T> task = new Abandonable<>(operation.toString(), uri, atMost, call);
    calls.add(task);
    try {
      executor.execute(task);
      return await(task, this::abandon);
    } catch (RejectedExecutionException e) {
      throw new StoreException(Kind.OTHER, task.cannot() + ": the store is closed", e);
    } finally {
      calls.remove(task);
    }
  }

  private <T> T await(Abandonable<T> task, Consumer<Abandonable<T>> whenInterrupted)
      throws IOException {
    try {
      return time.await(task, task.until);
    } catch (TimeoutException e) {
      abandon(task);
      timeouts.increment();
      throw new StoreException(
          Kind.TIMEOUT, task.cannot() + ": no answer within " + task.atMost, e);
    } catch (InterruptedException e) {
      whenInterrupted.accept(task);
      Thread.currentThread().interrupt();
      InterruptedIOException interrupted =
          new InterruptedIOException("interrupted: " + task.cannot());
      interrupted.initCause(e);
      throw interrupted;
    } catch (CancellationException e) {
      throw new StoreException(Kind.OTHER, task.cannot() + ": the store was closed", e);
    } catch (ExecutionException e) {
      throw failure(e, task);
    }
  }

  private void abandon(Abandonable<?> task) {
    executor.remove(task);
    task.cancel(true);
    task.discardResult();
  }

  /**
   * The failure of the call itself, with the caller's stack attached, since the trace of the pool's
   * thread does not say who asked.
   */
  private static IOException failure(ExecutionException e, Abandonable<?> task) {
    Throwable cause = e.getCause();
    if (cause instanceof StoreException store) {
      return new StoreException(store.kind(), String.valueOf(store.getMessage()), store);
    }
    if (cause instanceof Error error) {
      throw error;
    }
    return new StoreException(Kind.OTHER, task.cannot() + ": " + cause, cause);
  }

  @Override
  BlobReader reader(Blob blob, BlobReader opened) {
    return new DeadlineReader(blob, opened);
  }

  /**
   * Ends the calls, then the client, so that they give back what they have of it, and fail as calls
   * of a closed store and not as what it makes of that. What is being closed is waited for. Calls
   * that no interrupt reaches have a moment; closing the client ends those.
   */
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    // Whoever was interrupted before, as a cancelled task is, waits all the same: not for long.
    boolean interrupted = Thread.interrupted();
    executor.shutdown();
    calls.forEach(call -> call.cancel(true));
    interrupted |= !awaitThreads(GRACE);
    interrupted |= !closeClient();
    interrupted |= !awaitThreads(CLOSING);
    if (!executor.isTerminated()) {
      LOG.warn(
          "{} calls of {} do not end although it was closed; their daemon threads are left to end by themselves",
          executor.getActiveCount(),
          delegate);
      executor.shutdownNow();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Waits until nothing runs or the time is over; false if interrupted. */
  private boolean awaitThreads(Duration atMost) {
    try {
      executor.awaitTermination(atMost.toMillis(), TimeUnit.MILLISECONDS);
      return true;
    } catch (InterruptedException e) {
      return false;
    }
  }

  /** On a thread of its own, since it may block as calls do; false if interrupted. */
  private boolean closeClient() {
    FutureTask<Boolean> closing = new FutureTask<>(delegate::close, true);
    executor.getThreadFactory().newThread(closing).start();
    try {
      closing.get(CLOSING.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      LOG.warn(
          "{} does not close within {}; its daemon threads are left to end by themselves",
          delegate,
          CLOSING);
    } catch (ExecutionException e) {
      LOG.warn("{} failed to close", delegate, e.getCause());
    } catch (InterruptedException e) {
      return false;
    }
    return true;
  }

  /** A call of which the result is closed where nobody takes it any more. */
  private final class Abandonable<T> extends FutureTask<T> {
    private final String action;
    private final URI uri;
    private final Duration atMost;
    private final long until;

    Abandonable(String action, URI uri, Duration atMost, Call<T> call) {
      super(call::run);
      this.action = action;
      this.uri = uri;
      this.atMost = atMost;
      this.until = time.nanoTime() + atMost.toNanos();
    }

    String cannot() {
      return "cannot " + action + " " + uri;
    }

    @Override
    protected void set(T value) {
      super.set(value);
      if (isCancelled()) {
        discard(value);
      }
    }

    /** Closes the result of a call that ended just before it was cancelled. */
    void discardResult() {
      if (!isCancelled()) {
        try {
          discard(get(0, TimeUnit.NANOSECONDS));
        } catch (ExecutionException | TimeoutException e) {
          LOG.debug("The abandoned call for {} had failed", uri, e);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }
    }

    private void discard(T value) {
      if (value instanceof Closeable closeable) {
        try {
          closeable.close();
        } catch (IOException e) {
          LOG.debug("What an abandoned call opened for {} failed to close", uri, e);
        }
      }
    }
  }

  private void closeWithin(Closeable closeable, URI uri) throws IOException {
    Abandonable<Boolean> task =
        new Abandonable<>(
            "close",
            uri,
            settings.callTimeout(),
            () -> {
              closeable.close();
              return true;
            });
    try {
      executor.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("The store of {} is closed before what was open of it", uri, e);
      closeable.close();
      return;
    }
    await(
        task,
        // Whoever is interrupted closes what it has open on its way out, and does not wait for it.
        closing -> LOG.debug("Not waiting until what is open of {} is closed", uri));
  }

  private final class DeadlineReader implements BlobReader {
    private final Blob blob;
    private final BlobReader opened;

    DeadlineReader(Blob blob, BlobReader opened) {
      this.blob = blob;
      this.opened = opened;
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
      Objects.checkFromIndexSize(offset, length, target.length);
      byte[] own =
          call(
              Operation.READ,
              blob.uri(),
              () -> {
                byte[] bytes = new byte[length];
                opened.readFully(position, bytes, 0, length);
                return bytes;
              });
      System.arraycopy(own, 0, target, offset, length);
    }

    @Override
    public InputStream stream(long position) throws IOException {
      return new DeadlineStream(
          blob, call(Operation.STREAM, blob.uri(), () -> opened.stream(position)));
    }

    @Override
    public void close() throws IOException {
      closeWithin(opened, blob.uri());
    }
  }

  /**
   * Fetches a stream chunk by chunk. After a failure it is of no use any more, since an abandoned
   * call may still be reading.
   */
  private final class DeadlineStream extends SimpleStream {
    private final Blob blob;
    private final InputStream opened;
    private byte[] chunk = new byte[0];
    private int next;
    private int end;
    private boolean ended;
    private boolean failed;

    DeadlineStream(Blob blob, InputStream opened) {
      this.blob = blob;
      this.opened = opened;
    }

    @Override
    int readSome(byte[] target, int offset, int length) throws IOException {
      if (next == end && !fetch()) {
        return -1;
      }
      int count = Math.min(length, end - next);
      System.arraycopy(chunk, next, target, offset, count);
      next += count;
      return count;
    }

    private boolean fetch() throws IOException {
      if (failed) {
        throw new StoreException(
            Kind.UNAVAILABLE,
            "the stream of " + blob.uri() + " failed before; open another one",
            null);
      }
      if (ended) {
        return false;
      }
      if (chunk.length == 0) {
        chunk = new byte[settings.streamChunkBytes()];
      }
      byte[] into = chunk;
      failed = true;
      int count = call(Operation.STREAM, blob.uri(), () -> opened.readNBytes(into, 0, into.length));
      failed = false;
      next = 0;
      end = count;
      ended = count < into.length;
      return count > 0;
    }

    @Override
    public void close() throws IOException {
      closeWithin(opened, blob.uri());
    }
  }
}
