package dev.leat.internal.engine;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * A strict store in memory. Each content has a tag of its own, a reader whose blob was overwritten
 * says so, every operation is written down as a word and a URI, and faults and interventions are
 * scripted.
 */
final class MemoryStore implements BlobStore {
  private final ConcurrentSkipListMap<String, Stored> objects = new ConcurrentSkipListMap<>();
  private final List<String> operations = Collections.synchronizedList(new ArrayList<>());
  private final List<Intervention> interventions = new CopyOnWriteArrayList<>();
  private final List<String> listedAlso = new CopyOnWriteArrayList<>();
  private final AtomicLong tags = new AtomicLong();
  private final AtomicInteger closes = new AtomicInteger();

  private record Stored(byte[] bytes, String tag, Instant modified) {}

  /** Something that happens just before an operation: a fault is thrown, a test intervenes. */
  interface Action {
    void run(String operation) throws IOException;
  }

  private record Intervention(Predicate<String> when, Action action) {}

  void put(String uri, String text) {
    put(uri, text.getBytes(UTF_8), "tag-" + tags.incrementAndGet());
  }

  void put(String uri, byte[] bytes, String tag) {
    objects.put(uri, new Stored(bytes.clone(), tag, Instant.ofEpochSecond(tags.incrementAndGet())));
  }

  /** Lets every listing name a blob, as a store does that is broken or hostile. */
  void listAlso(String uri) {
    listedAlso.add(uri);
  }

  void remove(String uri) {
    objects.remove(uri);
  }

  byte[] bytes(String uri) {
    return objects.get(uri).bytes().clone();
  }

  String tag(String uri) {
    return objects.get(uri).tag();
  }

  List<String> uris() {
    return List.copyOf(objects.keySet());
  }

  /**
   * Runs an action before each operation that begins with a text, such as {@code "read
   * s3a://bucket/a"}.
   */
  void before(String operationPrefix, Action action) {
    interventions.add(new Intervention(operation -> operation.startsWith(operationPrefix), action));
  }

  /** Lets every operation that begins with a text fail. */
  void fail(String operationPrefix, StoreException.Kind kind) {
    before(
        operationPrefix,
        operation -> {
          throw new StoreException(kind, "scripted failure of: " + operation, null);
        });
  }

  /** Ends all interventions. */
  void heal() {
    interventions.clear();
  }

  /** The operations so far that begin with a text. */
  List<String> operations(String prefix) {
    synchronized (operations) {
      return operations.stream().filter(each -> each.startsWith(prefix)).toList();
    }
  }

  void forgetOperations() {
    operations.clear();
  }

  int closes() {
    return closes.get();
  }

  void operation(String word, URI uri) throws IOException {
    String operation = word + " " + uri;
    operations.add(operation);
    for (Intervention each : interventions) {
      if (each.when().test(operation)) {
        each.action().run(operation);
      }
    }
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    operation("list", directory);
    String prefix = directory.toString().endsWith("/") ? directory.toString() : directory + "/";
    List<Blob> blobs = new ArrayList<>();
    objects.forEach(
        (uri, stored) -> {
          if (uri.startsWith(prefix) || listedAlso.contains(uri)) {
            blobs.add(blob(uri, stored));
          }
        });
    return blobs;
  }

  private static Blob blob(String uri, Stored stored) {
    return new Blob(
        URI.create(uri), stored.bytes().length, Optional.of(stored.tag()), stored.modified());
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    operation("find", uri);
    return Optional.ofNullable(objects.get(uri.toString()))
        .map(stored -> blob(uri.toString(), stored));
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    operation("open", blob.uri());
    return new Reader(blob);
  }

  private final class Reader implements BlobReader {
    private final Blob blob;

    Reader(Blob blob) {
      this.blob = blob;
    }

    private byte[] content() throws IOException {
      operation("read", blob.uri());
      Stored stored = objects.get(blob.uri().toString());
      if (stored == null) {
        throw new StoreException(StoreException.Kind.NOT_FOUND, blob.uri() + " is gone", null);
      }
      if (!stored.tag().equals(blob.contentTag().orElse(null))) {
        throw new StoreException(
            StoreException.Kind.CHANGED, blob.uri() + " was overwritten", null);
      }
      return stored.bytes();
    }

    @Override
    public void readFully(long position, byte[] target, int offset, int length) throws IOException {
      byte[] content = content();
      if (position + length > content.length) {
        throw new StoreException(StoreException.Kind.TRUNCATED, blob.uri() + " ends before", null);
      }
      System.arraycopy(content, (int) position, target, offset, length);
    }

    @Override
    public InputStream stream(long position) throws IOException {
      byte[] first = content();
      return new InputStream() {
        private int at = (int) position;

        @Override
        public int read() throws IOException {
          byte[] one = new byte[1];
          return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
          byte[] content = at == position ? first : content();
          int n =
              new ByteArrayInputStream(content, at, content.length).read(target, offset, length);
          at += Math.max(n, 0);
          return n;
        }
      };
    }

    @Override
    public void close() {}
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    operation("publish", target);
    put(target.toString(), Files.readAllBytes(file), "tag-" + tags.incrementAndGet());
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    operation("publishIfAbsent", target);
    Stored mine =
        new Stored(
            content.clone(), "tag-" + tags.incrementAndGet(), Instant.ofEpochSecond(tags.get()));
    return objects.putIfAbsent(target.toString(), mine) == null;
  }

  @Override
  public void delete(URI uri) throws IOException {
    operation("delete", uri);
    String directory = uri.toString().endsWith("/") ? uri.toString() : uri + "/";
    objects.keySet().removeIf(each -> each.equals(uri.toString()) || each.startsWith(directory));
  }

  @Override
  public void close() {
    closes.incrementAndGet();
  }
}
