package dev.leat.internal.store;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store in memory that does what the test says: the next calls of an operation fail, hang, or
 * lose their answer. Writes down every call, and knows what is still open.
 */
final class ScriptedStore implements BlobStore {
  private final TreeMap<URI, byte[]> contents = new TreeMap<>();
  private final Map<Operation, Deque<Fault>> faults = new EnumMap<>(Operation.class);
  private final List<Operation> calls = new ArrayList<>();
  final AtomicInteger open = new AtomicInteger();
  final AtomicInteger interrupts = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();
  private boolean closed;
  private int closedBelow;

  /** What goes wrong with one call. */
  private interface Fault {
    void before() throws IOException;

    default void after() throws IOException {}
  }

  synchronized Blob put(String uri, byte[] content) {
    contents.put(URI.create(uri), content);
    return blob(URI.create(uri), content);
  }

  private static Blob blob(URI uri, byte[] content) {
    return new Blob(
        uri, content.length, Optional.of("tag-" + Arrays.hashCode(content)), Instant.EPOCH);
  }

  synchronized byte[] content(String uri) {
    return contents.get(URI.create(uri));
  }

  /** The next {@code times} calls of the operation fail before they do anything. */
  void fail(Operation operation, Kind kind, int times) {
    for (int i = 0; i < times; i++) {
      script(
          operation,
          () -> {
            throw new StoreException(kind, "scripted " + kind, null);
          });
    }
  }

  /** The next call goes well. */
  void pass(Operation operation) {
    script(operation, () -> {});
  }

  void fail(Operation operation, RuntimeException failure) {
    script(
        operation,
        () -> {
          throw failure;
        });
  }

  /** The next call of the operation does its work, and then its answer is lost. */
  void loseAnswer(Operation operation, Kind kind) {
    script(
        operation,
        new Fault() {
          @Override
          public void before() {}

          @Override
          public void after() throws IOException {
            throw new StoreException(kind, "scripted loss of the answer", null);
          }
        });
  }

  /**
   * The next call of the operation blocks as a call in a dead socket does, deaf to interrupts,
   * until it is released.
   */
  Hang hang(Operation operation) {
    Hang hang = new Hang();
    script(
        operation,
        () -> {
          hang.reached.countDown();
          boolean released = false;
          while (!released) {
            try {
              hang.released.await();
              released = true;
            } catch (InterruptedException e) {
              interrupts.incrementAndGet();
            }
          }
        });
    return hang;
  }

  /** The next call of the operation blocks until it is interrupted. */
  Hang hangUntilInterrupted(Operation operation) {
    Hang hang = new Hang();
    script(
        operation,
        () -> {
          hang.reached.countDown();
          try {
            hang.released.await();
          } catch (InterruptedException e) {
            interrupts.incrementAndGet();
            throw new InterruptedIOException("interrupted");
          }
        });
    return hang;
  }

  static final class Hang {
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);

    void awaitReached() throws InterruptedException {
      reached.await();
    }

    void release() {
      released.countDown();
    }
  }

  private synchronized void script(Operation operation, Fault fault) {
    faults.computeIfAbsent(operation, key -> new ArrayDeque<>()).add(fault);
  }

  synchronized List<Operation> calls() {
    return List.copyOf(calls);
  }

  private interface Work<T> {
    T run() throws IOException;
  }

  private <T> T call(Operation operation, Work<T> work) throws IOException {
    Fault fault;
    synchronized (this) {
      if (closed) {
        throw new StoreException(Kind.OTHER, "closed", null);
      }
      calls.add(operation);
      Deque<Fault> scripted = faults.get(operation);
      fault = scripted == null ? null : scripted.poll();
    }
    running.incrementAndGet();
    try {
      if (fault != null) {
        fault.before();
      }
      T result;
      synchronized (this) {
        result = work.run();
      }
      if (fault != null) {
        fault.after();
      }
      return result;
    } finally {
      running.decrementAndGet();
    }
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    return call(
        Operation.LIST,
        () ->
            contents.entrySet().stream()
                .filter(entry -> entry.getKey().toString().startsWith(directory.toString()))
                .map(entry -> blob(entry.getKey(), entry.getValue()))
                .toList());
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    return call(
        Operation.FIND,
        () -> Optional.ofNullable(contents.get(uri)).map(content -> blob(uri, content)));
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    return call(
        Operation.OPEN,
        () -> {
          open.incrementAndGet();
          return new Reader(blob);
        });
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    call(Operation.PUBLISH, () -> contents.put(target, Files.readAllBytes(file)));
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    return call(Operation.PUBLISH_IF_ABSENT, () -> contents.putIfAbsent(target, content) == null);
  }

  @Override
  public void delete(URI uri) throws IOException {
    call(
        Operation.DELETE,
        () -> contents.keySet().removeIf(key -> key.toString().startsWith(uri.toString())));
  }

  @Override
  public synchronized void close() {
    closed = true;
    closedBelow = running.get();
  }

  /** How many calls were running when this was closed. */
  synchronized int closedBelow() {
    return closedBelow;
  }

  synchronized boolean isClosed() {
    return closed;
  }

  @Override
  public String toString() {
    return "ScriptedStore";
  }

  private final class Reader implements BlobReader {
    private final Blob blob;
    private boolean readerClosed;

    Reader(Blob blob) {
      this.blob = blob;
    }

    private byte[] current() throws StoreException {
      byte[] content = contents.get(blob.uri());
      if (content == null || !blob(blob.uri(), content).equals(blob)) {
        throw new StoreException(Kind.CHANGED, "changed", null);
      }
      return content;
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
      call(
          Operation.READ,
          () -> {
            System.arraycopy(current(), (int) position, target, offset, length);
            return true;
          });
    }

    @Override
    public InputStream stream(long position) throws IOException {
      return call(
          Operation.STREAM,
          () -> {
            byte[] content = current();
            open.incrementAndGet();
            return new FilterInputStream(
                new ByteArrayInputStream(
                    content, (int) position, content.length - (int) position)) {
              private boolean streamClosed;

              @Override
              public int read(byte[] target, int offset, int length) throws IOException {
                return call(Operation.STREAM, () -> in.read(target, offset, length));
              }

              @Override
              public void close() {
                if (!streamClosed) {
                  streamClosed = true;
                  open.decrementAndGet();
                }
              }
            };
          });
    }

    @Override
    public void close() {
      if (!readerClosed) {
        readerClosed = true;
        open.decrementAndGet();
      }
    }
  }
}
