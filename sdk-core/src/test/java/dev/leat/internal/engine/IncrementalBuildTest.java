package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.MalformedRows;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionEvent.FilesReused;
import dev.leat.event.DimensionStatistics;
import dev.leat.format.DelimitedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a table change; what is built then has the bytes of a build from nothing. */
class IncrementalBuildTest {
  @TempDir Path table;
  @TempDir Path disks;
  private final List<DimensionEvent> events = new CopyOnWriteArrayList<>();
  private int fullBuilds;

  record Customer(long id, String name, int age) {}

  private void write(String file, int from, int to, String name) throws IOException {
    StringBuilder rows = new StringBuilder("id|name|age\n");
    for (int i = from; i < to; i++) {
      rows.append(i)
          .append('|')
          .append(name)
          .append(' ')
          .append(i % 50)
          .append('|')
          .append(i % 9 == 0 ? "old" : i % 100)
          .append('\n');
    }
    Files.writeString(table.resolve(file), rows);
  }

  private DimensionStatistics build(Path disk) throws Exception {
    Dimension<Long, Customer> customers =
        Dimension.named("customers")
            .at(table.toUri().toString())
            .rows(
                Customer.class,
                DelimitedText.separatedBy('|').columns("id", "name", "age").skipHeaderLines(1))
            .keyedBy(Long.class, "id")
            .malformedRows(MalformedRows.skip());
    ServiceRequest<Long, Customer> request =
        new ServiceRequest<>(
            customers,
            DuplicateKeys.KEEP_LAST,
            List.of(LocalDisk.at(disk)),
            Refresh.never(),
            Staleness.serveForever());
    ServiceEnvironment environment = new ServiceEnvironment(Map.of(), disk, Clock.systemUTC());
    try (DimensionService<Long, Customer> service =
        DimensionServices.acquire(request, environment)) {
      service.addListener(events::add);
      service.awaitFirstVersion();
      assertThat(service.statistics().loads().building()).isEmpty();
      return service.statistics();
    }
  }

  /** Builds with what earlier builds have recorded, and from nothing, and compares the bytes. */
  private void assertReuses(String what, int files, Path... read) throws Exception {
    DimensionStatistics incremental = build(disks.resolve("kept"));
    DimensionStatistics full = build(disks.resolve("full" + ++fullBuilds));
    String version = full.served().orElseThrow().version().id();
    assertThat(incremental.served().orElseThrow().version().id()).isEqualTo(version);
    assertThat(index("kept", version).equals(index("full" + fullBuilds, version)))
        .as("%s: the index is that of a full build", what)
        .isTrue();
    assertThat(incremental.loads().reusedFiles()).as(what).isEqualTo(files);
    assertThat(full.loads().reusedFiles()).isZero();
    long bytes = sizeOf(read);
    // Of the files that are read, the header line once more, and of the first file, for the
    // columns.
    assertThat(incremental.tiers().get("source").bytes()).as(what).isBetween(bytes, bytes + 20_000);
    assertThat(full.tiers().get("source").bytes()).isGreaterThan(4 * 60_000);
  }

  private TreeMap<String, String> index(String disk, String version) throws IOException {
    TreeMap<String, String> content = new TreeMap<>();
    try (Stream<Path> files =
        Files.list(disks.resolve(disk).resolve("customers").resolve(version))) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        content.put(
            String.valueOf(file.getFileName()), HexFormat.of().formatHex(Files.readAllBytes(file)));
      }
    }
    return content;
  }

  @Test
  void onlyFilesThatHaveChangedAreReadAndTheIndexIsThatOfAFullBuild() throws Exception {
    for (int i = 0; i < 5; i++) {
      write("part-" + i, i * 4000, (i + 1) * 4000, "first");
    }
    assertReuses("the first build", 0, files());
    write("part-5", 19_000, 23_000, "added");
    assertReuses("a file was added", 5, table.resolve("part-5"));
    FilesReused told =
        (FilesReused)
            events.stream().filter(FilesReused.class::isInstance).findFirst().orElseThrow();
    assertThat(told.files()).isEqualTo(5);
    assertThat(told.totalFiles()).isEqualTo(6);
    assertThat(told.rows()).isEqualTo(20_000);
    write("part-2", 8000, 12_500, "changed");
    assertReuses("a file has changed", 5, table.resolve("part-2"));
    Files.delete(table.resolve("part-0"));
    assertReuses("a file was deleted", 5);
    Files.move(table.resolve("part-1"), table.resolve("part-9"));
    assertReuses("a file was renamed, and is the last now", 4, table.resolve("part-9"));
    Files.writeString(table.resolve("part-3"), "id|name|age\nno number|bad|1\n");
    Files.delete(table.resolve("part-4"));
    write("part-6", 0, 4000, "first");
    write("part-7", 5, 10, "more");
    assertReuses(
        "much at once",
        3,
        table.resolve("part-3"),
        table.resolve("part-6"),
        table.resolve("part-7"));
    assertThat(recordings()).as("those of files that are gone are deleted").hasSize(6);
  }

  @Test
  void damagedRecordingsAreReadAgainFromTheSource() throws Exception {
    for (int i = 0; i < 5; i++) {
      write("part-" + i, i * 4000, (i + 1) * 4000, "first");
    }
    build(disks.resolve("kept"));
    List<Path> recordings = recordings();
    assertThat(recordings).hasSize(5);
    byte[] content = Files.readAllBytes(recordings.get(0));
    content[content.length / 2] ^= 4;
    Files.write(recordings.get(0), content);
    Files.delete(recordings.get(1));
    write("part-5", 0, 10, "added");
    DimensionStatistics incremental = build(disks.resolve("kept"));
    DimensionStatistics full = build(disks.resolve("full"));
    String version = full.served().orElseThrow().version().id();
    assertThat(incremental.loads().reusedFiles()).isEqualTo(3);
    assertThat(index("kept", version).equals(index("full", version))).isTrue();
  }

  private static long sizeOf(Path... files) throws IOException {
    long bytes = 0;
    for (Path file : files) {
      bytes += Files.size(file);
    }
    return bytes;
  }

  private Path[] files() throws IOException {
    try (Stream<Path> files = Files.list(table)) {
      return files.toArray(Path[]::new);
    }
  }

  private List<Path> recordings() throws IOException {
    try (Stream<Path> files = Files.list(disks.resolve("kept/customers/recorded"))) {
      return files.sorted().toList();
    }
  }
}
