package dev.leat.testkit;

import static java.util.Objects.requireNonNull;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * One bucket in memory. Jobs reach it under {@code mem-s3://<bucket>/}, also after their definition
 * has been serialized, as long as they run in this JVM. Thread-safe.
 *
 * <pre>{@code
 * try (InMemoryS3 s3 = InMemoryS3.create("lake")) {
 *   s3.put("customers/part-0", "1|GOLD\n");
 *   s3.inject(StoreFault.slowDown().at(StoreOperation.READ).times(3));
 *   … Dimension.named("customers").at(s3.uri("customers/").toString()) …
 * }
 * }</pre>
 *
 * <p>Closing it fails if a reader or stream that it handed out is still open, and shows where that
 * was opened.
 */
public final class InMemoryS3 implements AutoCloseable {

  /** The scheme of its locations. */
  public static final String SCHEME = "mem-s3";

  /**
   * One object.
   *
   * @param content its bytes, never changed
   * @param etag the MD5 of the content in hex, as S3 gives it for an object that was put in one
   *     piece
   */
  record Stored(byte[] content, String etag, Instant modified) {}

  private final String bucket;
  private final Clock clock;
  private final NavigableMap<String, Stored> objects = new TreeMap<>();
  private final List<StoreFault.Armed> faults = new CopyOnWriteArrayList<>();
  private final Operations operations = new Operations();
  private final OpenResources resources = new OpenResources();
  private @Nullable NavigableMap<String, Stored> frozenListing;

  private InMemoryS3(String wanted, Clock clock) {
    this.clock = clock;
    this.bucket = OpenFakes.S3.open(wanted, this);
  }

  /**
   * Creates an empty bucket.
   *
   * @param bucket its name; a number is added where another open fake has it
   */
  public static InMemoryS3 create(String bucket) {
    return create(bucket, Clock.systemUTC());
  }

  /**
   * Creates an empty bucket whose objects get their times from a clock.
   *
   * @param bucket its name; a number is added where another open fake has it
   * @param clock tells when an object was written
   */
  public static InMemoryS3 create(String bucket, Clock clock) {
    return new InMemoryS3(requireNonNull(bucket, "bucket"), requireNonNull(clock, "clock"));
  }

  /** The bucket's name. */
  public String bucket() {
    return bucket;
  }

  /**
   * The location of an object or prefix.
   *
   * @param key the key, not encoded
   */
  public URI uri(String key) {
    return Blob.uriOf(SCHEME, bucket, "/" + key);
  }

  /** A client of its own, as a job has one. */
  public BlobStore open() {
    return new InMemoryS3Store(this);
  }

  /**
   * Puts an object, as another job would.
   *
   * @return its ETag
   */
  public synchronized String put(String key, byte[] content) {
    Stored stored = new Stored(content.clone(), md5(content), clock.instant());
    objects.put(requireNonNull(key, "key"), stored);
    return stored.etag;
  }

  /**
   * Puts a text as an object, in UTF-8.
   *
   * @return its ETag
   */
  public String put(String key, String content) {
    return put(key, content.getBytes(StandardCharsets.UTF_8));
  }

  /** Deletes an object, as another job would. */
  public synchronized void delete(String key) {
    objects.remove(key);
  }

  /** The content of an object, if it is there. */
  public synchronized Optional<byte[]> content(String key) {
    return Optional.ofNullable(objects.get(key)).map(stored -> stored.content.clone());
  }

  /** The keys that are there, sorted. */
  public synchronized List<String> keys() {
    return List.copyOf(objects.keySet());
  }

  /** Injects a fault. Of several that fit a call, the first injected strikes. */
  public void inject(StoreFault fault) {
    faults.add(new StoreFault.Armed(requireNonNull(fault, "fault")));
  }

  /** Takes back all faults. */
  public void heal() {
    faults.clear();
  }

  /**
   * From now on listings show what is there now, as those of a store that is consistent only in the
   * end. Looking for one object is not affected.
   */
  public synchronized void freezeListing() {
    frozenListing = new TreeMap<>(objects);
  }

  /** Listings are up to date again. */
  public synchronized void thawListing() {
    frozenListing = null;
  }

  /** What was asked of it through its clients. */
  public Operations operations() {
    return operations;
  }

  /**
   * Fails if a reader or stream that it handed out is still open, and shows where that was opened.
   */
  public void assertNothingOpen() {
    resources.assertNoneOpen("the bucket " + bucket);
  }

  @Override
  public void close() {
    OpenFakes.S3.close(bucket);
    assertNothingOpen();
  }

  OpenResources resources() {
    return resources;
  }

  /**
   * Called at the begin of each operation of a client.
   *
   * @return after how many bytes the content has to break, or null
   */
  @Nullable Long begin(StoreOperation operation, String key) throws dev.leat.spi.StoreException {
    operations.record(operation.name(), key);
    for (StoreFault.Armed fault : faults) {
      if (fault.strikes(operation, key)) {
        return fault.strike(operation + " of " + uri(key));
      }
    }
    return null;
  }

  synchronized @Nullable Stored stored(String key) {
    return objects.get(key);
  }

  /** What a listing shows at or below a key. */
  synchronized List<Blob> listed(String key) {
    NavigableMap<String, Stored> shown = frozenListing == null ? objects : frozenListing;
    String prefix = key.isEmpty() || key.endsWith("/") ? key : key + "/";
    List<Blob> blobs = new ArrayList<>();
    shown.forEach(
        (name, stored) -> {
          if (name.startsWith(prefix) || name.equals(key)) {
            blobs.add(blob(name, stored));
          }
        });
    return blobs;
  }

  Blob blob(String key, Stored stored) {
    return new Blob(uri(key), stored.content.length, Optional.of(stored.etag), stored.modified);
  }

  /** Puts if nothing is there. */
  synchronized boolean putIfAbsent(String key, byte[] content) {
    if (objects.containsKey(key)) {
      return false;
    }
    put(key, content);
    return true;
  }

  /** Deletes an object and all below it. */
  synchronized void deleteTree(String key) {
    String prefix = key.isEmpty() || key.endsWith("/") ? key : key + "/";
    objects.keySet().removeIf(name -> name.equals(key) || name.startsWith(prefix));
  }

  private static String md5(byte[] content) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("MD5").digest(content));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has MD5", e);
    }
  }

  @Override
  public String toString() {
    return "InMemoryS3[" + bucket + "]";
  }
}
