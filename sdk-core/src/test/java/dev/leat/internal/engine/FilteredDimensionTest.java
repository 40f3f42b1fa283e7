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
import dev.leat.RowFilter;
import dev.leat.Staleness;
import dev.leat.event.DimensionEvent;
import dev.leat.event.DimensionStatistics.Served;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.EngineWorld.Customer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FilteredDimensionTest {
  private static final DelimitedText FORMAT =
      DelimitedText.separatedBy('|').columns("id", "name", "age", "country");
  private static final Dimension<String, Customer> CUSTOMERS =
      Dimension.named("customers")
          .at(EngineWorld.TABLE)
          .rows(Customer.class, FORMAT)
          .keyedBy(String.class, "id");

  @TempDir Path disk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    world.source.put(
        EngineWorld.TABLE + "a.txt",
        "1|Ada|36|DE\n2|Bob|\\N|DE\n3|Cleo|17|FR\n4|Dan|old|DE\n\\N|Eve|40|DE\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void onlyRowsForWhichTheFilterIsTrueAreKeptByColumnsThatTheRowLacksToo() throws Exception {
    DimensionService<String, Customer> service =
        world.open(
            request(
                CUSTOMERS
                    .where(RowFilter.column("country").equalTo("DE"))
                    .where(RowFilter.column("age").greaterThan(18))));

    try (DimensionReader<String, Customer> reader = service.reader()) {
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
      assertThat(reader.find("2")).as("unknown, since the age is NULL").isNull();
      assertThat(reader.find("3")).isNull();
      assertThat(reader.find("4")).as("unknown, since the age cannot be read").isNull();
    }
    Served served = service.statistics().served().orElseThrow();
    assertThat(served.rows()).isEqualTo(1);
    assertThat(served.filteredRows()).isEqualTo(3);
    assertThat(served.nullKeyRows()).as("which the filter keeps").isEqualTo(1);
    assertThat(served.rejectedRows()).isZero();
    assertThat(served.unparsableCells()).as("told, since it decided").isEqualTo(1);
    assertThat(world.awaitEvent(DimensionEvent.RowsRejected.class).samples())
        .singleElement()
        .asString()
        .contains("column age", "'old' is no bigint");
  }

  @Test
  void aRowThatIsLeftOutIsNotMalformedForWhatThePolicyWouldRefuse() throws Exception {
    record Aged(String id, int age) {}
    Dimension<String, Aged> aged =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(Aged.class, FORMAT)
            .keyedBy(String.class, "id")
            .malformedRows(dev.leat.MalformedRows.fail());

    DimensionService<String, Aged> service =
        world.open(request(aged.where(RowFilter.column("name").in("Ada", "Cleo"))));

    Served served = service.statistics().served().orElseThrow();
    assertThat(served.rows()).isEqualTo(2);
    assertThat(served.filteredRows()).isEqualTo(3);
    assertThat(served.rejectedRows()).isZero();
    assertThat(served.unparsableCells()).as("of a row that nobody asked for").isZero();
  }

  @Test
  void aFilterIsAnotherVersionAndTheSameOneIsTheSame() throws Exception {
    DimensionService<String, Customer> all = world.open(request(CUSTOMERS));
    DimensionService<String, Customer> some =
        world.open(request(CUSTOMERS.where(RowFilter.column("country").equalTo("DE"))));
    DimensionService<String, Customer> again =
        world.open(request(CUSTOMERS.where(RowFilter.column("country").equalTo("DE"))));

    assertThat(version(some)).isNotEqualTo(version(all)).isEqualTo(version(again));
  }

  @Test
  void aFilterThatDoesNotFitItsColumnIsToldWithBothTypes() {
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(
                List.of(new Column("id", ColumnType.INT), new Column("country", ColumnType.STRING)),
                FORMAT)
            .keyedBy("id");

    assertFails(
        dimension.where(RowFilter.column("id").equalTo("1")),
        ErrorCode.TYPE_MISMATCH,
        "compares column 'id' of type int with [1] (String)");
    assertFails(
        dimension.where(RowFilter.column("contry").equalTo("DE")),
        ErrorCode.COLUMN_NOT_FOUND,
        "did you mean 'country'?");
  }

  private void assertFails(Dimension<?, ?> dimension, ErrorCode code, String part) {
    assertThatThrownBy(() -> world.open(request(dimension)))
        .isInstanceOfSatisfying(LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(code))
        .hasMessageContaining(part);
  }

  private static String version(DimensionService<?, ?> service) {
    return service.statistics().served().orElseThrow().version().id();
  }

  private <K, D> ServiceRequest<K, D> request(Dimension<K, D> dimension) {
    return new ServiceRequest<>(
        dimension,
        DuplicateKeys.KEEP_LAST,
        List.of(LocalDisk.at(disk)),
        EngineWorld.strictly(),
        Staleness.serveForever());
  }
}
