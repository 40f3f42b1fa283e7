package dev.leat.benchmarks;

import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.event.DimensionStatistics.Loads;
import dev.leat.format.Column;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Measures the time from nothing in memory to the first version: when nothing is on the disk, and
 * when all files but one are as they were in the version before.
 */
final class ChangedFile {
  private final Dataset<?, ?> table;
  private final Path text;
  private final Path work;

  ChangedFile(Dataset<?, ?> table, Path text, Path work) {
    this.table = table;
    this.text = text;
    this.work = work;
  }

  /** Adds {@code full_build_s} and {@code one_file_changed_build_s}. */
  void measure(int round, Medians target) throws Exception {
    Path disk = work.resolve("disk-" + round);
    target.add("full_build_s", start(disk, 0));
    changeLastFile();
    target.add("one_file_changed_build_s", start(disk, files() - 1));
  }

  private double start(Path disk, long reusedFiles) throws Exception {
    long start = System.nanoTime();
    try (DimensionService<DimensionKey, DimensionRow> service =
        DimensionServices.acquire(
            new ServiceRequest<>(
                dimension(),
                DuplicateKeys.KEEP_LAST,
                List.of(LocalDisk.at(disk)),
                Refresh.never(),
                Staleness.serveForever()),
            new ServiceEnvironment(Map.of(), work.resolve("temporary"), Clock.systemUTC()))) {
      service.awaitFirstVersion();
      double seconds = (System.nanoTime() - start) / 1e9;
      Loads loads = service.statistics().loads();
      if (loads.built() != 1 || loads.reusedFiles() != reusedFiles) {
        throw new IllegalStateException(
            reusedFiles + " files were to be taken from the build before, and there is: " + loads);
      }
      return seconds;
    }
  }

  private Dimension<DimensionKey, DimensionRow> dimension() {
    return Dimension.named("customers")
        .at(text.toUri().toString())
        .rows(
            table.columns(),
            DelimitedText.separatedBy('|').columns(table.columns().toArray(Column[]::new)))
        .keyedBy(
            table.keyColumns().stream()
                .map(column -> table.columns().get(column).name())
                .toArray(String[]::new));
  }

  private long files() throws IOException {
    try (Stream<Path> files = Files.list(text)) {
      return files.count();
    }
  }

  /** The same rows, as a writer leaves them that writes the file anew. */
  private void changeLastFile() throws IOException {
    Path last;
    try (Stream<Path> files = Files.list(text)) {
      last = files.sorted().reduce((first, second) -> second).orElseThrow();
    }
    Path anew = work.resolve("anew");
    Files.copy(last, anew, StandardCopyOption.REPLACE_EXISTING);
    Files.setLastModifiedTime(
        anew,
        FileTime.from(Files.getLastModifiedTime(last).toInstant().plus(Duration.ofSeconds(1))));
    Files.move(anew, last, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
