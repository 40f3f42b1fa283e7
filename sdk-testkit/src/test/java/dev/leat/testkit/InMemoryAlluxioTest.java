package dev.leat.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import alluxio.client.file.URIStatus;
import alluxio.exception.FileDoesNotExistException;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.alluxio.Alluxio;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Leat's real adapter on the in-memory cluster: freshness, faults, and what was asked of Alluxio.
 */
class InMemoryAlluxioTest {

  private final InMemoryS3 s3 = InMemoryS3.create("lake");
  private final InMemoryAlluxio alluxio = InMemoryAlluxio.over(s3);
  private final BlobStore source = s3.open();
  private RemoteTierStore tier;

  @TempDir private Path scratch;

  @BeforeEach
  void open() throws IOException {
    tier = alluxio.tier().open(new StoreContext(Map.of()));
    s3.put("customers/part-0", "former");
  }

  @AfterEach
  void close() {
    tier.close();
    alluxio.close();
    s3.close();
  }

  private Blob listed() throws IOException {
    return source.find(s3.uri("customers/part-0")).orElseThrow();
  }

  private String read(Blob blob) throws IOException {
    byte[] content = new byte[(int) blob.length()];
    try (BlobReader reader = tier.blobs().open(blob)) {
      reader.readFully(0, content, 0, content.length);
    }
    return new String(content, UTF_8);
  }

  private static void assertKind(Kind kind, Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  private interface Call {
    void run() throws IOException;
  }

  @Test
  void aCopyIsFreshWhereItsEtagIsTheListedOne() throws IOException {
    Blob copy = tier.freshCopy(listed()).orElseThrow();

    assertThat(read(copy)).isEqualTo("former");
    assertThat(copy.contentTag()).isEqualTo(listed().contentTag());
    assertThat(alluxio.isCached(alluxio.mountPath() + "/customers/part-0")).isTrue();
  }

  @Test
  void aStaleCopyOfTheSameLengthIsSyncedAndThenFresh() throws IOException {
    read(tier.freshCopy(listed()).orElseThrow());
    s3.put("customers/part-0", "latter");

    Blob copy = tier.freshCopy(listed()).orElseThrow();

    assertThat(read(copy)).isEqualTo("latter");
  }

  @Test
  void aCopyThatStaysStaleIsNotUsed() throws IOException {
    read(tier.freshCopy(listed()).orElseThrow());
    alluxio.ignoreSyncs();
    s3.put("customers/part-0", "latter");

    assertThat(tier.freshCopy(listed())).isEmpty();
    alluxio.heedSyncs();
    assertThat(tier.freshCopy(listed())).isPresent();
  }

  @Test
  void aListingThatIsOlderThanTheCopyProvesNothing() throws IOException {
    Blob old = listed();
    s3.put("customers/part-0", "latter");
    tier.freshCopy(listed());

    assertThat(tier.freshCopy(old)).isEmpty();
  }

  @Test
  void aFileOutsideTheMountHasNoCopy() throws IOException {
    try (InMemoryS3 other = InMemoryS3.create("other")) {
      other.put("x", "y");
      Blob elsewhere = other.open().find(other.uri("x")).orElseThrow();

      assertThat(tier.freshCopy(elsewhere)).isEmpty();
    }
  }

  @Test
  void freshnessOfAKnownFileCostsOneCall() throws IOException {
    tier.freshCopy(listed());
    alluxio.operations().clear();

    tier.freshCopy(listed());

    assertThat(alluxio.operations().counts()).isEqualTo(Map.of("getStatus", 1));
  }

  @Test
  void aPublishedIndexIsReadWithoutAskingTheMaster() throws IOException {
    Path file = Files.writeString(scratch.resolve("shard-0"), "index");
    URI target = URI.create(tier.indexRoot() + "/customers/v1/shard-0");
    tier.blobs().publish(file, target);
    try (BlobReader reader = tier.blobs().open(tier.blobs().find(target).orElseThrow())) {
      alluxio.operations().clear();

      reader.readFully(0, new byte[5], 0, 5);
      reader.readFully(1, new byte[3], 0, 3);

      assertThat(alluxio.operations().counts())
          .isEqualTo(Map.of("openFile", 1, "positionedRead", 2));
    }
  }

  @Test
  void theMountTableTellsTheSource() throws IOException {
    assertThat(tier.sourceOf(URI.create(alluxio.uri() + alluxio.mountPath() + "/customers/a%20b")))
        .isEqualTo(s3.uri("customers/a b"));
    assertThat(tier.sourceOf(URI.create(alluxio.uri() + "/elsewhere")))
        .isEqualTo(URI.create("file:///under/elsewhere"));
  }

  @Test
  void aMappingReplacesTheMountTable() throws IOException {
    Alluxio mapped =
        alluxio.tier().mapping(s3.uri("customers").toString(), alluxio.mountPath() + "/customers");
    try (RemoteTierStore store = mapped.open(new StoreContext(Map.of()))) {
      assertThat(
              store.sourceOf(URI.create(alluxio.uri() + alluxio.mountPath() + "/customers/part-0")))
          .isEqualTo(s3.uri("customers/part-0"));
      assertThat(store.freshCopy(listed())).isPresent();
      assertThatThrownBy(() -> store.sourceOf(URI.create(alluxio.uri() + "/elsewhere")))
          .isInstanceOfSatisfying(
              LeatException.class,
              e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.TIER_NOT_MAPPED));
      assertThat(alluxio.operations().count("getMountTable")).isZero();
    }
  }

  @Test
  void aWorkerThatIsAwayHeals() throws IOException {
    Blob copy = tier.freshCopy(listed()).orElseThrow();
    alluxio.stopWorker();
    assertKind(Kind.UNAVAILABLE, () -> read(copy));

    alluxio.startWorker();
    assertThat(read(copy)).isEqualTo("former");
  }

  @Test
  void aMasterThatIsAwayHeals() throws IOException {
    alluxio.stopMaster();
    assertKind(Kind.UNAVAILABLE, () -> tier.freshCopy(listed()));
    assertKind(Kind.UNAVAILABLE, () -> tier.blobs().list(tier.indexRoot()));

    alluxio.startMaster();
    assertThat(tier.freshCopy(listed())).isPresent();
  }

  @Test
  void openingDoesNotWaitForAMasterThatIsAway() throws IOException {
    alluxio.stopMaster();

    try (RemoteTierStore opened = alluxio.tier().open(new StoreContext(Map.of()))) {
      assertThat(opened.indexRoot()).hasPath("/leat/indexes");
    }
  }

  @Test
  void aBlockThatEndsEarlyIsTruncated() throws IOException {
    Blob copy = tier.freshCopy(listed()).orElseThrow();
    alluxio.truncateBlocksAt(3);
    assertKind(Kind.TRUNCATED, () -> read(copy));

    alluxio.restoreBlocks();
    assertThat(read(copy)).isEqualTo("former");
  }

  @Test
  void aFullWorkerTakesNothingAndLeavesNothingBehind() throws IOException {
    Path file = Files.writeString(scratch.resolve("shard-0"), "index");
    URI target = URI.create(tier.indexRoot() + "/customers/v1/shard-0");
    alluxio.fill();

    assertKind(Kind.FULL, () -> tier.blobs().publish(file, target));
    assertThat(filesOfLeat()).isEmpty();
    assertThat(read(tier.freshCopy(listed()).orElseThrow())).isEqualTo("former");
    assertThat(alluxio.isCached(alluxio.mountPath() + "/customers/part-0")).isFalse();

    alluxio.drain();
    tier.blobs().publish(file, target);
    assertThat(tier.blobs().list(tier.indexRoot())).hasSize(1);
  }

  @Test
  void whoLosesTheRaceToCreateAFileLeavesNothingBehind() throws Exception {
    URI lease = URI.create(tier.indexRoot() + "/customers/v1.lease");
    CountDownLatch latch = new CountDownLatch(1);
    alluxio.slowReadsUntil(latch);
    CompletableFuture<Boolean> loser =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return tier.blobs().publishIfAbsent(new byte[] {1}, lease);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    await().atMost(Duration.ofMinutes(1)).until(() -> alluxio.operations().count("write") == 1);
    alluxio.slowReadsUntil(new CountDownLatch(0));

    assertThat(tier.blobs().publishIfAbsent(new byte[] {2}, lease)).isTrue();
    latch.countDown();

    assertThat(loser.join()).isFalse();
    assertThat(filesOfLeat()).containsExactly("/leat/indexes/customers/v1.lease");
  }

  @Test
  void aFileThatCannotBeCompletedLeavesNothingBehind() throws Exception {
    Path file = Files.createFile(scratch.resolve("empty"));
    alluxio.stopWorker();

    assertKind(
        Kind.UNAVAILABLE,
        () -> tier.blobs().publish(file, URI.create(tier.indexRoot() + "/customers/v1/shard-0")));
    assertThat(filesOfLeat()).isEmpty();
  }

  /** As the cluster has them, since a listing of the store shows no temporary file. */
  private List<String> filesOfLeat() throws IOException {
    try {
      return alluxio.namespace().list("/").stream()
          .map(URIStatus::getPath)
          .filter(path -> path.startsWith("/leat/"))
          .toList();
    } catch (FileDoesNotExistException e) {
      throw new IOException(e);
    }
  }

  @Test
  void aSlowReadWaitsForTheTest() throws IOException {
    Blob copy = tier.freshCopy(listed()).orElseThrow();
    CountDownLatch latch = new CountDownLatch(1);
    alluxio.slowReadsUntil(latch);

    CompletableFuture<String> slow =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return read(copy);
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(slow).isNotDone();
    latch.countDown();

    assertThat(slow.join()).isEqualTo("former");
  }

  @Test
  void theTierFindsTheClusterAgainAfterSerialization() throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(alluxio.tier());
    }
    Alluxio copy =
        (Alluxio) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();

    try (RemoteTierStore opened = copy.open(new StoreContext(Map.of()))) {
      assertThat(opened.freshCopy(listed())).isPresent();
    }
    assertThat(copy).isEqualTo(alluxio.tier());
  }
}
