package dev.leat.internal.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileStoreTest {
  @TempDir private Path directory;
  private Path root;
  private LocalFileStore store;

  @BeforeEach
  void open() throws IOException {
    root = Files.createDirectory(directory.resolve("root"));
    store = LocalFileStore.at(root);
  }

  private Path write(String path, String content) throws IOException {
    Path file = root.resolve(path);
    Files.createDirectories(file.getParent());
    return Files.writeString(file, content);
  }

  private Blob blob(Path file) throws IOException {
    return store.find(file.toUri()).orElseThrow();
  }

  private String read(Blob blob) throws IOException {
    try (BlobReader reader = store.open(blob);
        InputStream stream = reader.stream(0)) {
      return new String(stream.readAllBytes(), UTF_8);
    }
  }

  private static void assertKind(Kind kind, ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  private List<Path> filesOnDisk() throws IOException {
    try (Stream<Path> files = Files.walk(root)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  @Test
  void aListingHasAllFilesAtAnyDepthSortedByTheTextOfTheirUri() throws IOException {
    write("b", "2");
    write("a/z", "333");
    write("a.txt", "");
    write("a/deep/er/x", "1");
    Files.createDirectory(root.resolve("empty"));

    assertThat(store.list(root.toUri()))
        .extracting(Blob::uri)
        .containsExactly(uri("a.txt"), uri("a/deep/er/x"), uri("a/z"), uri("b"));
    assertThat(store.list(uri("a"))).extracting(Blob::length).containsExactly(1L, 3L);
    assertThat(store.list(uri("empty"))).isEmpty();
    assertThat(store.list(uri("nothing/here"))).isEmpty();
    assertThat(store.list(uri("b/below-a-file"))).isEmpty();
  }

  private URI uri(String path) {
    return root.resolve(path).toUri();
  }

  @Test
  void aFileIsListedAsItself() throws IOException {
    Path file = write("customers.csv", "1|a\n");

    assertThat(LocalFileStore.at(file).list(file.toUri())).containsExactly(blob(file));
  }

  @Test
  void aRootThatIsNotThereYetIsEmptyAndIsMadeByTheFirstPublication() throws IOException {
    Path later = directory.resolve("later/index");
    LocalFileStore young = LocalFileStore.at(later);
    assertThat(young.list(later.toUri())).isEmpty();
    assertThat(young.find(later.resolve("x").toUri())).isEmpty();

    assertThat(young.publishIfAbsent(new byte[3], later.resolve("x").toUri())).isTrue();

    assertThat(young.list(later.toUri())).hasSize(1);
  }

  @Test
  void everyFormOfAFileUriNamesTheSameFile() throws IOException {
    Path file = write("a", "content");
    String path = file.toUri().getRawPath();

    for (String form :
        new String[] {
          "file:" + path, "file://" + path, "file://localhost" + path, "FILE:" + path
        }) {
      assertThat(store.find(URI.create(form))).contains(blob(file));
    }
    assertKind(Kind.NOT_FOUND, () -> store.find(URI.create("file://elsewhere" + path)));
    assertKind(Kind.NOT_FOUND, () -> store.find(URI.create("s3a://bucket/x")));
  }

  @Test
  void namesMayHaveAnyCharacter() throws IOException {
    Path file = write("dt=2024-01-01 %20#1?/a b+c", "content");

    List<Blob> listed = store.list(root.toUri());

    assertThat(listed).extracting(Blob::uri).containsExactly(file.toUri());
    assertThat(read(listed.get(0))).isEqualTo("content");
  }

  @Test
  void aPathCannotLeaveTheRoot() throws IOException {
    Files.writeString(directory.resolve("secret"), "secret");
    URI outside = URI.create(root.toUri() + "../secret");

    assertKind(Kind.ACCESS_DENIED, () -> store.find(outside));
    assertKind(Kind.ACCESS_DENIED, () -> store.list(directory.toUri()));
    assertKind(Kind.ACCESS_DENIED, () -> store.delete(outside));
    assertKind(
        Kind.ACCESS_DENIED,
        () ->
            store.publishIfAbsent(new byte[1], URI.create(root.toUri() + "a/%2e%2e/../../other")));
    assertKind(
        Kind.ACCESS_DENIED, () -> store.find(directory.resolve("root-of-another-name").toUri()));
    assertThat(directory.resolve("secret")).exists();
  }

  @Test
  void aLinkThatLeadsOutOfTheRootIsRefusedEvenInAListing() throws IOException {
    Path outside = Files.createDirectory(directory.resolve("outside"));
    Files.writeString(outside.resolve("x"), "x");
    Files.createSymbolicLink(root.resolve("link"), outside);

    assertKind(Kind.ACCESS_DENIED, () -> store.list(root.toUri()));
    assertKind(Kind.ACCESS_DENIED, () -> store.find(uri("link/x")));
    assertKind(Kind.ACCESS_DENIED, () -> store.publishIfAbsent(new byte[1], uri("link/y")));
    assertKind(Kind.ACCESS_DENIED, () -> store.publishIfAbsent(new byte[1], uri("link/new/y")));
    assertThat(outside.resolve("y")).doesNotExist();
  }

  @Test
  void linksWithinTheRootGiveEachFileOnceAndNoLoops() throws IOException {
    // As Kubernetes mounts a ConfigMap.
    write("..data-1/customers.csv", "1|a\n");
    Files.createSymbolicLink(root.resolve("..data"), Path.of("..data-1"));
    Files.createSymbolicLink(root.resolve("customers.csv"), Path.of("..data/customers.csv"));
    Files.createSymbolicLink(root.resolve("loop"), Path.of("."));

    List<Blob> listed = store.list(root.toUri());

    assertThat(listed)
        .extracting(Blob::uri)
        .containsExactly(uri("..data-1/customers.csv"), uri("customers.csv"));
    assertThat(read(listed.get(1))).isEqualTo("1|a\n");
  }

  @Test
  void aLinkToNothingFailsTheListingSinceRowsMustNotBeLeftOutUnseen() throws IOException {
    Files.createSymbolicLink(root.resolve("link"), Path.of("nothing"));

    assertKind(Kind.NOT_FOUND, () -> store.list(root.toUri()));
    assertThat(store.find(uri("link"))).isEmpty();
  }

  @Test
  void theRootMayBeALink() throws IOException {
    write("a", "content");
    Path link = Files.createSymbolicLink(directory.resolve("current"), root);
    LocalFileStore linked = LocalFileStore.at(link);

    assertThat(linked.list(link.toUri()))
        .extracting(Blob::uri)
        .containsExactly(link.resolve("a").toUri());
  }

  @Test
  void deletingALinkLeavesItsTarget() throws IOException {
    Path file = write("real/a", "content");
    Files.createSymbolicLink(root.resolve("link"), root.resolve("real"));

    store.delete(uri("link"));

    assertThat(file).exists();
    assertThat(root.resolve("link")).doesNotExist();
  }

  @Test
  void aBlobHasNoContentTagSoThatHostsWithCopiesAgree() throws IOException {
    Path file = write("a", "content");
    Instant modified = Instant.parse("2026-01-02T03:04:05.123456789Z");
    Files.setLastModifiedTime(file, FileTime.from(modified));

    Blob blob = blob(file);

    assertThat(blob.contentTag()).isEmpty();
    assertThat(blob.length()).isEqualTo(7);
    assertThat(blob.modified()).isEqualTo(modified);
  }

  @Test
  void positionedReadsAreExact() throws IOException {
    Blob blob = blob(write("a", "0123456789"));
    try (BlobReader reader = store.open(blob)) {
      byte[] target = new byte[6];
      reader.readFully(3, target, 1, 4);
      assertThat(target).isEqualTo(new byte[] {0, '3', '4', '5', '6', 0});
      reader.readFully(10, target, 0, 0);
      assertKind(Kind.TRUNCATED, () -> reader.readFully(8, new byte[3], 0, 3));
      assertKind(Kind.TRUNCATED, () -> reader.stream(11));
      assertThatThrownBy(() -> reader.readFully(0, target, 4, 4))
          .isInstanceOf(IndexOutOfBoundsException.class);
      try (InputStream stream = reader.stream(10)) {
        assertThat(stream.read()).isEqualTo(-1);
      }
    }
  }

  @Test
  void aStreamOutlivesItsReader() throws IOException {
    Blob blob = blob(write("a", "0123456789"));
    InputStream stream;
    try (BlobReader reader = store.open(blob)) {
      stream = reader.stream(4);
    }
    try (stream) {
      assertThat(stream.read()).isEqualTo('4');
      assertThat(stream.available()).isEqualTo(5);
      assertThat(stream.readAllBytes()).isEqualTo("56789".getBytes(UTF_8));
    }
  }

  @Test
  void aFileThatChangedSinceItWasListedIsNotOpened() throws IOException {
    Path file = write("a", "0123456789");
    Blob blob = blob(file);
    Files.setLastModifiedTime(file, FileTime.from(blob.modified().plusNanos(1_000_000)));

    assertKind(Kind.CHANGED, () -> store.open(blob));
    Files.writeString(file, "longer than it was");
    assertKind(Kind.CHANGED, () -> store.open(blob));
    Files.delete(file);
    assertKind(Kind.NOT_FOUND, () -> store.open(blob));
  }

  @Test
  void aFileThatIsOverwrittenUnderItsReaderIsTold() throws IOException {
    Path file = write("a", "0123456789");
    Blob blob = blob(file);
    try (BlobReader reader = store.open(blob);
        InputStream stream = reader.stream(0)) {
      assertThat(stream.read()).isEqualTo('0');
      Files.writeString(file, "abcdefghijkl", StandardOpenOption.TRUNCATE_EXISTING);

      assertKind(Kind.CHANGED, () -> reader.readFully(0, new byte[4], 0, 4));
      assertKind(Kind.CHANGED, stream::read);
      Files.writeString(file, "0", StandardOpenOption.TRUNCATE_EXISTING);
      assertKind(Kind.CHANGED, () -> reader.readFully(0, new byte[4], 0, 4));
    }
  }

  @Test
  void aFileThatIsReplacedByARenameIsReadOnAsItWas() throws IOException {
    Path file = write("a", "0123456789");
    Blob blob = blob(file);
    try (BlobReader reader = store.open(blob)) {
      store.publish(Files.writeString(directory.resolve("next"), "abcdefghij"), file.toUri());
      byte[] target = new byte[10];
      reader.readFully(0, target, 0, 10);
      assertThat(new String(target, UTF_8)).isEqualTo("0123456789");
      Files.delete(file);
      reader.readFully(0, target, 0, 10);
      assertThat(new String(target, UTF_8)).isEqualTo("0123456789");
    }
    assertKind(Kind.NOT_FOUND, () -> store.open(blob));
  }

  @Test
  void aReaderOfWhichAnotherThreadWasInterruptedFailsInAWayThatIsTriedAgain() throws Exception {
    Blob blob = blob(write("a", "0123456789"));
    try (BlobReader reader = store.open(blob)) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> reader.readFully(0, new byte[1], 0, 1))
          .isInstanceOf(java.io.InterruptedIOException.class);
      assertThat(Thread.interrupted()).isTrue();

      assertKind(Kind.UNAVAILABLE, () -> reader.readFully(0, new byte[1], 0, 1));
    }
  }

  @Test
  void aPublicationReplacesWhatWasThereAndLeavesNothingElse() throws IOException {
    Path local = Files.writeString(directory.resolve("local"), "second");
    Path target = write("deep/a", "first");

    store.publish(local, target.toUri());

    assertThat(target).hasContent("second");
    assertThat(local).exists();
    assertThat(filesOnDisk()).containsExactly(target);
    store.publish(local, uri("new/parents/b"));
    assertThat(root.resolve("new/parents/b")).hasContent("second");
  }

  @Test
  void aPublicationThatFailsLeavesNothing() throws IOException {
    Path target = write("a", "first");

    assertKind(Kind.NOT_FOUND, () -> store.publish(directory.resolve("missing"), target.toUri()));
    Files.createDirectory(root.resolve("a-directory"));
    assertKind(Kind.OTHER, () -> store.publish(target, uri("a-directory")));
    assertThat(target).hasContent("first");
    assertThat(filesOnDisk()).containsExactly(target);
  }

  @Test
  void readersSeeWholePublicationsOnly() throws Exception {
    Path small = Files.writeString(directory.resolve("small"), "s".repeat(10));
    Path large = Files.writeString(directory.resolve("large"), "l".repeat(300_000));
    Path target = root.resolve("a");
    store.publish(small, target.toUri());
    CountDownLatch started = new CountDownLatch(1);
    FutureTask<Boolean> writer =
        new FutureTask<>(
            () -> {
              started.countDown();
              for (int i = 0; i < 50; i++) {
                store.publish(i % 2 == 0 ? large : small, target.toUri());
              }
              return true;
            });
    new Thread(writer).start();
    started.await();
    int reads = 0;
    while (!writer.isDone() || reads == 0) {
      try {
        String content = read(blob(target));
        assertThat(content)
            .satisfiesAnyOf(
                text -> assertThat(text).isEqualTo("s".repeat(10)),
                text -> assertThat(text).isEqualTo("l".repeat(300_000)));
        reads++;
      } catch (StoreException e) {
        assertThat(e.kind()).isEqualTo(Kind.CHANGED);
      }
    }
    assertThat(writer.get()).isTrue();
  }

  @Test
  void whatAWriterLeftWhenItDiedIsNotListed() throws IOException {
    write("a", "content");
    write(".leat-publish-3f0c", "half wri");

    assertThat(store.list(root.toUri())).extracting(Blob::uri).containsExactly(uri("a"));
    store.delete(root.toUri());
    assertThat(root.resolve(".leat-publish-3f0c")).doesNotExist();
  }

  @Test
  void ofManyCreatorsExactlyOneWins() throws Exception {
    for (int round = 0; round < 20; round++) {
      URI target = uri("lease-" + round);
      CyclicBarrier together = new CyclicBarrier(8);
      Map<Integer, FutureTask<Boolean>> callers = new TreeMap<>();
      for (int i = 0; i < 8; i++) {
        byte[] content = ("caller " + i).getBytes(UTF_8);
        Callable<Boolean> create =
            () -> {
              together.await();
              return store.publishIfAbsent(content, target);
            };
        FutureTask<Boolean> task = new FutureTask<>(create);
        callers.put(i, task);
        new Thread(task).start();
      }
      List<Integer> winners = new ArrayList<>();
      for (Map.Entry<Integer, FutureTask<Boolean>> caller : callers.entrySet()) {
        if (caller.getValue().get()) {
          winners.add(caller.getKey());
        }
      }
      assertThat(winners).hasSize(1);
      assertThat(read(store.find(target).orElseThrow())).isEqualTo("caller " + winners.get(0));
    }
    assertThat(filesOnDisk()).hasSize(20);
  }

  @Test
  void deletingTakesWholeTreesAndNothingIsNoError() throws IOException {
    write("a/b/c", "1");
    write("a/d", "2");
    Path stays = write("e", "3");

    store.delete(uri("a"));
    store.delete(uri("a"));
    store.delete(uri("never/there"));

    assertThat(root.resolve("a")).doesNotExist();
    assertThat(stays).exists();
  }

  @Test
  void aClosedStoreSaysSo() {
    store.close();

    assertThatThrownBy(() -> store.list(root.toUri()))
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("is closed");
  }

  @Test
  void failuresAreSortedByWhatCanBeDone() {
    assertThat(
            LocalFileStore.translated(
                new IOException("No space left on device"), "publish", uri("a")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.FULL));
    assertThat(
            LocalFileStore.translated(
                new java.nio.file.AccessDeniedException("a"), "read", uri("a")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.ACCESS_DENIED));
    assertThat(LocalFileStore.translated(new IOException("Stale file handle"), "read", uri("a")))
        .isInstanceOfSatisfying(
            StoreException.class, e -> assertThat(e.kind()).isEqualTo(Kind.UNAVAILABLE));
    assertThat(LocalFileStore.translated(new IOException("?"), "read", uri("a")))
        .hasMessageStartingWith("cannot read " + uri("a"));
  }
}
