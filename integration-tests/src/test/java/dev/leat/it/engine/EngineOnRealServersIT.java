package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.ErrorCode;
import dev.leat.Guard;
import dev.leat.LeatException;
import dev.leat.VersionRetention;
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
      await()
          .atMost(SOON)
          .until(() -> manifests("retained").contains(versions.get(versions.size() - 1)));
    }
    await()
        .atMost(SOON)
        .until(() -> manifests("retained").equals(Set.copyOf(versions.subList(2, 4))));
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

  @Test
  void anEmptyLocationIsOneError() {
    assertThatThrownBy(
            () ->
                task.open(
                    RealServers.request(servers.dimension("nothing-here"), disk, servers.tier())))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.SOURCE_NOT_FOUND))
        .hasMessageContaining("s3a://lake/nothing-here");
  }
}
