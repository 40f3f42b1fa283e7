package dev.leat.testkit.contract;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.fail;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What every {@link BlobStore} promises. Extend it for a store of your own: {@link #openStore()}
 * gives a client, {@link #directory()} an empty directory that it serves.
 *
 * <p>Where a store cannot do better than the contract allows, it says so by overriding {@link
 * #createsAtomically()} or {@link #failuresUnderAWriter()}.
 */
public abstract class BlobStoreContract {

  private static final long SEED = 20_260_101;
  private static final int THREADS = 4;

  /** Where files to publish are written. */
  @TempDir protected Path scratch;

  private BlobStore store;
  private URI directory;

  /** For subclasses. */
  protected BlobStoreContract() {}

  /** A client of its own. */
  protected abstract BlobStore openStore() throws IOException;

  /** An empty directory of the store that no other test uses; asked for once per test. */
  protected abstract URI directory() throws IOException;

  /** A location that the store does not serve, such as another bucket. */
  protected abstract URI elsewhere();

  /**
   * With what a read may fail whose blob is replaced meanwhile. A server that breaks off its answer
   * adds the retriable kinds that this shows as; other bytes are never allowed.
   */
  protected Set<Kind> failuresUnderAWriter() {
    return Set.of(Kind.CHANGED, Kind.NOT_FOUND);
  }

  /**
   * Whether, of several callers of {@link BlobStore#publishIfAbsent} at the same time, never two
   * are told that they created the blob.
   */
  protected boolean createsAtomically() {
    return true;
  }

  /** The size of the big file; a store that is slow under test may want less. */
  protected int bigFileBytes() {
    return 9_000_001;
  }

  /** Opens the store. */
  @BeforeEach
  final void open() throws IOException {
    store = openStore();
    directory = directory();
  }

  /** Closes the store. */
  @AfterEach
  final void close() {
    store.close();
  }

  /** The store under test, for tests that a subclass adds. */
  protected final BlobStore store() {
    return store;
  }

  /** The location of a file in the test's own directory. */
  protected final URI at(String name) {
    return Blob.uriOf(
        directory.getScheme(),
        directory.getAuthority() == null ? "" : directory.getAuthority(),
        directory.getPath().replaceAll("/$", "") + "/" + name);
  }

  /** Publishes a content and finds it. */
  protected final Blob published(String name, byte[] content) throws IOException {
    store.publish(fileOf(content), at(name));
    return store.find(at(name)).orElseThrow();
  }

  private Path fileOf(byte[] content) throws IOException {
    return Files.write(Files.createTempFile(scratch, "content", ".bin"), content);
  }

  private byte[] contentOf(Blob blob) throws IOException {
    byte[] content = new byte[(int) blob.length()];
    try (BlobReader reader = store.open(blob)) {
      reader.readFully(0, content, 0, content.length);
    }
    return content;
  }

  private static byte[] randomBytes(int length) {
    byte[] bytes = new byte[length];
    new Random(SEED + length).nextBytes(bytes);
    return bytes;
  }

  private static Kind kindOf(Throwable failure) {
    assertThat(failure).isInstanceOf(StoreException.class);
    return ((StoreException) failure).kind();
  }

  @Test
  void aDirectoryWithoutFilesListsNothing() throws IOException {
    assertThat(store.list(directory)).isEmpty();
    assertThat(store.list(at("no/such/directory"))).isEmpty();
  }

  @Test
  void whatIsPublishedIsFoundListedAndReadBack() throws IOException {
    byte[] content = "1|GOLD|DE\n".getBytes(UTF_8);

    Blob blob = published("part-0", content);

    assertThat(blob.uri()).isEqualTo(at("part-0"));
    assertThat(blob.length()).isEqualTo(content.length);
    assertThat(store.list(directory)).containsExactly(blob);
    assertThat(contentOf(blob)).isEqualTo(content);
  }

  @Test
  void aListingIsDeepSortedAndWithoutDirectories() throws IOException {
    List<String> names = List.of("b/2", "a", "b/10", "b/c/d/e/f", "b.x", "B");
    for (String name : names) {
      published(name, name.getBytes(UTF_8));
    }

    List<Blob> blobs = store.list(directory);

    assertThat(blobs)
        .extracting(Blob::uri)
        .containsExactlyElementsOf(
            names.stream().map(this::at).sorted(Comparator.comparing(URI::toString)).toList());
    assertThat(store.list(at("b")))
        .extracting(Blob::uri)
        .containsExactly(at("b/10"), at("b/2"), at("b/c/d/e/f"));
  }

  @Test
  void aListingOfABlobIsThatBlob() throws IOException {
    Blob blob = published("alone", new byte[] {1});

    assertThat(store.list(at("alone"))).containsExactly(blob);
  }

  @Test
  void namesWithBlanksUnicodeAndPercentSignsAreNamesLikeOthers() throws IOException {
    List<String> names =
        List.of("with blank", "Zürich", "人", "50%", "a%20b", "a+b", "a=1/b=2", "q&r;s,t");
    for (String name : names) {
      Blob blob = published(name, name.getBytes(UTF_8));
      assertThat(contentOf(blob)).asString(UTF_8).isEqualTo(name);
    }

    assertThat(store.list(directory))
        .extracting(Blob::uri)
        .containsExactlyInAnyOrderElementsOf(names.stream().map(this::at).toList());
    for (Blob blob : store.list(directory)) {
      assertThat(store.find(blob.uri())).contains(blob);
    }
  }

  @Test
  void aMissingBlobIsNotFound() throws IOException {
    Blob gone = published("gone", new byte[] {1, 2, 3});
    store.delete(gone.uri());

    assertThat(store.find(at("gone"))).isEmpty();
    assertThat(store.find(at("never/was"))).isEmpty();
    assertThatThrownBy(() -> contentOf(gone))
        .satisfies(e -> assertThat(kindOf(e)).isEqualTo(Kind.NOT_FOUND));
  }

  @Test
  void aDirectoryIsNoBlob() throws IOException {
    published("dir/file", new byte[] {1});

    assertThat(store.find(at("dir"))).isEmpty();
  }

  @Test
  void anEmptyFileIsAFile() throws IOException {
    Blob empty = published("empty", new byte[0]);

    assertThat(empty.length()).isZero();
    assertThat(store.list(directory)).containsExactly(empty);
    try (BlobReader reader = store.open(empty);
        InputStream stream = reader.stream(0)) {
      reader.readFully(0, new byte[0], 0, 0);
      assertThat(stream.read()).isEqualTo(-1);
    }
  }

  @Test
  void aBigFileIsReadAtAnyPosition() throws IOException {
    byte[] content = randomBytes(bigFileBytes());
    Blob blob = published("big", content);
    Random random = new Random(SEED);

    try (BlobReader reader = store.open(blob)) {
      for (int i = 0; i < 20; i++) {
        int position = random.nextInt(content.length);
        int length = random.nextInt(Math.min(200_000, content.length - position));
        byte[] read = new byte[length + 10];
        reader.readFully(position, read, 5, length);
        assertThat(Arrays.copyOfRange(read, 5, 5 + length))
            .isEqualTo(Arrays.copyOfRange(content, position, position + length));
      }
      try (InputStream stream = reader.stream(0)) {
        assertThat(stream.readAllBytes()).isEqualTo(content);
      }
      int middle = content.length / 2;
      try (InputStream stream = reader.stream(middle)) {
        assertThat(stream.readAllBytes())
            .isEqualTo(Arrays.copyOfRange(content, middle, content.length));
      }
    }
  }

  @Test
  void readingBeyondTheEndIsTruncated() throws IOException {
    Blob blob = published("short", new byte[100]);

    try (BlobReader reader = store.open(blob)) {
      assertThatThrownBy(() -> reader.readFully(90, new byte[11], 0, 11))
          .satisfies(e -> assertThat(kindOf(e)).isEqualTo(Kind.TRUNCATED));
      assertThatThrownBy(() -> reader.readFully(1000, new byte[1], 0, 1))
          .satisfies(e -> assertThat(kindOf(e)).isEqualTo(Kind.TRUNCATED));
      reader.readFully(90, new byte[10], 0, 10);
    }
  }

  @Test
  void positionedReadsOfManyThreadsDoNotDisturbEachOther() throws Exception {
    byte[] content = randomBytes(1_000_000);
    Blob blob = published("shared", content);

    try (BlobReader reader = store.open(blob)) {
      List<Callable<Integer>> readers = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        Random random = new Random(SEED + thread);
        readers.add(
            () -> {
              int reads = 0;
              for (; reads < 25; reads++) {
                int position = random.nextInt(content.length - 5000);
                byte[] read = new byte[5000];
                reader.readFully(position, read, 0, read.length);
                assertThat(Arrays.equals(read, 0, 5000, content, position, position + 5000))
                    .isTrue();
              }
              return reads;
            });
      }
      assertThat(inParallel(readers)).containsOnly(25);
    }
  }

  @Test
  void aStreamOutlivesItsReader() throws IOException {
    byte[] content = randomBytes(300_000);
    Blob blob = published("streamed", content);

    InputStream stream;
    try (BlobReader reader = store.open(blob)) {
      stream = reader.stream(1);
    }
    try (stream) {
      assertThat(stream.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 1, content.length));
    }
  }

  @Test
  void publishingReplacesTheFormerContent() throws IOException {
    published("twice", "former".getBytes(UTF_8));
    Blob now = published("twice", "the latter".getBytes(UTF_8));

    assertThat(contentOf(now)).asString(UTF_8).isEqualTo("the latter");
    assertThat(store.list(directory)).containsExactly(now);
  }

  @Test
  void aReaderNeverAnswersWithAnotherContent() throws IOException {
    Blob former = published("changing", "former content".getBytes(UTF_8));

    try (BlobReader before = store.open(former)) {
      published("changing", "another content of another length".getBytes(UTF_8));

      assertNeverOther(former, before, "former content");
    }
    assertThatThrownBy(() -> contentOf(former))
        .satisfies(e -> assertThat(kindOf(e)).isIn(Kind.CHANGED, Kind.NOT_FOUND));
  }

  @Test
  void aReaderNeverAnswersWithAnotherContentOfTheSameLength() throws Exception {
    Blob former = published("changing", "former".getBytes(UTF_8));
    awaitNextTimestamp();

    try (BlobReader before = store.open(former)) {
      published("changing", "latter".getBytes(UTF_8));

      assertNeverOther(former, before, "former");
    }
    assertThatThrownBy(() -> contentOf(former))
        .satisfies(e -> assertThat(kindOf(e)).isIn(Kind.CHANGED, Kind.NOT_FOUND));
  }

  /**
   * Waits until the store would give another modification time, for stores that know contents by
   * that only.
   */
  protected void awaitNextTimestamp() throws Exception {
    Path probe = Files.createTempFile(scratch, "probe", "");
    var begin = Files.getLastModifiedTime(probe);
    while (Files.getLastModifiedTime(Files.write(probe, new byte[] {1})).equals(begin)) {
      Thread.onSpinWait();
    }
  }

  @Test
  void aReaderOfADeletedBlobAnswersWithItsContentOrFails() throws IOException {
    Blob blob = published("deleted", "former".getBytes(UTF_8));

    try (BlobReader before = store.open(blob)) {
      store.delete(blob.uri());

      assertNeverOther(blob, before, "former");
    }
  }

  private static void assertNeverOther(Blob blob, BlobReader reader, String former) {
    byte[] read = new byte[(int) blob.length()];
    try {
      reader.readFully(0, read, 0, read.length);
      assertThat(read).asString(UTF_8).isEqualTo(former);
    } catch (IOException e) {
      assertThat(kindOf(e)).isIn(Kind.CHANGED, Kind.NOT_FOUND);
    }
    try (InputStream stream = reader.stream(0)) {
      assertThat(stream.readAllBytes()).asString(UTF_8).isEqualTo(former);
    } catch (IOException e) {
      assertThat(kindOf(e)).isIn(Kind.CHANGED, Kind.NOT_FOUND);
    }
  }

  @Test
  void onlyTheFirstPublishesIfAbsent() throws IOException {
    assertThat(store.publishIfAbsent("first".getBytes(UTF_8), at("deep/down/lease"))).isTrue();
    assertThat(store.publishIfAbsent("second".getBytes(UTF_8), at("deep/down/lease"))).isFalse();

    assertThat(contentOf(store.find(at("deep/down/lease")).orElseThrow()))
        .asString(UTF_8)
        .isEqualTo("first");
  }

  @Test
  void ofManyAtMostOnePublishesIfAbsent() throws Exception {
    List<Callable<Boolean>> rivals = new ArrayList<>();
    for (int rival = 0; rival < THREADS; rival++) {
      byte[] content = ("rival " + rival).getBytes(UTF_8);
      rivals.add(() -> store.publishIfAbsent(content, at("lease")));
    }

    List<Boolean> created = inParallel(rivals);

    assertThat(created).contains(true);
    byte[] content = contentOf(store.find(at("lease")).orElseThrow());
    if (createsAtomically()) {
      assertThat(created).containsOnlyOnce(true);
      assertThat(content).asString(UTF_8).isEqualTo("rival " + created.indexOf(true));
    }
    assertThat(store.list(directory)).hasSize(1);
  }

  @Test
  void othersSeeAWholeContentOrNone() throws Exception {
    byte[] one = randomBytes(400_000);
    byte[] other = randomBytes(500_000);
    store.publish(fileOf(one), at("swapped"));
    AtomicBoolean done = new AtomicBoolean();
    List<Callable<Integer>> both =
        List.of(
            () -> {
              try {
                for (int i = 0; i < 6; i++) {
                  store.publish(fileOf(i % 2 == 0 ? other : one), at("swapped"));
                }
              } finally {
                done.set(true);
              }
              return 1;
            },
            () -> {
              int seen = 0;
              while (!done.get() || seen == 0) {
                seen += wholeOrNone(one, other) ? 1 : 0;
              }
              return seen;
            });

    assertThat(inParallel(both)).allSatisfy(count -> assertThat(count).isPositive());
    assertThat(store.list(directory)).extracting(Blob::uri).containsExactly(at("swapped"));
  }

  private boolean wholeOrNone(byte[] one, byte[] other) throws IOException {
    var blob = store.find(at("swapped"));
    if (blob.isEmpty()) {
      return false;
    }
    try {
      byte[] content = contentOf(blob.get());
      assertThat(Arrays.equals(content, one) || Arrays.equals(content, other)).isTrue();
      return true;
    } catch (StoreException e) {
      assertThat(e.kind()).isIn(failuresUnderAWriter());
      return false;
    }
  }

  @Test
  void deletingTakesABlobOrAllBelowADirectory() throws IOException {
    published("keep", new byte[] {1});
    published("tree/a", new byte[] {2});
    published("tree/b/c", new byte[] {3});
    published("treetop", new byte[] {4});
    published("one", new byte[] {5});

    store.delete(at("tree"));
    store.delete(at("one"));
    store.delete(at("one"));
    store.delete(at("never/was"));

    assertThat(store.list(directory))
        .extracting(Blob::uri)
        .containsExactly(at("keep"), at("treetop"));
  }

  @Test
  void aLocationOfAnotherStoreIsRefused() throws IOException {
    Path file = fileOf(new byte[] {1});

    assertRefused(() -> store.list(elsewhere()));
    assertRefused(() -> store.find(elsewhere()));
    assertRefused(() -> store.publish(file, elsewhere()));
    assertRefused(() -> store.publishIfAbsent(new byte[] {1}, elsewhere()));
    assertRefused(() -> store.delete(elsewhere()));
  }

  private interface Call {
    void run() throws IOException;
  }

  private static void assertRefused(Call call) {
    assertThatThrownBy(call::run)
        .satisfies(e -> assertThat(kindOf(e)).isIn(Kind.ACCESS_DENIED, Kind.NOT_FOUND, Kind.OTHER));
  }

  @Test
  void aFailureNamesTheLocation() throws IOException {
    Blob gone = published("gone away", new byte[] {1});
    store.delete(gone.uri());

    assertThatThrownBy(() -> contentOf(gone)).hasMessageContaining("gone");
  }

  @Test
  void aClosedReaderReadsNothing() throws IOException {
    Blob blob = published("closed", new byte[] {1, 2, 3});
    BlobReader reader = store.open(blob);
    reader.close();
    reader.close();

    assertThatThrownBy(() -> reader.readFully(0, new byte[1], 0, 1))
        .isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> reader.stream(0)).isInstanceOf(StoreException.class);
  }

  @Test
  void aClosedStoreDoesNothing() throws IOException {
    Blob blob = published("there", new byte[] {1, 2, 3});
    store.close();
    store.close();

    assertThatThrownBy(() -> store.list(directory)).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> store.find(blob.uri())).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> contentOf(blob)).isInstanceOf(StoreException.class);
  }

  private static <T> List<T> inParallel(List<? extends Callable<T>> tasks) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
    try {
      CountDownLatch start = new CountDownLatch(1);
      List<Future<T>> futures = new ArrayList<>();
      for (Callable<T> task : tasks) {
        futures.add(
            threads.submit(
                () -> {
                  start.await();
                  return task.call();
                }));
      }
      start.countDown();
      List<T> results = new ArrayList<>();
      for (Future<T> future : futures) {
        results.add(future.get());
      }
      return results;
    } finally {
      threads.shutdownNow();
      if (!threads.awaitTermination(30, java.util.concurrent.TimeUnit.SECONDS)) {
        fail("a thread of the test does not end");
      }
    }
  }
}
