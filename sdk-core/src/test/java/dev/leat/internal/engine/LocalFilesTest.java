package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.DuplicateKeys;
import dev.leat.LocalDisk;
import dev.leat.Refresh;
import dev.leat.Staleness;
import dev.leat.format.DelimitedText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole engine as a job uses it, on files of this host and on the system's clock. */
class LocalFilesTest {
  @TempDir Path table;
  @TempDir Path disk;

  record Customer(long id, String name, int age) {}

  private void write(String file, int from, int to, String name) throws IOException {
    StringBuilder rows = new StringBuilder();
    for (int i = from; i < to; i++) {
      rows.append(i)
          .append('|')
          .append(name)
          .append(' ')
          .append(i)
          .append('|')
          .append(i % 100)
          .append('\n');
    }
    // As a writer does that does not let readers see half a file.
    Path temporary = Files.writeString(table.resolve("_" + file), rows);
    Files.move(temporary, table.resolve(file));
  }

  private ServiceRequest<Long, Customer> request() {
    Dimension<Long, Customer> customers =
        Dimension.named("customers")
            .at(table.toUri().toString())
            .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name", "age"))
            .keyedBy(Long.class, "id");
    return new ServiceRequest<>(
        customers,
        DuplicateKeys.KEEP_LAST,
        List.of(LocalDisk.at(disk)),
        Refresh.every(Duration.ofMillis(100)),
        Staleness.failAfter(Duration.ofMinutes(5)));
  }

  @Test
  void aTableOfSeveralFilesIsServedRefreshedAndFoundAgainAfterARestart() throws Exception {
    write("part-0", 0, 60_000, "first");
    write("part-1", 60_000, 120_000, "first");
    ServiceEnvironment environment = new ServiceEnvironment(Map.of(), disk, Clock.systemUTC());
    try (DimensionService<Long, Customer> service =
        DimensionServices.acquire(request(), environment)) {
      service.awaitFirstVersion();
      try (DimensionReader<Long, Customer> reader = service.reader()) {
        for (long id = 0; id < 120_000; id += 7) {
          assertThat(reader.find(id)).isEqualTo(new Customer(id, "first " + id, (int) (id % 100)));
        }
        assertThat(reader.find(120_000L)).isNull();
        write("part-2", 119_000, 121_000, "second");
        Awaitility.await().until(reader::advance);
        assertThat(reader.find(118_999L)).isEqualTo(new Customer(118_999, "first 118999", 99));
        assertThat(reader.find(119_000L)).isEqualTo(new Customer(119_000, "second 119000", 0));
        assertThat(reader.find(120_999L)).isEqualTo(new Customer(120_999, "second 120999", 99));
      }
    }
    assertThat(Leftovers.mappingsBelow(disk)).isEmpty();
    assertThat(Leftovers.openFilesBelow(disk)).isEmpty();
    try (DimensionService<Long, Customer> again =
        DimensionServices.acquire(request(), environment)) {
      again.awaitFirstVersion();
      assertThat(again.statistics().loads().reused()).isEqualTo(1);
      assertThat(again.statistics().tiers().get("source").bytes()).isZero();
      assertThat(again.statistics().served().orElseThrow().rows()).isEqualTo(121_000);
    }
  }
}
