package dev.leat.testkit.junit5;

import static java.util.Objects.requireNonNull;

import dev.leat.LocalDisk;
import dev.leat.testkit.InMemoryAlluxio;
import dev.leat.testkit.InMemoryS3;
import dev.leat.testkit.ManualClock;
import dev.leat.testkit.flink.InMemoryKafka;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives each test an S3 bucket, an Alluxio over it, a Kafka and a local disk of its own, all in
 * memory but the disk. Each is made when it is first asked for. After the test they are closed;
 * what a job has left open then fails the test, with the place where it was opened.
 *
 * <pre>{@code
 * @RegisterExtension final LeatTestKit kit = LeatTestKit.create();
 * }</pre>
 *
 * <p>Register it in an instance field, so that tests which run at the same time share nothing.
 */
public final class LeatTestKit implements BeforeEachCallback, AfterEachCallback {
  private static final String BUCKET = "lake";

  private final ManualClock clock = ManualClock.atEpoch();

  private boolean inTest;
  private @Nullable InMemoryS3 s3;
  private @Nullable InMemoryAlluxio alluxio;
  private @Nullable InMemoryKafka kafka;
  private @Nullable Path directory;

  private LeatTestKit() {}

  /** An extension for one test instance. */
  public static LeatTestKit create() {
    return new LeatTestKit();
  }

  /** The bucket {@code lake}, empty at first. */
  public synchronized InMemoryS3 s3() {
    requireTest();
    if (s3 == null) {
      s3 = InMemoryS3.create(BUCKET);
    }
    return s3;
  }

  /** An Alluxio in which {@link #s3()} is mounted. */
  public synchronized InMemoryAlluxio alluxio() {
    requireTest();
    if (alluxio == null) {
      alluxio = InMemoryAlluxio.over(s3());
    }
    return alluxio;
  }

  /** A Kafka without topics; records get the time of {@link #clock()} where a test gives none. */
  public synchronized InMemoryKafka kafka() {
    requireTest();
    if (kafka == null) {
      kafka = InMemoryKafka.create(clock);
    }
    return kafka;
  }

  /** A local disk tier in {@link #directory()}. */
  public LocalDisk localDisk() {
    return LocalDisk.at(directory().resolve("leat"));
  }

  /** A directory that is deleted after the test. */
  public synchronized Path directory() {
    requireTest();
    if (directory == null) {
      try {
        directory = Files.createTempDirectory("leat-testkit-");
      } catch (IOException e) {
        throw new UncheckedIOException("cannot make a directory for the test", e);
      }
    }
    return directory;
  }

  /** A clock that the test moves; at first it stands at 1970-01-01T00:00:00Z. */
  public ManualClock clock() {
    return clock;
  }

  private void requireTest() {
    if (!inTest) {
      throw new IllegalStateException(
          "a LeatTestKit serves only while a test runs; register it with @RegisterExtension in an"
              + " instance field and use it in @BeforeEach or in the test");
    }
  }

  @Override
  public synchronized void beforeEach(ExtensionContext context) {
    requireNonNull(context, "context");
    if (inTest) {
      throw new IllegalStateException(
          "this LeatTestKit serves another test at the moment; register it in an instance field");
    }
    inTest = true;
  }

  /** Closes everything: Kafka first, since that waits for jobs which are ending. */
  @Override
  public synchronized void afterEach(ExtensionContext context) throws IOException {
    List<Throwable> failures = new ArrayList<>();
    close(kafka, failures);
    close(alluxio, failures);
    close(s3, failures);
    Path made = directory;
    s3 = null;
    alluxio = null;
    kafka = null;
    directory = null;
    inTest = false;
    if (made != null) {
      deleteAll(made);
    }
    if (!failures.isEmpty()) {
      AssertionError leaks =
          new AssertionError(
              failures.stream().map(Throwable::getMessage).collect(Collectors.joining("; ")),
              failures.get(0));
      failures.stream().skip(1).forEach(leaks::addSuppressed);
      throw leaks;
    }
  }

  private static void close(@Nullable AutoCloseable closeable, List<Throwable> failures) {
    if (closeable == null) {
      return;
    }
    try {
      closeable.close();
    } catch (Exception | AssertionError e) {
      failures.add(e);
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (Stream<Path> paths = Files.walk(directory)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(path);
      }
    }
  }
}
