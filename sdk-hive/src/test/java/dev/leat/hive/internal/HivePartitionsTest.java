package dev.leat.hive.internal;

import static dev.leat.hive.internal.Definitions.columns;
import static dev.leat.hive.internal.Definitions.partition;
import static dev.leat.hive.internal.Definitions.read;
import static dev.leat.hive.internal.Definitions.table;
import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.spi.Blob;
import dev.leat.spi.Partition;
import dev.leat.spi.PartitionSource;
import io.trino.hive.thrift.metastore.Table;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which partitions a table of a metastore has while a job runs. */
class HivePartitionsTest {
  private static final Instant PLANNED = Instant.parse("2026-11-29T12:00:00Z");

  private final HiveTable customers = partitioned();
  private final Listing listing = new Listing();

  @Test
  void thoseThatTheMetastoreHasAreThereWhereverTheyLie() throws Exception {
    HivePartitions partitions =
        of(partition("s3a://lake/customers/dt=1", "1"), partition("s3a://elsewhere/two", "2"));

    assertThat(partitions.partitions(listing))
        .extracting(Partition::location)
        .containsExactly(
            URI.create("s3a://lake/customers/dt=1"), URI.create("s3a://elsewhere/two"));
  }

  @Test
  void onlyAFormatThatIsNotTheTablesIsTheirOwn() throws Exception {
    io.trino.hive.thrift.metastore.Partition other = partition("s3a://lake/customers/dt=2", "2");
    other.getSd().getSerdeInfo().getParameters().put("field.delim", ";");

    assertThat(of(partition("s3a://lake/customers/dt=1", "1"), other).partitions(listing))
        .extracting(each -> each.format().isPresent())
        .containsExactly(false, true);
  }

  @Test
  void aDirectoryThatIsWrittenAfterPlanningIsANewPartition() throws Exception {
    listing.add("dt=1/part-0", PLANNED.minus(Duration.ofDays(3)));
    listing.add("dt=2/part-0", PLANNED.plusSeconds(60));
    listing.add("dt=__HIVE_DEFAULT_PARTITION__/part-0", PLANNED.plusSeconds(60));

    HivePartitions partitions = of(partition("s3a://lake/customers/dt=1", "1"));

    assertThat(partitions.partitions(listing))
        .extracting(Partition::values)
        .containsExactlyInAnyOrder(
            List.of("1"), List.of("2"), Collections.<String>singletonList(null));
    assertThat(partitions.withoutNewOnes().partitions(listing))
        .extracting(Partition::values)
        .containsExactly(List.of("1"));
  }

  @Test
  void aDirectoryThatTheMetastoreDidNotKnowIsNone() throws Exception {
    listing.add("dt=old/part-0", PLANNED.minus(Duration.ofHours(2)));
    listing.add("dt=just-now/part-0", PLANNED.minus(Duration.ofMinutes(5)));

    assertThat(of().partitions(listing))
        .extracting(Partition::values)
        .containsExactly(List.of("just-now"));
  }

  @Test
  void whereTheMetastoreHasAPartitionItsDirectoryIsNoOther() throws Exception {
    listing.add("dt=1/part-0", PLANNED.plusSeconds(60));

    assertThat(of(partition("s3a://elsewhere/one", "1")).partitions(listing))
        .extracting(Partition::location)
        .containsExactly(URI.create("s3a://elsewhere/one"));
  }

  @Test
  void itTravelsToTheTasksAndEqualsOneThatWasAskedForLater() throws Exception {
    HivePartitions partitions = of(partition("s3a://lake/customers/dt=1", "1"));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(partitions);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      HivePartitions copy = (HivePartitions) in.readObject();
      assertThat(copy).isEqualTo(partitions).hasSameHashCodeAs(partitions);
      assertThat(copy.partitions(listing)).isEqualTo(partitions.partitions(listing));
    }
    List<HivePartition> known =
        List.of(customers.partition(partition("s3a://lake/customers/dt=1", "1")));
    assertThat(HivePartitions.of(customers, known, PLANNED.plusSeconds(9))).isEqualTo(partitions);
    assertThat(partitions.withoutNewOnes()).isNotEqualTo(partitions);
    assertThat(partitions.definition()).isNotEqualTo(partitions.withoutNewOnes().definition());
  }

  private HivePartitions of(io.trino.hive.thrift.metastore.Partition... known) {
    List<HivePartition> partitions = new ArrayList<>();
    for (io.trino.hive.thrift.metastore.Partition each : known) {
      partitions.add(customers.partition(each));
    }
    return HivePartitions.of(customers, partitions, PLANNED);
  }

  private static HiveTable partitioned() {
    Table table = table();
    table.setPartitionKeys(columns("dt string"));
    return read(table);
  }

  /** What lies below the table's location. */
  private static final class Listing implements PartitionSource.Table {
    private final List<Blob> blobs = new ArrayList<>();

    void add(String path, Instant modified) {
      blobs.add(
          new Blob(URI.create("s3a://lake/customers/" + path), 10, Optional.of("tag"), modified));
    }

    @Override
    public URI location() {
      return URI.create("s3a://lake/customers");
    }

    @Override
    public URI locate(URI directory) {
      return directory;
    }

    @Override
    public List<Blob> list(URI directory) {
      String base = directory.toString();
      return blobs.stream()
          .filter(blob -> blob.uri().toString().startsWith(base.endsWith("/") ? base : base + "/"))
          .toList();
    }
  }
}
