package dev.leat.testkit;

import static java.util.Objects.requireNonNull;

import dev.leat.alluxio.Alluxio;
import dev.leat.alluxio.AlluxioClients;
import java.time.Clock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * An Alluxio cluster in memory: a strict fake of Alluxio's own client, over which Leat's real
 * adapter runs. An {@link InMemoryS3} is mounted at {@code /s3/<bucket>}; the rest of the name
 * space has an under store of its own. Thread-safe.
 *
 * <pre>{@code
 * try (InMemoryS3 s3 = InMemoryS3.create("lake"); InMemoryAlluxio alluxio = InMemoryAlluxio.over(s3)) {
 *   … .cachedIn(alluxio.tier()) …
 *   alluxio.stopWorker();
 * }
 * }</pre>
 *
 * <p>As in real Alluxio, metadata is loaded from the under store when a path is seen for the first
 * time and then only when a caller asks for a sync; a block that is not cached is read from the
 * under store by path, whatever stands there by then; a cached one is served as it is. The fake
 * caches whole files. Closing it fails if a stream that it handed out is still open, and shows
 * where that was opened.
 */
public final class InMemoryAlluxio implements AutoCloseable {

  private final String name;
  private final InMemoryS3 s3;
  private final AlluxioNamespace namespace;
  private final Operations operations = new Operations();
  private final OpenResources resources = new OpenResources();
  private volatile boolean masterUp = true;
  private volatile boolean workerUp = true;
  private volatile boolean full;
  private volatile boolean syncIgnored;
  private volatile long blocksEndAt = Long.MAX_VALUE;
  private volatile @Nullable CountDownLatch slowness;
  private volatile @Nullable CountDownLatch masterSlowness;
  private volatile long breaksAfter;
  private final AtomicInteger breaksLeft = new AtomicInteger();

  private InMemoryAlluxio(InMemoryS3 s3, Clock clock) {
    this.s3 = s3;
    this.namespace = new AlluxioNamespace(s3, clock);
    this.name = OpenFakes.ALLUXIO.open("in-memory-alluxio", this);
  }

  /**
   * Creates a cluster with a bucket mounted.
   *
   * @param s3 the bucket, which stays the caller's to close
   */
  public static InMemoryAlluxio over(InMemoryS3 s3) {
    return over(s3, Clock.systemUTC());
  }

  /**
   * Creates a cluster with a bucket mounted, whose own files get their times from a clock.
   *
   * @param s3 the bucket, which stays the caller's to close
   * @param clock tells when a file was written
   */
  public static InMemoryAlluxio over(InMemoryS3 s3, Clock clock) {
    return new InMemoryAlluxio(requireNonNull(s3, "s3"), requireNonNull(clock, "clock"));
  }

  /** The URI of its master. */
  public String uri() {
    return "alluxio://" + name + ":19998";
  }

  /** Where the bucket is mounted. */
  public String mountPath() {
    return namespace.mountPath();
  }

  /**
   * The tier for {@code cachedIn}. It may be serialized: it finds this fake again as long as it is
   * open.
   */
  public Alluxio tier() {
    return Alluxio.at(uri()).clients(clients());
  }

  private AlluxioClients clients() {
    return new NamedClients(name);
  }

  /** The master is away: whatever needs metadata fails, streams that are open go on. */
  public void stopMaster() {
    masterUp = false;
  }

  /** The master is back, with what it knew. */
  public void startMaster() {
    masterUp = true;
  }

  /** The worker is away: no byte is read or written. */
  public void stopWorker() {
    workerUp = false;
  }

  /** The worker is back, with what it had cached. */
  public void startWorker() {
    workerUp = true;
  }

  /** The worker has no room: reads pass through without being cached, writes fail. */
  public void fill() {
    full = true;
  }

  /** The worker has room again. */
  public void drain() {
    full = false;
  }

  /**
   * The metadata stays as it is even where a caller asks for a sync, as users of real clusters
   * report.
   */
  public void ignoreSyncs() {
    syncIgnored = true;
  }

  /** Syncs work again. */
  public void heedSyncs() {
    syncIgnored = false;
  }

  /**
   * Blocks are cut: their content ends early.
   *
   * @param bytes where it ends
   */
  public void truncateBlocksAt(long bytes) {
    blocksEndAt = bytes;
  }

  /** Blocks are whole again. */
  public void restoreBlocks() {
    blocksEndAt = Long.MAX_VALUE;
  }

  /**
   * Each read of bytes waits until the latch is open; a latch with count 0 takes the slowness back.
   *
   * @param latch what the test counts down
   */
  public void slowReadsUntil(CountDownLatch latch) {
    slowness = requireNonNull(latch, "latch");
  }

  /**
   * Each question to the master waits until the latch is open; a latch with count 0 takes the
   * slowness back.
   *
   * @param latch what the test counts down
   */
  public void slowMasterUntil(CountDownLatch latch) {
    masterSlowness = requireNonNull(latch, "latch");
  }

  /**
   * The connection to the worker breaks when a file is read behind so many bytes.
   *
   * @param bytes where reads break
   * @param times how many reads do; 0 takes it back
   */
  public void breakReadsAfter(long bytes, int times) {
    breaksAfter = bytes;
    breaksLeft.set(times);
  }

  /** Drops what the worker has cached below a path; the metadata stays. */
  public void free(String path) {
    namespace.free(path);
  }

  /** Whether the worker has cached a file. */
  public boolean isCached(String path) {
    return namespace.isCached(path);
  }

  /** What was asked of it, by the names of Alluxio's calls. */
  public Operations operations() {
    return operations;
  }

  /** Fails if a stream that it handed out is still open, and shows where that was opened. */
  public void assertNothingOpen() {
    resources.assertNoneOpen("Alluxio " + name);
  }

  @Override
  public void close() {
    OpenFakes.ALLUXIO.close(name);
    assertNothingOpen();
  }

  AlluxioNamespace namespace() {
    return namespace;
  }

  OpenResources resources() {
    return resources;
  }

  boolean isMasterUp() {
    return masterUp;
  }

  boolean isWorkerUp() {
    return workerUp;
  }

  boolean isFull() {
    return full;
  }

  boolean isSyncIgnored() {
    return syncIgnored;
  }

  long blocksEndAt() {
    return blocksEndAt;
  }

  @Nullable CountDownLatch slowness() {
    return slowness;
  }

  @Nullable CountDownLatch masterSlowness() {
    return masterSlowness;
  }

  /** Whether a read that ends at a position breaks; counts it. */
  boolean breaks(long end) {
    return end > breaksAfter && breaksLeft.getAndUpdate(left -> Math.max(0, left - 1)) > 0;
  }

  @Override
  public String toString() {
    return "InMemoryAlluxio[" + name + " over " + s3 + "]";
  }

  /** Finds the fake again after serialization. */
  private record NamedClients(String name) implements AlluxioClients {

    @Override
    public alluxio.client.file.FileSystem open(alluxio.conf.InstancedConfiguration configuration) {
      return new InMemoryAlluxioClient(OpenFakes.ALLUXIO.named(name), configuration);
    }
  }
}
