package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.ImpatientServices;
import dev.leat.it.engine.RealServers.Customer;
import dev.leat.it.engine.RealServers.Task;
import dev.leat.spi.CacheTier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults of the local disk, which is a real one here: of a full one and one that is read-only a
 * {@linkplain DiskProcess process of its own} makes use, that the operating system limits.
 */
class LocalDiskFaultsTest {
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final int ROWS = 2_000;

  @TempDir Path directory;
  private final FakeLake lake = new FakeLake();
  private Path disk;
  private Task task;

  @BeforeEach
  void begin() {
    disk = directory.resolve("disk");
    task = new Task(lake.credentials(), disk, ImpatientServices::acquire);
  }

  @AfterEach
  void end() {
    task.close();
    lake.close();
  }

  private DimensionService<Long, Customer> open(CacheTier... tiers) throws InterruptedException {
    return task.open(RealServers.request(lake.dimension("customers"), disk, tiers));
  }

  private void put(String name) {
    lake.put("customers/part-0", 0, ROWS, name);
  }

  private static void assertServes(DimensionService<Long, Customer> service, String name) {
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      for (long id = 0; id < ROWS; id++) {
        assertThat(reader.find(id)).isEqualTo(new Customer(id, name + " " + id));
      }
    }
  }

  private static void deleteAll(Path tree) throws IOException {
    try (Stream<Path> paths = Files.walk(tree)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }

  private List<DimensionEvent.RefreshFailed> failures() {
    return task.events(DimensionEvent.RefreshFailed.class);
  }

  @Test
  void aDirectoryThatIsRemovedUnderTheJobIsMadeAgainAndWhatIsServedGoesOn() throws Exception {
    put("one");
    DimensionService<Long, Customer> service = open();
    try (DimensionReader<Long, Customer> reader = service.reader()) {
      deleteAll(disk);
      assertServes(service, "one");
      task.refresh(service); // unchanged
      assertThat(failures()).isEmpty();

      deleteAll(disk);
      put("two");
      task.refresh(service);
      assertThat(failures()).isEmpty();
      assertServes(service, "two");
      assertThat(reader.find(7L)).isEqualTo(new Customer(7, "one 7"));
      assertThat(reader.advance()).isTrue();
    }
    // What was made again is a directory like the first one.
    String version = service.statistics().served().orElseThrow().version().id();
    assertThat(disk.resolve("customers").resolve(version).resolve("manifest.json")).exists();
    try (Task restarted = new Task(lake.credentials(), directory, ImpatientServices::acquire)) {
      DimensionService<Long, Customer> again =
          restarted.open(RealServers.request(lake.dimension("customers"), disk));
      assertServes(again, "two");
      assertThat(again.statistics().loads().reused()).isEqualTo(1);
    }
  }

  @Test
  void onlyTheIndexThatIsRemovedUnderTheJobIsNoFaultToItsReaders() throws Exception {
    put("one");
    DimensionService<Long, Customer> service = open();
    String version = service.statistics().served().orElseThrow().version().id();
    deleteAll(disk.resolve("customers").resolve(version));
    assertServes(service, "one");
    put("two");
    task.refresh(service);
    assertServes(service, "two");
    assertThat(failures()).isEmpty();
  }

  @Test
  void aDirectoryWhoseFilesWereReplacedByOneFileFailsTheRefreshAndNotTheJob() throws Exception {
    put("one");
    DimensionService<Long, Customer> service = open();
    deleteAll(disk);
    Files.writeString(disk, "not a directory");
    put("two");
    task.refresh(service);
    assertThat(failures()).hasSize(1);
    assertThat(failures().get(0).code()).isEqualTo(ErrorCode.DISK_UNUSABLE);
    assertServes(service, "one");

    Files.delete(disk);
    task.refresh(service);
    assertServes(service, "two");
    await().atMost(SOON).until(() -> !task.events(DimensionEvent.RefreshRecovered.class).isEmpty());
  }

  @Test
  void aDirectoryThatCannotBeMadeIsOneErrorThatSaysWhatToDo() throws Exception {
    put("one");
    Files.writeString(disk, "not a directory");
    assertThatThrownBy(() -> open())
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.DISK_UNUSABLE))
        .hasMessageContaining(disk.toString())
        .hasMessageContaining("LocalDisk.at(");
  }

  @Test
  void aDiskThatIsFullFailsTheRefreshLeavesNothingHalfWrittenAndRecovers() throws Exception {
    // The index of the large version has more bytes than a file of the process may have.
    List<String> said = DiskProcess.run(DiskProcess.Limit.FILE_SIZE, directory);
    assertThat(said)
        .containsExactly(
            "opened small",
            "full: LEAT-3003, serves small, half-written 0",
            "free: serves large, failures 0",
            "fetching: LEAT-3003, half-written 0",
            "end");
  }

  @Test
  void aDiskThatBecomesReadOnlyFailsTheRefreshAndNotTheJobAndAJobThatStartsOnItSaysSo()
      throws Exception {
    List<String> said = DiskProcess.run(DiskProcess.Limit.NO_OVERRIDE, directory);
    assertThat(said)
        .containsExactly(
            "opened small",
            "read-only: LEAT-3004, serves small",
            "starting: LEAT-3004",
            "writable: serves smaller, failures 0",
            "end");
  }
}
