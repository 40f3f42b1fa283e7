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
import dev.leat.Staleness;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.DelimitedText;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunTimeColumnsTest {
  private static final DelimitedText FORMAT =
      DelimitedText.separatedBy('|').columns("id", "country", "since", "amount", "code", "seen");

  @TempDir Path disk;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(disk);
    world.source.put(
        EngineWorld.TABLE + "a.txt",
        "1|DE|2024-02-29|1.50|ab |2024-01-01 00:00:00.5\n2|FR|\\N|\\N|cd|\\N\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  @Test
  void aRowHasExactlyTheColumnsThatWereNamedInTheirOrderAndWithTheirTypes() throws Exception {
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(
                List.of(
                    new Column("amount", ColumnType.decimal(10, 2)),
                    new Column("ID", ColumnType.BIGINT),
                    new Column("since", ColumnType.DATE)),
                FORMAT)
            .keyedBy("ID");

    try (DimensionReader<DimensionKey, DimensionRow> reader = reader(dimension)) {
      DimensionRow first = found(reader, DimensionKey.of(1L));
      assertThat(first.columns()).isEqualTo(dimension.columns().orElseThrow());
      assertThat(first.value(0)).isEqualTo(new BigDecimal("1.50"));
      assertThat(first.value("ID")).isEqualTo(1L);
      assertThat(first.value("since")).isEqualTo(LocalDate.of(2024, 2, 29));
      DimensionRow second = found(reader, DimensionKey.of(2));
      assertThat(second.value(0)).isNull();
      assertThat(second.value(1)).as("as wide as the column, not as the key").isEqualTo(2L);
      assertThat(reader.find(DimensionKey.of(3L))).isNull();
    }
  }

  @Test
  void aKeyOfSeveralColumnsIsFoundInAnyOrderOfTheTable() throws Exception {
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(
                List.of(
                    new Column("id", ColumnType.INT),
                    new Column("country", ColumnType.STRING),
                    new Column("seen", ColumnType.TIMESTAMP),
                    new Column("code", ColumnType.character(4))),
                FORMAT)
            .keyedBy("seen", "code", "id");

    try (DimensionReader<DimensionKey, DimensionRow> reader = reader(dimension)) {
      DimensionRow row =
          found(reader, DimensionKey.of(Instant.parse("2024-01-01T00:00:00.5Z"), "ab", (short) 1));
      assertThat(row.value("country")).isEqualTo("DE");
      assertThat(row.value("code")).isEqualTo("ab");
      assertThat(row.value("id")).isEqualTo(1);
      assertThat(reader.find(DimensionKey.of(null, "ab", 1))).as("a null finds nothing").isNull();
      assertThat(reader.find(DimensionKey.of(Instant.EPOCH, "ab", 1L << 40))).isNull();
    }
  }

  @Test
  void aKeyThatDoesNotFitTheColumnsIsToldWithTheColumnAndTheTypes() throws Exception {
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(List.of(new Column("id", ColumnType.INT)), FORMAT)
            .keyedBy("id");

    try (DimensionReader<DimensionKey, DimensionRow> reader = reader(dimension)) {
      assertThatThrownBy(() -> reader.find(DimensionKey.of("1")))
          .isInstanceOf(LeatException.class)
          .hasMessageContaining("LEAT-5002")
          .hasMessageContaining("a String cannot be the key of the column 'id' of type int")
          .hasMessageContaining("use Integer");
      assertThatThrownBy(() -> reader.find(DimensionKey.of(1, 2)))
          .hasMessageContaining("has 2 values for the columns [id]");
    }
  }

  @Test
  void aRecordMayBeFoundByARunTimeKeyToo() throws Exception {
    record Customer(UUID code, int id) {}
    world.source.put(
        EngineWorld.TABLE + "a.txt", "7|DE|\\N|\\N|0b7a2f0e-3c1d-4d5e-8f60-718293a4b5c6|\\N\n");
    Dimension<DimensionKey, Customer> dimension =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(Customer.class, FORMAT)
            .keyedBy("id", "country");

    DimensionService<DimensionKey, Customer> service = world.open(request(dimension));
    try (DimensionReader<DimensionKey, Customer> reader = service.reader()) {
      assertThat(reader.find(DimensionKey.of(7, "DE")))
          .isEqualTo(new Customer(UUID.fromString("0b7a2f0e-3c1d-4d5e-8f60-718293a4b5c6"), 7));
    }
  }

  @Test
  void bothZerosAreOneKeyAndNoNumberIsFoundByNoNumber() throws Exception {
    record Reading(double level, String name) {}
    world.source.put(EngineWorld.TABLE + "a.txt", "-0.0|minus\nNaN|none\n");
    DelimitedText format = DelimitedText.separatedBy('|').columns("level", "name");
    for (ColumnType type : List.of(ColumnType.DOUBLE, ColumnType.FLOAT)) {
      Dimension<DimensionKey, DimensionRow> dimension =
          Dimension.named("customers")
              .at(EngineWorld.TABLE)
              .rows(
                  List.of(new Column("level", type), new Column("name", ColumnType.STRING)), format)
              .keyedBy("level");
      try (DimensionReader<DimensionKey, DimensionRow> reader = reader(dimension)) {
        assertThat(found(reader, DimensionKey.of(0.0f)).value("name")).isEqualTo("minus");
        assertThat(found(reader, DimensionKey.of(-0.0f)).value("name")).isEqualTo("minus");
        assertThat(found(reader, DimensionKey.of(Float.NaN)).value("name")).isEqualTo("none");
      }
    }
    Dimension<Double, Reading> readings =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(Reading.class, format)
            .keyedBy(Double.class, "level");
    ServiceRequest<Double, Reading> request =
        new ServiceRequest<>(
            readings,
            DuplicateKeys.KEEP_LAST,
            List.of(LocalDisk.at(disk)),
            EngineWorld.strictly(),
            Staleness.serveForever());
    try (DimensionReader<Double, Reading> reader = world.open(request).reader()) {
      assertThat(reader.find(0.0).name()).isEqualTo("minus");
      assertThat(reader.find(-0.0).name()).isEqualTo("minus");
    }
  }

  @Test
  void aColumnThatTheFormatDoesNotHaveIsToldBeforeAnythingIsRead() {
    Dimension<DimensionKey, DimensionRow> dimension =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .rows(
                List.of(new Column("id", ColumnType.INT), new Column("contry", ColumnType.STRING)),
                FORMAT)
            .keyedBy("id");

    assertThatThrownBy(() -> reader(dimension))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.COLUMN_NOT_FOUND))
        .hasMessageContaining("did you mean 'country'?");
  }

  private DimensionReader<DimensionKey, DimensionRow> reader(
      Dimension<DimensionKey, DimensionRow> dimension) throws InterruptedException {
    return world.open(request(dimension)).reader();
  }

  private <D> ServiceRequest<DimensionKey, D> request(Dimension<DimensionKey, D> dimension) {
    return new ServiceRequest<>(
        dimension,
        DuplicateKeys.KEEP_LAST,
        List.of(LocalDisk.at(disk)),
        EngineWorld.strictly(),
        Staleness.serveForever());
  }

  private static DimensionRow found(
      DimensionReader<DimensionKey, DimensionRow> reader, DimensionKey key) {
    DimensionRow row = reader.find(key);
    assertThat(row).isNotNull();
    return row;
  }
}
