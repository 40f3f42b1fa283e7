package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.ErrorCode;
import dev.leat.Guard;
import dev.leat.LeatException;
import dev.leat.VersionRetention;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionStatistics;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.store.Stores;
import dev.leat.it.engine.RealServers.Customer;
import dev.leat.it.engine.RealServers.Task;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineOnRealServersIT {
  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir static Path scratch;
  private static RealServers servers;

  @TempDir Path disk;
  @TempDir Path otherDisk;
  private Task task;

  @BeforeAll
  static void start() {
    servers = RealServers.start(scratch);
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  @BeforeEach
  void begin() {
    task = new Task(RealServers.credentials(), disk);
  }

  @AfterEach
  void end() {
    task.close();
    servers.s3().run("heal");
  }

  private static void assertServes(DimensionService<Long, Customer> service, long id, String name) {
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      assertThat(reader.find(id)).isEqualTo(new Customer(id, name + " " + id));
    }
  }

  private static DimensionStatistics.Tier tier(DimensionService<?, ?> service, String name) {
    return service.statistics().tiers().get(name);
  }

  // ---- published and reused ------------------------------------------------------------------

  private static BlobStore alluxioStore() throws IOException {
    return Stores.open(URI.create(servers.masterUri() + "/"), new StoreContext(Map.of()));
  }

  private static List<Blob> published(String dimension) throws IOException {
    try (BlobStore store = alluxioStore()) {
      return store.list(URI.create(servers.masterUri() + "/leat/indexes/" + dimension + "/"));
    }
  }

  private static void awaitPublication(String dimension) {
    await()
        .atMost(SOON)
        .until(
            () ->
                published(dimension).stream()
                        .anyMatch(blob -> blob.uri().getPath().endsWith("/manifest.json"))
                    && published(dimension).stream()
                        .noneMatch(blob -> blob.uri().getPath().endsWith(".lease")));
  }

  @Test
  void theFirstProcessBuildsThroughAlluxioTheSecondFetchesAndARestartReadsAManifest()
      throws Exception {
    servers.put("shared/part-0", 0, 20_000, "first");
    servers.put("shared/part-1", 20_000, 40_000, "first");
    DimensionService<Long, Customer> builder =
        task.open(RealServers.request(servers.dimension("shared"), disk, servers.tier()));
    assertServes(builder, 39_999, "first");
    assertThat(builder.statistics().loads().built()).isEqualTo(1);
    assertThat(tier(builder, "alluxio").hits()).isEqualTo(2);
    assertThat(tier(builder, "source").bytes()).isZero();
    awaitPublication("shared");
    long gets = servers.requests("GET");

    String second = OtherProcess.run(servers, "s3a://lake/shared/", "shared", otherDisk, 20_000);
    assertThat(second)
        .isEqualTo(
            "built=0 fetched=1 reused=0 sourceBytes=0 row=Customer[id=20000, name=first 20000] exit=0");
    String restarted = OtherProcess.run(servers, "s3a://lake/shared/", "shared", otherDisk, 7);
    assertThat(restarted)
        .isEqualTo(
            "built=0 fetched=0 reused=1 sourceBytes=0 row=Customer[id=7, name=first 7] exit=0");
    assertThat(servers.requests("GET")).isEqualTo(gets);
  }

  @Test
  void aDamagedPublishedIndexIsBuiltAndPublishedAnew() throws Exception {
    servers.put("damaged/part-0", 0, 5_000, "good");
    DimensionService<Long, Customer> builder =
        task.open(RealServers.request(servers.dimension("damaged"), disk, servers.tier()));
    awaitPublication("damaged");
    builder.close();
    Blob shard =
        published("damaged").stream()
            .filter(blob -> !blob.uri().getPath().endsWith("/manifest.json"))
            .max(java.util.Comparator.comparingLong(Blob::length))
            .orElseThrow();
    damage(shard);

    DimensionService<Long, Customer> other =
        task.open(RealServers.request(servers.dimension("damaged"), otherDisk, servers.tier()));
    assertServes(other, 4_999, "good");
    assertThat(other.statistics().loads().built()).isEqualTo(1);
    assertThat(tier(other, "alluxio").damaged()).isEqualTo(1);
    awaitPublication("damaged");
    String third =
        OtherProcess.run(
            servers, "s3a://lake/damaged/", "damaged", scratch.resolve("third"), 4_999);
    assertThat(third).contains("fetched=1").contains("name=good 4999");
  }

  private static void damage(Blob shard) throws IOException {
    byte[] content = new byte[(int) shard.length()];
    try (BlobStore store = alluxioStore()) {
      try (BlobReader reader = store.open(shard)) {
        reader.readFully(0, content, 0, content.length);
      }
      content[content.length / 2] ^= 1;
      store.publish(
          Files.write(Files.createTempFile(scratch, "damaged", null), content), shard.uri());
    }
  }

  @Test
  void oldVersionsAreWithdrawnAsTheRetentionSays() throws Exception {
    servers.put("retained/part-0", 0, 100, "version 0");
    DimensionService<Long, Customer> service =
        task.open(
            RealServers.request(servers.dimension("retained"), disk, servers.tier())
                .with(VersionRetention.keep(2).forAtLeast(Duration.ZERO)));
    List<String> versions = new ArrayList<>();
    for (int i = 1; i <= 4; i++) {
      awaitPublication("retained");
      servers.put("retained/part-0", 0, 100, "version " + i);
      task.refresh(service);
      versions.add(service.statistics().served().orElseThrow().version().id());
      await().atMost(SOON).until(() -> manifests("retained").contains(versions.get(versions.size() - 1)));
    }
    await().atMost(SOON).until(() -> manifests("retained").equals(Set.copyOf(versions.subList(2, 4))));
    assertServes(service, 99, "version 4");
  }

  @Test
  void aShrunkTableIsHeldBackUntilAFileInAlluxioAcceptsIt() throws Exception {
    servers.put("shrunk/part-0", 0, 1_000, "old");
    DimensionService<Long, Customer> service =
        task.open(
            RealServers.request(servers.dimension("shrunk"), disk, servers.tier())
                .with(Guard.standard().maxShrink(0.5)));
    awaitPublication("shrunk");
    servers.put("shrunk/part-0", 0, 10, "new");
    task.refresh(service);
    assertServes(service, 999, "old");
    String held = service.statistics().loads().heldBack().orElseThrow();
    assertThat(manifests("shrunk")).doesNotContain(held);
    long gets = servers.requests("GET");

    try (BlobStore store = alluxioStore()) {
      store.publishIfAbsent(
          new byte[0],
          URI.create(servers.masterUri() + "/leat/indexes/shrunk/" + held + ".accepted"));
    }
    task.refresh(service);
    await().atMost(SOON).until(() -> manifests("shrunk").contains(held));
    assertServes(service, 9, "new");
    assertThat(service.statistics().served().orElseThrow().rows()).isEqualTo(10);
    assertThat(servers.requests("GET")).as("the index is not built again").isEqualTo(gets);
  }

  private static Set<String> manifests(String dimension) throws IOException {
    return published(dimension).stream()
        .map(blob -> blob.uri().getPath())
        .filter(path -> path.endsWith("/manifest.json"))
        .map(path -> path.replaceFirst("/manifest.json$", "").replaceFirst(".*/", ""))
        .collect(Collectors.toSet());
  }

  @Test
  void aDamagedLocalIndexIsFetchedAnewAndNeverGivesAWrongRow() throws Exception {
    servers.put("scribbled/part-0", 0, 5_000, "good");
    DimensionService<Long, Customer> service =
        task.open(RealServers.request(servers.dimension("scribbled"), disk, servers.tier()));
    awaitPublication("scribbled");
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      scribble(disk.resolve("scribbled").resolve(reader.version().id()));
      for (long id = 0; id < 5_000; id++) {
        assertThat(reader.find(id)).isEqualTo(new Customer(id, "good " + id));
      }
    }
    assertThat(service.statistics().loads().fetched()).isEqualTo(1);
    assertThat(tier(service, "local-disk").damaged()).isEqualTo(1);
  }

  private static void scribble(Path index) throws IOException {
    try (Stream<Path> files = Files.list(index)) {
      for (Path file : files.filter(each -> !each.endsWith("manifest.json")).toList()) {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
          for (long at = channel.size() / 4; at < channel.size(); at += 7) {
            channel.write(ByteBuffer.wrap(new byte[] {(byte) 0xA5}), at);
          }
        }
      }
    }
  }

  // ---- a source that changes -----------------------------------------------------------------

  @Test
  void staleMetadataOfAlluxioNeverServesOldBytes() throws Exception {
    servers.put("stale/part-0", 0, 1_000, "old");
    DimensionService<Long, Customer> service =
        task.open(RealServers.request(servers.dimension("stale"), disk, servers.tier()));
    assertServes(service, 1, "old");
    servers.alluxio().run("load /s3/lake/stale/part-0");
    for (String name : List.of("new", "abc", "xyz")) {
      // As long as before, so that nothing but the content's tag tells.
      servers.put("stale/part-0", 0, 1_000, name);
      task.refresh(service);
      assertServes(service, 1, name);
      assertServes(service, 999, name);
    }
    assertThat(service.statistics().loads().built()).isEqualTo(4);
  }

  @Test
  void aSourceThatIsOverwrittenWhileItIsReadIsReadAgain() throws Exception {
    servers.put("moving/part-0", 0, 1_000, "old");
    servers.put("moving/part-1", 1_000, 2_000, "old");
    servers.s3().run("fault kind=DELAY op=GET times=1 millis=3000 key=moving/part-1");
    long gets = servers.requests("GET");
    DimensionService<Long, Customer> service =
        task.begin(RealServers.request(servers.dimension("moving"), disk));
    await().atMost(SOON).until(() -> servers.requests("GET") >= gets + 2);
    servers.put("moving/part-0", 0, 1_000, "new");
    servers.put("moving/part-1", 1_000, 2_000, "new");
    service.awaitFirstVersion();
    assertServes(service, 1, "new");
    assertServes(service, 1_999, "new");
    assertThat(task.events(DimensionEvent.SourceChangedWhileReading.class)).isNotEmpty();
  }

  // ---- faults --------------------------------------------------------------------------------

  @Test
  void whileAlluxioIsDownTheSourceServesAndTheHealedAlluxioIsUsedAgain() throws Exception {
    servers.put("outage/part-0", 0, 1_000, "one");
    DimensionService<Long, Customer> service =
        task.open(RealServers.request(servers.dimension("outage"), disk, servers.tier()));
    assertServes(service, 1, "one");
    awaitPublication("outage");
    try {
      servers.alluxio().run("stop worker");
      servers.put("outage/part-0", 0, 1_000, "two");
      task.refresh(service);
      assertServes(service, 1, "two");
      await().atMost(SOON).until(() -> tier(service, "alluxio").fallbacks() > 0);
      assertThat(task.events(DimensionEvent.TierDegraded.class)).isNotEmpty();

      servers.alluxio().run("stop master");
      servers.put("outage/part-0", 0, 1_000, "three");
      task.refresh(service);
      assertServes(service, 1, "three");
      assertThat(tier(service, "source").bytes()).isPositive();
      assertThat(service.statistics().loads().failures()).isZero();

      // A process that starts during the outage builds from the source.
      try (Task late = new Task(RealServers.credentials(), otherDisk)) {
        assertServes(
            late.open(RealServers.request(servers.dimension("outage"), otherDisk, servers.tier())),
            1,
            "three");
      }
    } finally {
      servers.alluxio().run("start master");
      servers.alluxio().run("start worker");
    }
    await()
        .atMost(Duration.ofMinutes(3))
        .until(
            () -> {
              task.refresh(service);
              return !task.events(DimensionEvent.TierHealed.class).isEmpty();
            });
    String current = service.statistics().served().orElseThrow().version().id();
    await()
        .atMost(SOON)
        .until(
            () ->
                published("outage").stream()
                    .anyMatch(blob -> blob.uri().getPath().endsWith(current + "/manifest.json")));
    servers.put("outage/part-0", 0, 1_000, "four");
    long hits = tier(service, "alluxio").hits();
    task.refresh(service);
    assertServes(service, 1, "four");
    assertThat(tier(service, "alluxio").hits()).isGreaterThan(hits);
  }

  @Test
  void aThrottledSourceIsBackedOffAndTheOldVersionServes() throws Exception {
    servers.put("throttled/part-0", 0, 1_000, "old");
    DimensionService<Long, Customer> service =
        task.open(RealServers.request(servers.dimension("throttled"), disk));
    servers.put("throttled/part-0", 0, 1_000, "new");
    servers.s3().run("fault kind=SLOW_DOWN op=LIST times=1000000");
    task.refresh(service);
    assertThat(service.statistics().loads().failuresInARow()).isEqualTo(1);
    assertThat(service.statistics().loads().latestFailure().orElseThrow()).contains("slow down");
    assertServes(service, 1, "old");
    assertThat(service.statistics().served().orElseThrow().age()).isEqualTo(RealServers.INTERVAL);

    servers.s3().run("heal");
    task.refresh(service);
    assertServes(service, 1, "new");
    await().atMost(SOON).until(() -> service.statistics().loads().failuresInARow() == 0);
  }

  @Test
  void aFewThrottledRequestsAreNoFailure() throws Exception {
    servers.put("bursts/part-0", 0, 1_000, "good");
    servers.s3().run("fault kind=SLOW_DOWN op=LIST times=2");
    servers.s3().run("fault kind=SLOW_DOWN op=GET times=2 key=bursts/");
    DimensionService<Long, Customer> service =
        task.open(RealServers.request(servers.dimension("bursts"), disk));
    assertServes(service, 1, "good");
    assertThat(service.statistics().loads().failures()).isZero();
  }

  @Test
  void aConnectionThatBreaksInTheMiddleOfAFileLosesNoRow() throws Exception {
    servers.put("broken/part-0", 0, 50_000, "good");
    servers.s3().run("fault kind=RESET op=GET times=2 afterBytes=100000 key=broken/");
    DimensionService<Long, Customer> service =
        task.open(RealServers.request(servers.dimension("broken"), disk));
    assertServes(service, 0, "good");
    assertServes(service, 49_999, "good");
    assertThat(service.statistics().served().orElseThrow().rows()).isEqualTo(50_000);
    assertThat(service.statistics().served().orElseThrow().duplicateKeys()).isZero();
  }

  @Test
  void wrongCredentialsAreOneError() throws Exception {
    servers.put("secret/part-0", 0, 10, "good");
    try (Task stranger =
        new Task(
            Map.of("fs.s3a.access.key", "test-access-key", "fs.s3a.secret.key", "wrong-secret"),
            disk)) {
      assertFails(stranger, "secret", ErrorCode.ACCESS_DENIED);
    }
  }

  @Test
  void anEmptyLocationIsOneError() {
    assertFails(task, "nothing-here", ErrorCode.SOURCE_NOT_FOUND);
  }

  private void assertFails(Task where, String key, ErrorCode code) {
    assertThatThrownBy(
            () -> where.open(RealServers.request(servers.dimension(key), disk, servers.tier())))
        .isInstanceOfSatisfying(LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(code))
        .hasMessageContaining("s3a://lake/" + key)
        .hasMessageNotContaining("wrong-secret");
  }
}
