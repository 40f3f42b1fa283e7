package dev.leat.it.engine;

import static org.awaitility.Awaitility.await;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.alluxio.Alluxio;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionListener;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.s3.S3;
import dev.leat.spi.CacheTier;
import dev.leat.testserver.ServerKind;
import dev.leat.testserver.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

/** A bucket on an S3 server, mounted in Alluxio, and what a task would know of them. */
final class RealServers implements AutoCloseable {
  static final Duration INTERVAL = Duration.ofMinutes(10);
  private static final String BUCKET = "lake";

  private final TestServer s3;
  private final TestServer alluxio;
  private final Path scratch;

  /** A row of the tables that the tests write. */
  record Customer(long id, String name) {}

  private RealServers(TestServer s3, TestServer alluxio, Path scratch) {
    this.s3 = s3;
    this.alluxio = alluxio;
    this.scratch = scratch;
  }

  static RealServers start(Path scratch) {
    return start(scratch, Map.of());
  }

  /** The same with properties of Alluxio's servers. */
  static RealServers start(Path scratch, Map<String, String> alluxioProperties) {
    TestServer s3 = TestServer.of(ServerKind.S3).with("buckets", BUCKET).start();
    try {
      TestServer.Builder alluxio =
          TestServer.of(ServerKind.ALLUXIO)
              .with("mount./s3/" + BUCKET, "s3://" + BUCKET + "/")
              .with("s3.endpoint", s3.property("endpoint"))
              .with("s3.accessKey", "test-access-key")
              .with("s3.secretKey", "test-secret-key");
      alluxioProperties.forEach(alluxio::with);
      return new RealServers(s3, alluxio.start(), scratch);
    } catch (RuntimeException e) {
      s3.close();
      throw e;
    }
  }

  TestServer s3() {
    return s3;
  }

  TestServer alluxio() {
    return alluxio;
  }

  String masterUri() {
    return "alluxio://localhost:" + alluxio.property("masterPort");
  }

  Alluxio tier() {
    return Alluxio.at(masterUri()).mapping("s3a://" + BUCKET, "/s3/" + BUCKET);
  }

  /** Writes an object of rows {@code from|name from} up to but not including {@code to}. */
  void put(String key, int from, int to, String name) throws IOException {
    Path file =
        Files.writeString(Files.createTempFile(scratch, "rows", ".txt"), rows(from, to, name));
    s3.run("put " + BUCKET + " " + file + " " + key);
  }

  static String rows(int from, int to, String name) {
    StringBuilder rows = new StringBuilder();
    for (int i = from; i < to; i++) {
      rows.append(i).append('|').append(name).append(' ').append(i).append('\n');
    }
    return rows.toString();
  }

  void delete(String key) {
    s3.run("delete " + BUCKET + " " + key);
  }

  /** How many requests of a kind have come to the S3 server. */
  long requests(String operation) {
    return Stream.of(s3.run("operations").split(" ", -1))
        .filter(each -> each.startsWith(operation + "="))
        .mapToLong(each -> Long.parseLong(each.substring(operation.length() + 1)))
        .sum();
  }

  static Map<String, String> credentials() {
    return Map.of("fs.s3a.access.key", "test-access-key", "fs.s3a.secret.key", "test-secret-key");
  }

  /** A dimension over the objects below a key of the bucket, named after the key. */
  Dimension<Long, Customer> dimension(String key) {
    return dimension("s3a://" + BUCKET + "/" + key + "/", key, s3.property("endpoint"));
  }

  static Dimension<Long, Customer> dimension(String location, String name, String endpoint) {
    return Dimension.named(name)
        .at(location, S3.settings().endpoint(endpoint).region("us-east-1").pathStyleAccess())
        .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name"))
        .keyedBy(Long.class, "id");
  }

  static ServiceRequest<Long, Customer> request(
      Dimension<Long, Customer> dimension, Path disk, CacheTier... tiers) {
    return request(dimension, Staleness.serveForever(), disk, tiers);
  }

  static ServiceRequest<Long, Customer> request(
      Dimension<Long, Customer> dimension, Staleness staleness, Path disk, CacheTier... tiers) {
    List<CacheTier> all = new ArrayList<>(List.of(LocalDisk.at(disk)));
    all.addAll(List.of(tiers));
    return new ServiceRequest<>(
        dimension, DuplicateKeys.KEEP_LAST, all, Refresh.every(INTERVAL).withJitter(0), staleness);
  }

  @Override
  public void close() {
    alluxio.close();
    s3.close();
  }

  /** A task of a job: its services, its clock that is moved by hand, and the events it got. */
  static final class Task implements AutoCloseable {
    private final HandClock clock = new HandClock();
    private final Opener opener;
    private final List<DimensionEvent> events = new CopyOnWriteArrayList<>();
    private final Map<String, String> properties;
    private final Path temporary;
    private final List<DimensionService<?, ?>> opened = new ArrayList<>();

    /** Acquires a service and has it tell a listener. */
    @FunctionalInterface
    interface Opener {
      DimensionService<Long, Customer> open(
          ServiceRequest<Long, Customer> request,
          ServiceEnvironment environment,
          DimensionListener listener);
    }

    Task(Map<String, String> properties, Path temporary) {
      this(
          properties,
          temporary,
          (request, environment, listener) -> {
            DimensionService<Long, Customer> service =
                DimensionServices.acquire(request, environment);
            service.addListener(listener);
            return service;
          });
    }

    Task(Map<String, String> properties, Path temporary, Opener opener) {
      this.opener = opener;
      this.properties = properties;
      this.temporary = temporary;
    }

    DimensionService<Long, Customer> begin(ServiceRequest<Long, Customer> request) {
      DimensionService<Long, Customer> service =
          opener.open(request, new ServiceEnvironment(properties, temporary, clock), events::add);
      opened.add(service);
      return service;
    }

    DimensionService<Long, Customer> open(ServiceRequest<Long, Customer> request)
        throws InterruptedException {
      DimensionService<Long, Customer> service = begin(request);
      service.awaitFirstVersion();
      return service;
    }

    /** Lets the refresh interval pass and waits for the outcome of the look that follows. */
    void refresh(DimensionService<?, ?> service) {
      long before = looks(service);
      clock.move(INTERVAL);
      await().atMost(Duration.ofMinutes(4)).until(() -> looks(service) > before);
    }

    /** Lets time pass, or sets the clock back. */
    void moveClock(Duration by) {
      clock.move(by);
    }

    private static long looks(DimensionService<?, ?> service) {
      var loads = service.statistics().loads();
      return loads.loads() + loads.failures() + loads.unchanged();
    }

    <E extends DimensionEvent> List<E> events(Class<E> type) {
      return events.stream().filter(type::isInstance).map(type::cast).toList();
    }

    @Override
    public void close() {
      opened.forEach(DimensionService::close);
    }
  }

  private static final class HandClock extends Clock {
    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    void move(Duration by) {
      now = now.plus(by);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("this clock knows UTC only, not " + zone);
    }
  }
}
