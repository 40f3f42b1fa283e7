package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.LocalDisk;
import dev.leat.Partitions;
import dev.leat.RowFilter;
import dev.leat.Staleness;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionStatistics.Served;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.DelimitedText;
import dev.leat.spi.CacheTier;
import dev.leat.spi.Partition;
import dev.leat.spi.PartitionSource;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PartitionedDimensionTest {
  private static final String TABLE = EngineWorld.TABLE;
  private static final DelimitedText FORMAT =
      DelimitedText.separatedBy('|').columns("id", "name", "tier");
  private static final Column COUNTRY = new Column("country", ColumnType.STRING);
  private static final Column DAY = new Column("dt", ColumnType.DATE);
  private static final List<Column> COLUMNS =
      List.of(
          new Column("id", ColumnType.INT), new Column("name", ColumnType.STRING), DAY, COUNTRY);

  @TempDir Path disk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void put(String path, String text) {
    world.source.put(TABLE + path, text);
  }

  @Test
  void theValuesOfADirectorysNameAreColumnsOfTheirTypes() throws Exception {
    put("country=DE/dt=2024-02-29/a", "1|Ada|gold\n");
    put("country=DE/dt=2024-03-01/nested/b", "2|Bob|gold\n");
    put("Country=C%253A%252F%2520x/dt=2024-03-01/c", "3|Cleo|gold\n");
    put("country=__HIVE_DEFAULT_PARTITION__/dt=2024-03-01/d", "4|Dan|gold\n");
    put("country=FR/dt=today/e", "5|Eve|gold\n");
    put("country=FR/_tmp/dt=2024-03-01/f", "6|Hidden|gold\n");
    put("elsewhere/g", "7|Nobody|gold\n");
    put("h", "8|Nobody|gold\n");
    put("country=FR/i", "9|Nobody|gold\n");

    try (DimensionReader<DimensionKey, DimensionRow> reader =
        reader(Partitions.inDirectories(COUNTRY, DAY))) {
      assertRow(reader, 1, "Ada", LocalDate.of(2024, 2, 29), "DE");
      assertRow(reader, 2, "Bob", LocalDate.of(2024, 3, 1), "DE");
      assertRow(reader, 3, "Cleo", LocalDate.of(2024, 3, 1), "C:/ x");
      assertRow(reader, 4, "Dan", LocalDate.of(2024, 3, 1), null);
      assertRow(reader, 5, "Eve", null, "FR");
      for (int id = 6; id <= 9; id++) {
        assertThat(reader.find(DimensionKey.of(id))).isNull();
      }
    }
    assertThat(world.awaitEvent(DimensionEvent.RowsRejected.class).samples())
        .singleElement()
        .asString()
        .contains("column dt", "'today' is no date");
  }

  @Test
  void aPartitionColumnMayBeTheKeyAndAComponentOfARecord() throws Exception {
    record Customer(String country, String name) {}
    record Key(String country, int id) {}
    put("country=DE/a", "1|Ada|gold\n");
    put("country=FR/a", "1|Anne|gold\n");
    Dimension<Key, Customer> dimension =
        Dimension.named("customers")
            .at(TABLE)
            .partitionedBy(Partitions.inDirectories(COUNTRY))
            .rows(Customer.class, FORMAT)
            .keyedBy(Key.class, "country", "id");

    try (DimensionReader<Key, Customer> reader = world.open(request(dimension)).reader()) {
      assertThat(reader.find(new Key("FR", 1))).isEqualTo(new Customer("FR", "Anne"));
      assertThat(reader.find(new Key("DE", 1))).isEqualTo(new Customer("DE", "Ada"));
      assertThat(reader.find(new Key("IT", 1))).isNull();
    }
  }

  @Test
  void columnsOfPartitionsKeepTheirValuesWhereNoColumnOfTheFilesIsKept() throws Exception {
    record Country(String country) {}
    put("country=DE/a", "1|Ada|gold\n");
    put("country=FR/a", "2|Anne|gold\n");
    Dimension<String, Country> dimension =
        Dimension.named("countries")
            .at(TABLE)
            .partitionedBy(Partitions.inDirectories(COUNTRY))
            .rows(Country.class, FORMAT)
            .keyedBy(String.class, "country");

    try (DimensionReader<String, Country> reader = world.open(request(dimension)).reader()) {
      assertThat(reader.find("FR")).isEqualTo(new Country("FR"));
      assertThat(reader.find("DE")).isEqualTo(new Country("DE"));
      assertThat(reader.find("1")).isNull();
    }
  }

  @Test
  void aRowHasAllColumnsWithThoseOfThePartitionLast() throws Exception {
    put("country=DE/a", "1|Ada|gold\n");
    Dimension<String, DimensionRow> dimension =
        Dimension.named("customers")
            .at(TABLE)
            .partitionedBy(Partitions.inDirectories(COUNTRY))
            .rows(DelimitedText.separatedBy('|').columns("id", "COUNTRY", "tier"))
            .keyedBy(String.class, "id");

    try (DimensionReader<String, DimensionRow> reader = world.open(request(dimension)).reader()) {
      assertThat(reader.find("1")).hasToString("DimensionRow[id=1, tier=gold, country=DE]");
    }
  }

  @Test
  void aNewAChangedAndADroppedPartitionAreNewVersions() throws Exception {
    put("country=DE/a", "1|Ada|gold\n");
    DimensionService<DimensionKey, DimensionRow> service =
        world.open(request(dimension(Partitions.inDirectories(COUNTRY))));
    try (DimensionReader<DimensionKey, DimensionRow> reader = service.reader()) {
      world.refresh(service);
      assertThat(reader.advance()).isFalse();

      put("country=FR/a", "2|Anne|gold\n");
      world.refresh(service);
      assertThat(reader.advance()).isTrue();
      assertRow(reader, 2, "Anne", null, "FR");

      put("country=FR/a", "2|Berthe|gold\n");
      world.refresh(service);
      assertThat(reader.advance()).isTrue();
      assertRow(reader, 2, "Berthe", null, "FR");

      world.source.remove(TABLE + "country=DE/a");
      world.refresh(service);
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find(DimensionKey.of(1))).isNull();
    }
  }

  @Test
  void partitionsInWhichNoRowCanMatchAreNotRead() throws Exception {
    put("country=DE/dt=2024-02-29/a", "1|Ada|gold\n");
    put("country=DE/dt=2024-03-01/a", "2|Bob|gold\n3|Cleo|silver\n");
    put("country=FR/dt=2024-03-01/a", "4|Dan|gold\n");
    put("country=__HIVE_DEFAULT_PARTITION__/dt=2024-03-01/a", "5|Eve|gold\n");
    world.source.fail("open " + TABLE + "country=FR", dev.leat.spi.StoreException.Kind.UNAVAILABLE);
    RowFilter filter =
        RowFilter.column("country")
            .notEqualTo("FR")
            .and(RowFilter.column("dt").greaterThan(LocalDate.of(2024, 2, 29)))
            .and(RowFilter.column("tier").equalTo("gold"));

    DimensionService<DimensionKey, DimensionRow> service =
        world.open(request(dimension(Partitions.inDirectories(COUNTRY, DAY)).where(filter)));

    Served served = service.statistics().served().orElseThrow();
    assertThat(served.rows()).isEqualTo(1);
    assertThat(served.filteredRows()).as("of the one partition that was read").isEqualTo(1);
    String version = served.version().id();
    put("country=FR/dt=2024-03-01/a", "4|Another|gold\n");
    world.refresh(service);
    assertThat(service.statistics().served().orElseThrow().version().id())
        .as("what is not read makes no version")
        .isEqualTo(version);
  }

  @Test
  void aFilterThatNoPartitionMatchesGivesAnEmptyDimension() throws Exception {
    put("country=DE/a", "1|Ada|gold\n");

    DimensionService<DimensionKey, DimensionRow> service =
        world.open(
            request(
                dimension(Partitions.inDirectories(COUNTRY))
                    .where(RowFilter.column("country").equalTo("IT"))));

    try (DimensionReader<DimensionKey, DimensionRow> reader = service.reader()) {
      assertThat(reader.find(DimensionKey.of(1))).isNull();
    }
    assertThat(service.statistics().served().orElseThrow().rows()).isZero();
  }

  @Test
  void theLatestPartitionIsTheLastInTheOrderOfItsTypesAndHasData() throws Exception {
    Column hour = new Column("hr", ColumnType.INT);
    put("dt=2024-03-01/hr=9/a", "1|Nine|gold\n");
    put("dt=2024-03-01/hr=10/a", "1|Ten|gold\n");
    put("dt=2024-03-01/hr=11/_SUCCESS", "");
    put("dt=2024-02-01/hr=23/a", "1|Old|gold\n");
    DimensionService<DimensionKey, DimensionRow> service =
        world.open(request(dimension(Partitions.inDirectories(DAY, hour).latest())));

    try (DimensionReader<DimensionKey, DimensionRow> reader = service.reader()) {
      assertThat(row(reader, 1).value("name")).isEqualTo("Ten");
      put("dt=2024-03-01/hr=11/a", "2|Eleven|gold\n");
      world.refresh(service);
      assertThat(reader.advance()).isTrue();
      assertThat(reader.find(DimensionKey.of(1))).isNull();
      assertThat(row(reader, 2).value("name")).isEqualTo("Eleven");
    }
  }

  @Test
  void theLatestByTimeAreAllPartitionsOfTheTime() throws Exception {
    Column year = new Column("year", ColumnType.STRING);
    Column month = new Column("month", ColumnType.STRING);
    put("country=DE/year=2024/month=9/a", "1|Ada|gold\n");
    put("country=DE/year=2024/month=10/a", "2|Bob|gold\n");
    put("country=FR/year=2024/month=10/a", "3|Cleo|gold\n");
    put("country=FR/year=__HIVE_DEFAULT_PARTITION__/month=11/a", "4|Dan|gold\n");

    try (DimensionReader<DimensionKey, DimensionRow> reader =
        reader(Partitions.inDirectories(COUNTRY, year, month).latestByTime("$year-$month-01"))) {
      assertThat(reader.find(DimensionKey.of(1))).isNull();
      assertThat(row(reader, 2).value("country")).isEqualTo("DE");
      assertThat(row(reader, 3).value("country")).isEqualTo("FR");
      assertThat(reader.find(DimensionKey.of(4))).isNull();
    }
  }

  @Test
  void theLatestByCreationIsTheOneThatWasWrittenLastAndCanBeHeldBackUntilItIsMarked()
      throws Exception {
    put("country=ZA/a", "1|Old|gold\n");
    put("country=ZA/_SUCCESS", "");
    put("country=AT/a", "1|New|gold\n");

    try (DimensionReader<DimensionKey, DimensionRow> newest =
            reader(Partitions.inDirectories(COUNTRY).latestByCreation());
        DimensionReader<DimensionKey, DimensionRow> marked =
            reader(Partitions.inDirectories(COUNTRY).whenMarked("_SUCCESS").latestByCreation())) {
      assertThat(row(newest, 1).value("name")).isEqualTo("New");
      assertThat(row(marked, 1).value("name")).isEqualTo("Old");
    }
  }

  @Test
  void listedPartitionsMayLieAnywhereAndHaveAFormatAndColumnsOfTheirOwn() throws Exception {
    put("plain/a", "1|Ada|gold\n");
    world.source.put("s3a://other/old/a", "Bob;2\n");
    PartitionSource listed =
        Partitions.listed(
            List.of(COUNTRY),
            List.of(
                Partition.at(URI.create(TABLE + "plain"), List.of("DE")),
                Partition.at(URI.create("s3a://other/old/"), Arrays.asList((String) null))
                    .withFormat(DelimitedText.separatedBy(';').columns("name", "id"))));
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("customers")
            .at(TABLE)
            .partitionedBy(listed)
            .rows(
                List.of(
                    new Column("id", ColumnType.INT),
                    new Column("tier", ColumnType.STRING),
                    new Column("name", ColumnType.STRING),
                    COUNTRY),
                FORMAT)
            .keyedBy("id");

    try (DimensionReader<DimensionKey, DimensionRow> reader =
        world.open(request(dimension)).reader()) {
      assertThat(row(reader, 1)).hasToString("DimensionRow[id=1, tier=gold, name=Ada, country=DE]");
      assertThat(row(reader, 2))
          .as("the column tier was added later")
          .hasToString("DimensionRow[id=2, tier=null, name=Bob, country=null]");
    }
  }

  @Test
  void aColumnThatWasAddedLaterIsNotTakenForOneOfASimilarName() throws Exception {
    put("old/a", "1|Ada\n");
    put("new/a", "2|Bob|0b0b\n");
    PartitionSource listed =
        Partitions.listed(
            List.of(COUNTRY),
            List.of(
                Partition.at(URI.create(TABLE + "old"), List.of("DE"))
                    .withFormat(DelimitedText.separatedBy('|').columns("id", "userid")),
                Partition.at(URI.create(TABLE + "new"), List.of("FR"))));
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("customers")
            .at(TABLE)
            .partitionedBy(listed)
            .rows(
                List.of(new Column("id", ColumnType.INT), new Column("user_id", ColumnType.STRING)),
                DelimitedText.separatedBy('|').columns("id", "userid", "user_id"))
            .keyedBy("id");

    try (DimensionReader<DimensionKey, DimensionRow> reader =
        world.open(request(dimension)).reader()) {
      assertThat(row(reader, 1).value("user_id")).isNull();
      assertThat(row(reader, 2).value("user_id")).isEqualTo("0b0b");
    }
  }

  @Test
  void filesOfPartitionsComeFromATierThatMirrorsThem() throws Exception {
    String mirror = "mem://cache/mirror/customers/";
    world.source.put(
        TABLE + "x/a", "1|Ada|gold\n".getBytes(java.nio.charset.StandardCharsets.UTF_8), "t1");
    world.cache.put(
        mirror + "x/a", "1|Ada|gold\n".getBytes(java.nio.charset.StandardCharsets.UTF_8), "t1");
    world.source.put(
        TABLE + "y/a", "2|Bob|gold\n".getBytes(java.nio.charset.StandardCharsets.UTF_8), "t2");
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("customers")
            .at(mirror)
            .partitionedBy(
                Partitions.listed(
                        List.of(COUNTRY),
                        List.of(
                            Partition.at(URI.create(mirror + "x"), List.of("DE"))
                                .createdAt(Instant.EPOCH),
                            Partition.at(URI.create(TABLE + "y"), List.of("FR"))))
                    .whenMarked("a"))
            .rows(COLUMNS.stream().filter(column -> !column.equals(DAY)).toList(), FORMAT)
            .keyedBy("id");

    DimensionService<DimensionKey, DimensionRow> service =
        world.open(request(dimension, world.tier()));
    try (DimensionReader<DimensionKey, DimensionRow> reader = service.reader()) {
      assertThat(row(reader, 1).value("country")).isEqualTo("DE");
      assertThat(row(reader, 2).value("country")).isEqualTo("FR");
    }
    assertThat(service.statistics().tiers().get("memory").hits()).isEqualTo(1);
    assertThat(service.statistics().tiers().get("source").hits()).isEqualTo(1);
    assertThat(world.cache.operations("sourceOf"))
        .as("the table's own mapping serves its partitions")
        .hasSize(1);
  }

  @Test
  void ofSeveralRowsOfAKeyThatOfTheLastPartitionIsTheLast() throws Exception {
    Column number = new Column("n", ColumnType.INT);
    put("n=10/a", "1|Ten|gold\n");
    put("n=9/b", "1|Nine|gold\n");

    try (DimensionReader<DimensionKey, DimensionRow> reader =
        reader(Partitions.inDirectories(number))) {
      assertThat(row(reader, 1).value("name")).isEqualTo("Ten");
    }
  }

  @Test
  void aTableWithoutPartitionsIsToldWithWhatWasLookedFor() {
    put("day=2024-03-01/a", "1|Ada|gold\n");
    assertThatThrownBy(() -> reader(Partitions.inDirectories(DAY)))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.SOURCE_NOT_FOUND))
        .hasMessageContaining("1 objects listed, 0 partitions of directories [\"dt\":date]");
  }

  @Test
  void aPartitionedDimensionTravelsAndIsEqualToItsCopy() throws Exception {
    Dimension<DimensionKey, DimensionRow> listed =
        dimension(
                Partitions.listed(
                    List.of(COUNTRY),
                    List.of(
                        Partition.at(URI.create(TABLE + "x"), Arrays.asList((String) null))
                            .withFormat(FORMAT)
                            .createdAt(Instant.EPOCH))))
            .where(RowFilter.column("country").isNull());
    Dimension<DimensionKey, DimensionRow> found =
        dimension(Partitions.inDirectories(DAY).whenMarked("_SUCCESS").latestByTime("$dt"));

    assertThat(copy(listed)).isEqualTo(listed).isNotEqualTo(found);
    assertThat(copy(found)).isEqualTo(found).hasSameHashCodeAs(found);
    assertThat(found.partitions().orElseThrow())
        .hasToString(
            "Partitions[directories [\"dt\":date] latest by TIME \"$dt\" when marked \"_SUCCESS\"]");
  }

  private static Object copy(Object original) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(original);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return in.readObject();
    }
  }

  @Test
  void partitionsThatCannotBeAreRefused() {
    assertThatThrownBy(() -> Partitions.inDirectories())
        .hasMessageContaining("no partition column");
    assertThatThrownBy(() -> Partitions.inDirectories(DAY, new Column("DT", ColumnType.INT)))
        .hasMessageContaining("'DT' is named twice");
    assertThatThrownBy(() -> Partitions.inDirectories(new Column("b", ColumnType.BINARY)))
        .hasMessageContaining("no directory's name can say");
    assertThatThrownBy(() -> Partitions.inDirectories(DAY).latestByTime("$day"))
        .hasMessageContaining("has $day, and the partition's columns are [dt]");
    assertThatThrownBy(() -> Partitions.inDirectories(DAY).latestByTime("2024"))
        .hasMessageContaining("names no column");
    put("dt=x/a", "1|Ada|gold\n");
    assertThatThrownBy(() -> reader(Partitions.inDirectories(DAY).latestByTime("$dt")))
        .hasMessageContaining("make 'x' by the pattern '$dt', which is no time");
    URI twice = URI.create(TABLE + "x");
    assertThatThrownBy(
            () ->
                reader(
                    Partitions.listed(
                        List.of(DAY),
                        List.of(
                            Partition.at(twice, List.of("2024-01-01")),
                            Partition.at(twice, List.of("2024-01-02"))))))
        .hasMessageContaining("two partitions have the location");
  }

  private static Dimension<DimensionKey, DimensionRow> dimension(PartitionSource partitions) {
    List<Column> columns = new ArrayList<>(COLUMNS.subList(0, 2));
    columns.addAll(partitions.columns());
    return Dimension.named("customers")
        .at(TABLE)
        .partitionedBy(partitions)
        .rows(columns, FORMAT)
        .keyedBy("id");
  }

  private DimensionReader<DimensionKey, DimensionRow> reader(PartitionSource partitions)
      throws InterruptedException {
    return world.open(request(dimension(partitions))).reader();
  }

  private <K, D> ServiceRequest<K, D> request(Dimension<K, D> dimension, CacheTier... tiers) {
    List<CacheTier> all = new ArrayList<>(List.of(tiers));
    all.add(0, LocalDisk.at(disk));
    return new ServiceRequest<>(
        dimension, DuplicateKeys.KEEP_LAST, all, EngineWorld.strictly(), Staleness.serveForever());
  }

  private static DimensionRow row(DimensionReader<DimensionKey, DimensionRow> reader, int id) {
    DimensionRow row = reader.find(DimensionKey.of(id));
    assertThat(row).as("row %s", id).isNotNull();
    return row;
  }

  private static void assertRow(
      DimensionReader<DimensionKey, DimensionRow> reader,
      int id,
      String name,
      LocalDate day,
      String country) {
    DimensionRow row = row(reader, id);
    assertThat(row.value("name")).isEqualTo(name);
    if (row.columns().contains(DAY)) {
      assertThat(row.value("dt")).isEqualTo(day);
    }
    assertThat(row.value("country")).isEqualTo(country);
  }
}
