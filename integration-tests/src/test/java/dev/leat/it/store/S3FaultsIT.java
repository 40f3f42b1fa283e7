package dev.leat.it.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.internal.store.ImmutableResilienceSettings;
import dev.leat.internal.store.ResilienceListener;
import dev.leat.internal.store.ResilientStore;
import dev.leat.internal.store.StoreTime;
import dev.leat.s3.S3StoreProvider;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreException;
import dev.leat.spi.StoreException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What S3A makes of a real server's faults, and what the decorators make of that. */
class S3FaultsIT {

  private final String prefix = Servers.ownPrefix();
  private final byte[] content = Servers.randomBytes(1, 400_000);
  @TempDir private Path temporary;
  private BlobStore store;
  private Blob blob;

  @BeforeEach
  void put() throws IOException {
    Servers.s3().put(Servers.BUCKET, prefix + "/part-0", content);
    store = Servers.openS3();
    blob = store.find(Servers.s3Uri(prefix + "/part-0")).orElseThrow();
  }

  @AfterEach
  void heal() {
    Servers.s3().heal();
    store.close();
  }

  private interface Call {
    void run() throws IOException;
  }

  private static void assertKind(Kind kind, Call call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(StoreException.class, e -> assertThat(e.kind()).isEqualTo(kind));
  }

  private ResilientStore resilient() {
    return ResilientStore.over(
        store,
        ImmutableResilienceSettings.builder()
            .firstBackoff(Duration.ofMillis(10))
            .throttledBackoff(Duration.ofMillis(20))
            .build(),
        StoreTime.system(),
        ResilienceListener.none());
  }

  private static int firstByte(BlobReader reader) throws IOException {
    try (InputStream stream = reader.stream(0)) {
      return stream.read();
    }
  }

  @Test
  void theEtagOfTheListingIsThatOfTheObject() throws IOException {
    String etag = Servers.s3().put(Servers.BUCKET, prefix + "/tagged", new byte[] {1});

    assertThat(store.list(Servers.s3Uri(prefix + "/tagged")))
        .singleElement()
        .satisfies(found -> assertThat(found.contentTag()).contains(etag.replace("\"", "")));
  }

  @Test
  void theRateLimitCountsWhatS3IsSent() throws IOException {
    Duration spacing = Duration.ofSeconds(1);
    StoppedTime stopped = new StoppedTime();
    ResilientStore limited =
        ResilientStore.over(
            store,
            ImmutableResilienceSettings.builder().requestSpacing(spacing).build(),
            stopped,
            ResilienceListener.none());
    long before = requests();
    limited.list(Servers.s3Uri(prefix));
    limited.find(blob.uri());
    assertThat(Servers.read(limited, blob)).isEqualTo(content);
    try (BlobReader reader = limited.open(blob)) {
      reader.readFully(7, new byte[100], 0, 100);
      reader.readFully(70_000, new byte[100], 0, 100);
    }
    long sent = requests() - before;
    assertThat(sent).isGreaterThanOrEqualTo(5);
    // Time stands still, so that each request but the first waits for its own slot.
    assertThat(stopped.sleeps)
        .hasSize((int) sent - 1)
        .last()
        .isEqualTo(spacing.multipliedBy(sent - 1));
  }

  private static long requests() {
    return Servers.s3().requests("LIST")
        + Servers.s3().requests("HEAD")
        + Servers.s3().requests("GET");
  }

  /** Time that does not pass; results are waited for all the same. */
  private static final class StoppedTime implements StoreTime {
    final List<Duration> sleeps = new ArrayList<>();

    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public void sleep(Duration duration) {
      sleeps.add(duration);
    }

    @Override
    public <T> T await(Future<T> result, long deadline)
        throws InterruptedException, ExecutionException, TimeoutException {
      return result.get(60, TimeUnit.SECONDS);
    }
  }

  @Test
  void slowDownIsThrottlingAndPasses() throws IOException {
    Servers.s3().fault("kind=SLOW_DOWN op=ANY times=1000");
    assertKind(Kind.THROTTLED, () -> store.list(Servers.s3Uri(prefix)));
    assertKind(Kind.THROTTLED, () -> store.find(blob.uri()));
    assertKind(Kind.THROTTLED, () -> Servers.read(store, blob));
    assertKind(
        Kind.THROTTLED,
        () -> store.publishIfAbsent(new byte[] {1}, Servers.s3Uri(prefix + "/lease")));
    Servers.s3().heal();

    Servers.s3().fault("kind=SLOW_DOWN op=ANY times=5");
    assertThat(Servers.read(resilient(), blob)).isEqualTo(content);
    assertThat(resilient().list(Servers.s3Uri(prefix))).containsExactly(blob);
  }

  @Test
  void anInternalErrorIsUnavailabilityAndPasses() throws IOException {
    Servers.s3().fault("kind=INTERNAL_ERROR op=ANY times=1000");
    assertKind(Kind.UNAVAILABLE, () -> store.list(Servers.s3Uri(prefix)));
    assertKind(Kind.UNAVAILABLE, () -> Servers.read(store, blob));
    Servers.s3().heal();

    Servers.s3().fault("kind=INTERNAL_ERROR op=ANY times=3");
    assertThat(Servers.read(resilient(), blob)).isEqualTo(content);
  }

  @Test
  void aConnectionThatBreaksInTheMiddleIsOpenedAgain() throws IOException {
    Servers.s3().fault("kind=RESET op=GET times=2 afterBytes=150000");
    assertThat(Servers.read(resilient(), blob)).isEqualTo(content);

    Servers.s3().fault("kind=RESET op=GET times=2 afterBytes=150000");
    try (BlobReader reader = resilient().open(blob);
        InputStream stream = reader.stream(1)) {
      assertThat(stream.readAllBytes()).isEqualTo(Arrays.copyOfRange(content, 1, content.length));
    }
  }

  @Test
  void aConnectionThatAlwaysBreaksIsNeverMistakenForTheEnd() throws IOException {
    Servers.s3().fault("kind=RESET op=GET times=1000 afterBytes=150000");

    assertWholeOrFailed(() -> Servers.read(store, blob));
    assertWholeOrFailed(
        () -> {
          try (BlobReader reader = store.open(blob);
              InputStream stream = reader.stream(0)) {
            return stream.readAllBytes();
          }
        });
  }

  private interface Read {
    byte[] run() throws IOException;
  }

  /** S3A itself opens again once where it was, so it may come through. */
  private void assertWholeOrFailed(Read read) throws IOException {
    try {
      assertThat(read.run()).isEqualTo(content);
    } catch (StoreException e) {
      assertThat(e.kind().retriable()).isTrue();
    }
  }

  @Test
  void anObjectThatIsOverwrittenUnderTheReaderIsChanged() throws IOException {
    byte[] sameLength = content.clone();
    sameLength[content.length - 1]++;

    try (BlobReader reader = store.open(blob)) {
      reader.readFully(0, new byte[100], 0, 100);
      Servers.s3().put(Servers.BUCKET, prefix + "/part-0", sameLength);

      assertKind(Kind.CHANGED, () -> reader.readFully(0, new byte[100], 0, 100));
      assertKind(Kind.CHANGED, () -> firstByte(reader));
      Servers.s3().put(Servers.BUCKET, prefix + "/part-0", new byte[7]);
      assertKind(Kind.CHANGED, () -> reader.readFully(1000, new byte[100], 0, 100));
    }
  }

  @Test
  void anObjectThatIsDeletedUnderTheReaderIsNotFound() throws IOException {
    try (BlobReader reader = store.open(blob)) {
      Servers.s3().delete(Servers.BUCKET, prefix + "/part-0");

      assertKind(Kind.NOT_FOUND, () -> reader.readFully(0, new byte[100], 0, 100));
      assertKind(Kind.NOT_FOUND, () -> firstByte(reader));
    }
  }

  @Test
  void accessDeniedIsNotRetried() throws IOException {
    Servers.s3().fault("kind=ACCESS_DENIED op=GET times=1000");
    long before = Servers.s3().requests("GET");

    assertKind(Kind.ACCESS_DENIED, () -> Servers.read(resilient(), blob));

    assertThat(Servers.s3().requests("GET") - before).isEqualTo(1);
  }

  @Test
  void wrongCredentialsAreToldWithoutTheSecret() throws IOException {
    Map<String, String> wrong = new HashMap<>(Servers.s3().hadoopProperties());
    wrong.put("fs.s3a.secret.key", "hunter2-not-the-secret");

    try (BlobStore stranger = Servers.openS3(wrong)) {
      assertKind(Kind.ACCESS_DENIED, () -> stranger.list(Servers.s3Uri(prefix)));
      assertThatThrownBy(() -> stranger.find(blob.uri()))
          .hasMessageContaining("docs/stores.md")
          .satisfies(
              e ->
                  assertThat(stackTraceOf(e))
                      .doesNotContain("hunter2")
                      .doesNotContain(Servers.s3().secretKey()));
    }
  }

  private static String stackTraceOf(Throwable failure) {
    StringWriter text = new StringWriter();
    failure.printStackTrace(new PrintWriter(text));
    return text.toString();
  }

  @Test
  void credentialsInFlinksSpellingAreFound() throws IOException {
    Map<String, String> flink = new HashMap<>();
    flink.put("s3.access-key", Servers.s3().accessKey());
    flink.put("s3.secret-key", Servers.s3().secretKey());
    flink.put("s3.endpoint", Servers.s3().endpoint());
    flink.put("s3.path-style-access", "true");
    flink.put("flink.hadoop.fs.s3a.endpoint.region", "us-east-1");

    try (BlobStore found = Servers.openS3(flink)) {
      assertThat(found.find(blob.uri())).contains(blob);
    }
  }

  @Test
  void aBucketThatIsNotThereIsNotFound() throws IOException {
    URI nowhere = URI.create("s3a://no-such-bucket/x");

    try (BlobStore other =
        new S3StoreProvider().open(nowhere, new StoreContext(Servers.s3().hadoopProperties()))) {
      assertThatThrownBy(() -> other.list(nowhere))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("no such bucket");
    }
  }

  @Test
  void aServerThatIsAwayIsUnavailableSoonAndOpeningDoesNotWaitForIt() throws IOException {
    Map<String, String> away = new HashMap<>(Servers.s3().hadoopProperties());
    away.put("fs.s3a.endpoint", "http://127.0.0.1:1");

    try (BlobStore nobody = Servers.openS3(away)) {
      long begin = System.nanoTime();
      assertKind(Kind.UNAVAILABLE, () -> nobody.list(Servers.s3Uri(prefix)));
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(60));
    }
  }

  @Test
  void aServerThatDoesNotAnswerIsATimeout() {
    ResilientStore impatient =
        ResilientStore.over(
            store,
            ImmutableResilienceSettings.builder()
                .attempts(1)
                .callTimeout(Duration.ofMillis(500))
                .build(),
            StoreTime.system(),
            ResilienceListener.none());
    Servers.s3().fault("kind=DELAY op=GET times=1000 millis=3000");

    assertKind(Kind.TIMEOUT, () -> Servers.read(impatient, blob));
  }

  /** A request's timer in the SDK would outlive the client, with its thread, until it strikes. */
  @ParameterizedTest
  @ValueSource(strings = {"HEAD", "LIST", "GET", "PUT"})
  void aStoreThatIsClosedDuringARequestLeavesNoThread(String operation) throws Exception {
    Path file = Files.write(temporary.resolve("to-publish"), content);
    Set<Thread> before = threadsOfTimers();
    ResilientStore closing =
        ResilientStore.over(
            Servers.openS3(),
            ImmutableResilienceSettings.builder().build(),
            StoreTime.system(),
            ResilienceListener.none());
    closing.find(blob.uri());
    Call call =
        switch (operation) {
          case "HEAD" -> () -> closing.find(blob.uri());
          case "LIST" -> () -> closing.list(Servers.s3Uri(prefix));
          case "GET" -> () -> Servers.read(closing, blob);
          default -> () -> closing.publish(file, Servers.s3Uri(prefix + "/published"));
        };
    // Longer than close() waits: nothing but the client's end ends it.
    Servers.s3().fault("kind=DELAY op=" + operation + " times=1000 millis=20000");
    long sent = Servers.s3().requests(operation);
    FutureTask<Boolean> request =
        new FutureTask<>(
            () -> {
              call.run();
              return true;
            });
    Thread requester = new Thread(request);
    requester.start();
    await().atMost(Duration.ofSeconds(60)).until(() -> Servers.s3().requests(operation) > sent);

    assertThat(threadsOfTimers()).anyMatch(thread -> thread.getName().equals("leat-s3-timers"));
    closing.close();

    requester.join(60_000);
    assertThat(requester.isAlive()).isFalse();
    assertThatThrownBy(request::get).hasRootCauseInstanceOf(CancellationException.class);
    await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(threadsOfTimers()).isSubsetOf(before));
  }

  private static Set<Thread> threadsOfTimers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().matches("sdk-.*|leat-s3-timers"))
        .collect(Collectors.toSet());
  }
}
