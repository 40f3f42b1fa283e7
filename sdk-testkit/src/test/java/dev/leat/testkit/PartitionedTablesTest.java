package dev.leat.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.DuplicateKeys;
import dev.leat.Partitions;
import dev.leat.Refresh;
import dev.leat.RowFilter;
import dev.leat.Staleness;
import dev.leat.event.DimensionStatistics;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.ServiceRequest;
import dev.leat.testkit.junit5.LeatTestKit;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Partitioned tables through Leat's real adapters of S3 and Alluxio. */
class PartitionedTablesTest {
  private static final Column HOUR = new Column("hour", ColumnType.TIMESTAMP);
  private static final Column COUNTRY = new Column("country", ColumnType.STRING);

  @RegisterExtension final LeatTestKit kit = LeatTestKit.create();

  @BeforeEach
  void table() {
    kit.s3().put("prices/country=DE/hour=2024-03-01 10%3A00%3A00/part-0", "1|10\n");
    kit.s3().put("prices/country=CH %2F Zürich/hour=2024-03-01 11%3A00%3A00/part-0", "2|20\n");
    kit.s3().put("prices/country=FR/hour=2024-03-01 11%3A00%3A00/part-0", "3|30\n");
    kit.s3().put("prices/_SUCCESS", "");
  }

  @Test
  void directoriesOfABucketAreFoundWhateverCharactersTheirNamesHave() throws Exception {
    DimensionService<DimensionKey, DimensionRow> service = open(kit.s3().uri("prices/").toString());
    try (service;
        DimensionReader<DimensionKey, DimensionRow> reader = service.reader()) {
      assertThat(reader.find(DimensionKey.of(1)).value("hour"))
          .isEqualTo(LocalDateTime.of(2024, 3, 1, 10, 0));
      assertThat(reader.find(DimensionKey.of(2)).value("country")).isEqualTo("CH / Zürich");
      assertThat(reader.find(DimensionKey.of(3))).as("of a partition that is pruned").isNull();
    }
    assertThat(kit.s3().operations().count("LIST"))
        .as("one listing before and one after the reading find all partitions")
        .isEqualTo(2);
  }

  @Test
  void theSameTableIsReadThroughAlluxioWhereItIsMounted() throws Exception {
    String location = kit.alluxio().uri() + kit.alluxio().mountPath() + "/prices/";
    DimensionService<DimensionKey, DimensionRow> service = open(location);
    try (service;
        DimensionReader<DimensionKey, DimensionRow> reader = service.reader()) {
      assertThat(reader.find(DimensionKey.of(2)).value("price")).isEqualTo(20);
      assertThat(reader.find(DimensionKey.of(3))).isNull();
      DimensionStatistics.Tier alluxio = service.statistics().tiers().get("alluxio");
      assertThat(alluxio.hits()).as("files that came from Alluxio").isEqualTo(2);
    }
  }

  private DimensionService<DimensionKey, DimensionRow> open(String location)
      throws InterruptedException {
    Dimension<DimensionKey, DimensionRow> prices =
        Dimension.named("prices")
            .at(location)
            .partitionedBy(Partitions.inDirectories(COUNTRY, HOUR))
            .rows(
                List.of(
                    new Column("id", ColumnType.INT),
                    new Column("price", ColumnType.INT),
                    COUNTRY,
                    HOUR),
                DelimitedText.separatedBy('|').columns("id", "price"))
            .keyedBy("id")
            .where(RowFilter.column("country").notEqualTo("FR"));
    DimensionService<DimensionKey, DimensionRow> service =
        DimensionServices.acquire(
            new ServiceRequest<>(
                prices,
                DuplicateKeys.KEEP_LAST,
                List.of(kit.localDisk(), kit.alluxio().tier()),
                Refresh.never(),
                Staleness.serveForever()),
            new ServiceEnvironment(Map.of(), kit.directory(), Clock.systemUTC()));
    service.awaitFirstVersion();
    return service;
  }
}
