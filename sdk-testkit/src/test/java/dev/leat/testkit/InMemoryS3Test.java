package dev.leat.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.internal.store.Stores;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class InMemoryS3Test {

  private final InMemoryS3 s3 = InMemoryS3.create("lake");
  private final BlobStore store = s3.open();

  @AfterEach
  void close() {
    s3.close();
  }

  private static void assertKind(Kind kind, Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  private interface Call {
    void run() throws IOException;
  }

  @Test
  void aJobFindsItByItsScheme() throws IOException {
    s3.put("customers/part-0", "1|GOLD\n");

    try (BlobStore found = Stores.open(s3.uri("customers/"), new StoreContext(Map.of()))) {
      assertThat(found.list(s3.uri("customers/"))).hasSize(1);
    }
  }

  @Test
  void twoOpenBucketsNeverShareAName() {
    try (InMemoryS3 other = InMemoryS3.create("lake")) {
      assertThat(other.bucket()).isNotEqualTo(s3.bucket());
    }
  }

  @Test
  void aFaultStrikesAtItsMomentAndAsOftenAsItSays() throws IOException {
    s3.put("a", "x");
    s3.inject(StoreFault.slowDown().at(StoreOperation.LIST).afterCalls(1).times(2));

    store.list(s3.uri(""));
    assertKind(Kind.THROTTLED, () -> store.list(s3.uri("")));
    assertThat(store.find(s3.uri("a"))).isPresent();
    assertKind(Kind.THROTTLED, () -> store.list(s3.uri("")));
    store.list(s3.uri(""));

    assertThat(s3.operations().counts()).isEqualTo(Map.of("LIST", 4, "FIND", 1));
  }

  @Test
  void everyFaultHasTheKindOfTheRealOne() {
    s3.inject(StoreFault.serverError());
    assertKind(Kind.UNAVAILABLE, () -> store.list(s3.uri("")));
    s3.inject(StoreFault.accessDenied());
    assertKind(Kind.ACCESS_DENIED, () -> store.list(s3.uri("")));
    s3.inject(StoreFault.timeout());
    assertKind(Kind.TIMEOUT, () -> store.list(s3.uri("")));
    s3.inject(StoreFault.slowDown().always());
    assertKind(Kind.THROTTLED, () -> store.list(s3.uri("")));
    assertKind(Kind.THROTTLED, () -> store.list(s3.uri("")));
    s3.heal();
  }

  @Test
  void aConnectionBreaksInTheMiddle() throws IOException {
    s3.put("a", "0123456789");
    Blob blob = store.find(s3.uri("a")).orElseThrow();
    s3.inject(StoreFault.resetAfter(4).forKeysWith("a"));

    try (BlobReader reader = store.open(blob);
        InputStream stream = reader.stream(0)) {
      byte[] begin = new byte[4];
      assertThat(stream.readNBytes(begin, 0, 4)).isEqualTo(4);
      assertThat(begin).asString(UTF_8).isEqualTo("0123");
      assertKind(Kind.UNAVAILABLE, stream::read);
    }
  }

  @Test
  void anObjectIsOverwrittenUnderTheReader() throws IOException {
    s3.put("a", "former");
    Blob blob = store.find(s3.uri("a")).orElseThrow();
    s3.inject(StoreFault.run(() -> s3.put("a", "latter")).at(StoreOperation.READ).afterCalls(1));

    try (BlobReader reader = store.open(blob)) {
      reader.readFully(0, new byte[6], 0, 6);
      assertKind(Kind.CHANGED, () -> reader.readFully(0, new byte[6], 0, 6));
    }
  }

  @Test
  void aListingLagsBehind() throws IOException {
    s3.freezeListing();
    s3.put("late", "x");

    assertThat(store.list(s3.uri(""))).isEmpty();
    assertThat(store.find(s3.uri("late"))).isPresent();
    s3.thawListing();
    assertThat(store.list(s3.uri(""))).hasSize(1);
  }

  @Test
  void aCallWaitsForTheTest() {
    CountDownLatch latch = new CountDownLatch(1);
    s3.inject(StoreFault.waitFor(latch).at(StoreOperation.LIST));

    CompletableFuture<Integer> call =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return store.list(s3.uri("")).size();
              } catch (IOException e) {
                throw new AssertionError(e);
              }
            });
    assertThat(call).isNotDone();
    latch.countDown();

    assertThat(call.join()).isZero();
  }

  @Test
  void aReaderThatIsNotClosedIsShownWithItsOpening() throws IOException {
    InMemoryS3 leaky = InMemoryS3.create("leaky");
    leaky.put("a", "x");
    BlobStore client = leaky.open();
    BlobReader leaked = client.open(client.find(leaky.uri("a")).orElseThrow());

    assertThatThrownBy(leaky::close)
        .isInstanceOf(AssertionError.class)
        .satisfies(
            e ->
                assertThat(e.getSuppressed()[0].getStackTrace())
                    .anyMatch(
                        frame ->
                            frame
                                .getMethodName()
                                .equals("aReaderThatIsNotClosedIsShownWithItsOpening")));
    leaked.close();
  }
}
