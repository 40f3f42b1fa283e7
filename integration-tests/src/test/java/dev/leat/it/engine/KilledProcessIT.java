package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.alluxio.Alluxio;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.store.Stores;
import dev.leat.it.engine.RealServers.Customer;
import dev.leat.it.engine.RealServers.Task;
import dev.leat.spi.BlobStore;
import dev.leat.spi.CacheTier;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a process leaves on the disk that is killed by {@code kill -9} in the midst of something.
 */
class KilledProcessIT {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int ROWS = 5_000;

  @TempDir static Path scratch;
  private static RealServers servers;

  @TempDir Path disk;
  @TempDir Path otherDisk;

  @BeforeAll
  static void start() {
    servers = RealServers.start(scratch);
  }

  @AfterAll
  static void stop() {
    servers.close();
  }

  @AfterEach
  void heal() {
    servers.s3().run("heal");
  }

  @Test
  void whatWasBeingBuiltIsThrownAwayAndBuiltAnew() throws Exception {
    servers.put("building/part-0", 0, ROWS, "good");
    servers.put("building/part-1", ROWS, 2 * ROWS, "good");
    holdUp("building/part-1");
    try (DoomedProcess doomed = DoomedProcess.start(servers, "building", disk)) {
      awaitHalfWritten(disk, "building", doomed.pid());
      assertThat(doomed.kill()).isEqualTo(DoomedProcess.KILLED);
    }
    servers.s3().run("heal");
    assertThat(names(disk, "building")).anyMatch(name -> name.contains(".new-"));

    try (Task task = new Task(RealServers.credentials(), disk)) {
      DimensionService<Long, Customer> service =
          task.open(RealServers.request(servers.dimension("building"), disk));
      assertThat(service.statistics().loads().built()).isEqualTo(1);
      assertServes(service, 2 * ROWS, "good");
      assertNothingHalfWritten(disk, "building");
    }
  }

  @Test
  void whatWasBeingFetchedIsThrownAwayAndFetchedAnew() throws Exception {
    String root = "/s3/lake/published";
    CacheTier tier =
        Alluxio.at(servers.masterUri()).mapping("s3a://lake", "/s3/lake").indexRoot(root);
    servers.put("fetching/part-0", 0, ROWS, "good");
    try (Task task = new Task(RealServers.credentials(), disk)) {
      task.open(RealServers.request(servers.dimension("fetching"), disk, tier));
      await().atMost(SOON).until(() -> isPublished(root + "/fetching/"));
    }
    // Out of Alluxio's own storage, so that the bytes come from S3, and late.
    servers.alluxio().run("free " + root + "/fetching");
    holdUp("shard-");
    try (DoomedProcess doomed = DoomedProcess.start(servers, "fetching", otherDisk, root)) {
      awaitHalfWritten(otherDisk, "fetching", doomed.pid());
      assertThat(doomed.kill()).isEqualTo(DoomedProcess.KILLED);
    }
    servers.s3().run("heal");
    assertThat(names(otherDisk, "fetching")).anyMatch(name -> name.contains(".new-"));

    try (Task task = new Task(RealServers.credentials(), otherDisk)) {
      DimensionService<Long, Customer> service =
          task.open(RealServers.request(servers.dimension("fetching"), otherDisk, tier));
      assertThat(service.statistics().loads().fetched()).isEqualTo(1);
      assertServes(service, ROWS, "good");
      assertNothingHalfWritten(otherDisk, "fetching");
    }
  }

  @Test
  void aVersionThatWasBeingSwappedInIsReused() throws Exception {
    servers.put("swapping/part-0", 0, ROWS, "old");
    try (DoomedProcess doomed = DoomedProcess.start(servers, "swapping", disk)) {
      assertServesWhatItBuilt(doomed);
      servers.put("swapping/part-0", 0, ROWS, "new");
      doomed.refresh();
      assertThat(doomed.nextLine()).isEqualTo("ACTIVATED");
      assertThat(doomed.kill()).isEqualTo(DoomedProcess.KILLED);
    }
    assertThat(ready(disk, "swapping")).hasSize(2);

    try (Task task = new Task(RealServers.credentials(), disk)) {
      DimensionService<Long, Customer> service =
          task.open(RealServers.request(servers.dimension("swapping"), disk));
      assertThat(service.statistics().loads().reused()).isEqualTo(1);
      assertThat(service.statistics().loads().built()).isZero();
      assertServes(service, ROWS, "new");
      assertThat(names(disk, "swapping"))
          .as("nothing is claimed by the dead any more")
          .filteredOn(name -> name.contains(".use-"))
          .hasSize(1);
    }
  }

  @Test
  void whereTheBuilderIsKilledAnotherProcessOfTheHostTakesOver() throws Exception {
    servers.put("heir/part-0", 0, ROWS, "good");
    holdUp("heir/part-0");
    try (DoomedProcess builder = DoomedProcess.start(servers, "heir", disk)) {
      awaitHalfWritten(disk, "heir", builder.pid());
      try (DoomedProcess heir = DoomedProcess.start(servers, "heir", disk)) {
        await()
            .atMost(SOON)
            .until(
                () ->
                    names(disk, "heir").stream()
                        .anyMatch(name -> name.startsWith("owner-" + heir.pid() + "-")));
        assertThat(names(disk, "heir")).filteredOn(name -> name.contains(".new-")).hasSize(1);
        servers.s3().run("heal");
        assertThat(builder.kill()).isEqualTo(DoomedProcess.KILLED);
        assertServesWhatItBuilt(heir);
      }
    }
    assertThat(ready(disk, "heir")).hasSize(1);
  }

  /** The event and the waiting come back on threads of their own. */
  private static void assertServesWhatItBuilt(DoomedProcess process) throws Exception {
    assertThat(List.of(process.nextLine(), process.nextLine()))
        .containsExactlyInAnyOrder("ACTIVATED", "SERVING built=1");
  }

  // ---- the disk ------------------------------------------------------------------------------

  /** Answers to reads of the objects whose keys have this part come late. */
  private static void holdUp(String key) {
    servers.s3().run("fault kind=DELAY op=GET times=1000 millis=8000 key=" + key);
  }

  private static boolean isPublished(String path) throws IOException {
    URI directory = URI.create(servers.masterUri() + path);
    try (BlobStore store = Stores.open(directory, new StoreContext(Map.of()))) {
      List<String> paths =
          store.list(directory).stream().map(blob -> blob.uri().getPath()).toList();
      return paths.stream().anyMatch(each -> each.endsWith("/manifest.json"))
          && paths.stream().noneMatch(each -> each.endsWith(".lease"));
    }
  }

  private static void awaitHalfWritten(Path disk, String dimension, long pid) {
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(20))
        .until(
            () -> names(disk, dimension).stream().anyMatch(name -> name.contains(".new-" + pid)));
  }

  private static List<String> names(Path disk, String dimension) throws IOException {
    Path directory = disk.resolve(dimension);
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }

  private static List<String> ready(Path disk, String dimension) throws IOException {
    return names(disk, dimension).stream()
        .filter(name -> !name.contains(".new-"))
        .filter(
            name -> Files.exists(disk.resolve(dimension).resolve(name).resolve("manifest.json")))
        .toList();
  }

  private static void assertNothingHalfWritten(Path disk, String dimension) throws IOException {
    assertThat(names(disk, dimension)).noneMatch(name -> name.contains(".new-"));
  }

  private static void assertServes(
      DimensionService<Long, Customer> service, int rows, String name) {
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      for (long id = 0; id < rows; id++) {
        assertThat(reader.find(id)).isEqualTo(new Customer(id, name + " " + id));
      }
      assertThat(reader.find((long) rows)).isNull();
    }
  }
}
