package dev.leat.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.alluxio.Alluxio;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import dev.leat.testserver.RealAlluxio;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Freshness and faults on a real Alluxio cluster over a real S3 server. */
class AlluxioFaultsIT {

  /** Alluxio's client by itself tries for two to five minutes. */
  private static final Duration SOON = Duration.ofSeconds(60);

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final String prefix = Servers.ownPrefix();
  private final byte[] content = Servers.randomBytes(1, 2_000_000);
  private BlobStore source;
  private RemoteTierStore tier;

  @TempDir private Path scratch;

  @BeforeEach
  void open() throws IOException {
    source = Servers.openS3();
    tier = Alluxio.at(Servers.alluxio().uri()).open(new StoreContext(Map.of()));
    put(content);
  }

  @AfterEach
  void close() {
    tier.close();
    source.close();
  }

  private void put(byte[] bytes) {
    Servers.s3().put(Servers.BUCKET, prefix + "/part-0", bytes);
  }

  private Blob listed() throws IOException {
    return source.find(Servers.s3Uri(prefix + "/part-0")).orElseThrow();
  }

  private String alluxioPath() {
    return "/s3/" + Servers.BUCKET + "/" + prefix + "/part-0";
  }

  private byte[] read(Blob copy) throws IOException {
    return Servers.read(tier.blobs(), copy);
  }

  private interface Call {
    void run() throws IOException;
  }

  private static void assertUnavailableSoon(Call call) {
    long begin = System.nanoTime();
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isIn(Kind.UNAVAILABLE, Kind.TIMEOUT));
    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(SOON);
  }

  @Test
  void aFreshCopyHasTheEtagThatS3Lists() throws IOException {
    Blob copy = tier.freshCopy(listed()).orElseThrow();

    assertThat(copy.contentTag()).isEqualTo(listed().contentTag());
    assertThat(read(copy)).isEqualTo(content);
    assertThat(read(copy)).isEqualTo(content);
  }

  @Test
  void afterAnOverwriteOfTheSameLengthTheOldBytesAreNeverServedAsTheNewOnes() throws IOException {
    assertThat(Servers.alluxio().load(alluxioPath())).isEqualTo(content.length);
    byte[] other = Servers.randomBytes(2, content.length);
    put(other);

    // The trap: Alluxio still has the former status and all its blocks.
    assertThat(Servers.alluxio().status(alluxioPath())).contains("length=" + content.length);
    Blob copy = tier.freshCopy(listed()).orElseThrow();

    assertThat(copy.contentTag()).isEqualTo(listed().contentTag());
    assertThat(read(copy)).isEqualTo(other);
  }

  @Test
  void afterAnOverwriteOfAnotherLengthTheNewBytesAreServed() throws IOException {
    Servers.alluxio().load(alluxioPath());
    byte[] shorter = Servers.randomBytes(3, 1_000_000);
    put(shorter);

    assertThat(read(tier.freshCopy(listed()).orElseThrow())).isEqualTo(shorter);
  }

  @Test
  void blocksThatOthersReadThroughStaleMetadataAreNotServed() throws IOException {
    // Alluxio learns of the first version, has none of its blocks, and S3 gets the second one.
    assertThat(tier.freshCopy(listed())).isPresent();
    byte[] other = Servers.randomBytes(4, content.length);
    put(other);
    // Another client reads without asking: the second version's bytes are cached under the first
    // one's status.
    Servers.alluxio().load(alluxioPath());
    byte[] third = Servers.randomBytes(5, content.length);
    put(third);

    assertThat(read(tier.freshCopy(listed()).orElseThrow())).isEqualTo(third);
  }

  @Test
  void aReaderOfAnOldCopyGetsOldBytesOrAFailure() throws IOException {
    Blob old = tier.freshCopy(listed()).orElseThrow();
    Servers.alluxio().load(alluxioPath());
    put(Servers.randomBytes(6, content.length));
    assertThat(tier.freshCopy(listed())).isPresent();

    assertThatThrownBy(() -> read(old))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.CHANGED));
  }

  @Test
  void aFileThatIsGoneFromS3IsNoFreshCopy() throws IOException {
    Blob before = listed();
    assertThat(tier.freshCopy(before)).isPresent();
    put(Servers.randomBytes(7, 10));
    Servers.s3().delete(Servers.BUCKET, prefix + "/part-0");

    Blob neverCopied =
        new Blob(
            before.uri(),
            10,
            java.util.Optional.of("0123456789abcdef0123456789abcdef"),
            before.modified());
    assertThat(tier.freshCopy(neverCopied)).isEmpty();
  }

  @Test
  void theMountTableTellsTheSource() throws IOException {
    assertThat(tier.sourceOf(URI.create(Servers.alluxio().uri() + alluxioPath())))
        .isEqualTo(URI.create("s3://lake/" + prefix + "/part-0"));
  }

  @Test
  void aWorkerThatIsAwayFailsSoonAndHeals() throws IOException {
    Blob copy = tier.freshCopy(listed()).orElseThrow();
    read(copy);
    Path file = Files.write(scratch.resolve("shard"), content);
    URI target = URI.create(tier.indexRoot() + "/" + prefix + "/shard-0");
    Servers.alluxio().stopWorker();
    try {
      assertUnavailableSoon(() -> read(copy));
      assertUnavailableSoon(() -> tier.blobs().publish(file, target));
    } finally {
      Servers.alluxio().startWorker();
    }

    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(read(copy)).isEqualTo(content));
    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              tier.blobs().publish(file, target);
              return true;
            });
    assertThat(tier.blobs().list(URI.create(tier.indexRoot() + "/" + prefix)))
        .singleElement()
        .satisfies(shard -> assertThat(read(shard)).isEqualTo(content));
  }

  @Test
  void aMasterThatIsAwayFailsSoonAndHealsWithWhatItKnew() throws IOException {
    Blob copy = tier.freshCopy(listed()).orElseThrow();
    Servers.alluxio().stopMaster();
    try {
      assertUnavailableSoon(() -> tier.freshCopy(listed()));
      assertUnavailableSoon(() -> read(copy));
      try (RemoteTierStore opened =
          Alluxio.at(Servers.alluxio().uri()).open(new StoreContext(Map.of()))) {
        assertUnavailableSoon(() -> opened.blobs().list(opened.indexRoot()));
      }
    } finally {
      Servers.alluxio().startMaster();
    }

    await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(read(tier.freshCopy(listed()).orElseThrow())).isEqualTo(content));
  }

  @Test
  void ofSeveralMastersTheOneThatAnswersIsFound() throws IOException {
    String two = "alluxio://localhost:1,localhost:" + Servers.alluxio().masterPort();

    try (RemoteTierStore opened = Alluxio.at(two).open(new StoreContext(Map.of()))) {
      assertThat(opened.freshCopy(listed())).isPresent();
    }
  }

  @Test
  void whatIsPublishedOutlivesTheCache() throws IOException {
    Path file = Files.write(scratch.resolve("shard"), content);
    URI target = URI.create(tier.indexRoot() + "/" + prefix + "/shard-0");
    tier.blobs().publish(file, target);
    Servers.alluxio().free("/leat/indexes/" + prefix);

    Blob shard = tier.blobs().find(target).orElseThrow();
    assertThat(read(shard)).isEqualTo(content);
  }

  /**
   * A block that is left open has 64 MiB of the worker's 512 reserved for it. The worker says
   * nothing where the under store refuses (Alluxio 2.9.6), so each call is given up, as the engine
   * does.
   */
  @Test
  void publicationsThatTheUnderStoreRefusesTakeNoRoomOfTheWorker() throws Exception {
    Path file = Files.write(scratch.resolve("shard"), content);
    String root = prefix + "/indexes";
    try (RemoteTierStore onS3 =
        Alluxio.at(Servers.alluxio().uri())
            .indexRoot("/s3/" + Servers.BUCKET + "/" + root)
            .open(new StoreContext(Map.of()))) {
      URI target = URI.create(onS3.indexRoot() + "/shard-0");
      onS3.blobs().publish(file, target);
      Servers.s3().fault("kind=QUOTA_EXCEEDED op=PUT times=1000000 key=" + root);
      try {
        assertThat(publishedWithin(Duration.ofSeconds(4), 10, onS3, file)).isZero();
      } finally {
        Servers.s3().heal();
      }

      assertThat(Servers.alluxio().load(alluxioPath())).isEqualTo(content.length);
      onS3.blobs().publish(file, target);
      assertThat(read(onS3.blobs().find(target).orElseThrow())).isEqualTo(content);
    }
  }

  private static int publishedWithin(Duration patience, int times, RemoteTierStore tier, Path file)
      throws InterruptedException {
    List<Callable<URI>> calls = new ArrayList<>();
    for (int i = 1; i <= times; i++) {
      URI target = URI.create(tier.indexRoot() + "/refused-" + i);
      calls.add(
          () -> {
            tier.blobs().publish(file, target);
            return target;
          });
    }
    ExecutorService publishers = Executors.newFixedThreadPool(times);
    try {
      int published = 0;
      for (Future<URI> call :
          publishers.invokeAll(calls, patience.toMillis(), TimeUnit.MILLISECONDS)) {
        if (!call.isCancelled() && hasPublished(call)) {
          published++;
        }
      }
      return published;
    } finally {
      publishers.shutdownNow();
      assertThat(publishers.awaitTermination(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    }
  }

  private static boolean hasPublished(Future<URI> call) throws InterruptedException {
    try {
      return call.get() != null;
    } catch (ExecutionException e) {
      assertThat(e).hasCauseInstanceOf(StoreException.class);
      return false;
    }
  }

  @Test
  void aWorkerWithoutRoomStillPublishesAndReads() throws IOException {
    byte[] big = Servers.randomBytes(8, 12_000_000);
    Servers.s3().put(Servers.BUCKET, prefix + "/big", big);
    Path file = Files.write(scratch.resolve("big"), big);

    try (RealAlluxio tiny =
            RealAlluxio.builder()
                .mount(Servers.s3(), Servers.BUCKET, "/s3/lake")
                .workerStorage("4MB")
                // A worker that is smaller than one block is no worker at all to Alluxio's client.
                .property("alluxio.user.block.size.bytes.default", "1MB")
                .start();
        RemoteTierStore small =
            Alluxio.at(tiny.uri())
                .property("alluxio.user.block.size.bytes.default", "1MB")
                .open(new StoreContext(Map.of()))) {
      Blob copy =
          small.freshCopy(source.find(Servers.s3Uri(prefix + "/big")).orElseThrow()).orElseThrow();
      assertThat(Servers.read(small.blobs(), copy)).isEqualTo(big);

      URI target = URI.create(small.indexRoot() + "/shard-0");
      small.blobs().publish(file, target);
      assertThat(Servers.read(small.blobs(), small.blobs().find(target).orElseThrow()))
          .isEqualTo(big);
    }
  }

  @Test
  void openingAndClosingLeavesNoThreadPerClient() throws IOException {
    openUseAndClose();
    long before = alluxioThreads();

    for (int i = 0; i < 5; i++) {
      openUseAndClose();
    }

    await()
        .atMost(PATIENCE)
        .untilAsserted(() -> assertThat(alluxioThreads()).isLessThanOrEqualTo(before + 4));
    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(
            thread -> thread.getName().contains("alluxio") || thread.getName().contains("PoolGc"))
        .allMatch(Thread::isDaemon);
  }

  private void openUseAndClose() throws IOException {
    try (RemoteTierStore opened =
        Alluxio.at(Servers.alluxio().uri()).open(new StoreContext(Map.of()))) {
      assertThat(Servers.read(opened.blobs(), opened.freshCopy(listed()).orElseThrow()))
          .isEqualTo(content);
    }
  }

  private static long alluxioThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("(?i).*(alluxio|PoolGc|config-hash).*"))
        .count();
  }
}
