package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RowTypesTest {
  private static final UUID ID = UUID.fromString("0b7a2f0e-3c1d-4d5e-8f60-718293a4b5c6");
  private static final LocalDateTime TIME = LocalDateTime.of(2026, 11, 29, 20, 23, 13, 5);

  @TempDir private Path directory;
  private Index index;

  private record Everything(
      String id,
      boolean flag,
      byte tiny,
      short small,
      int whole,
      long large,
      float real,
      double wide,
      BigDecimal money,
      BigDecimal huge,
      LocalDate day,
      LocalDateTime at,
      byte[] raw,
      String text) {}

  private static final Everything FULL =
      new Everything(
          ID.toString(),
          true,
          (byte) -3,
          (short) 300,
          70_000,
          Long.MIN_VALUE,
          1.5f,
          -0.0,
          new BigDecimal("12.30"),
          new BigDecimal("1234567890123456789012345678.0001"),
          LocalDate.of(1969, 12, 31),
          TIME,
          new byte[] {1, 2},
          "größe");

  private record Boxed(
      @Nullable Integer whole,
      @Nullable Boolean flag,
      @Nullable Double wide,
      @Nullable String text,
      @Nullable LocalDate day) {}

  private record Wider(UUID id, long tiny, Long whole, double real, Instant at) {}

  private record Unknown(String nothingLikeIt) {}

  private record WrongType(int text) {}

  private record NotNull(String id, int whole) {}

  private record OneKey(String id) {}

  /** A parent with a private field. */
  static class Named {
    private String text = "unset";

    String text() {
      return text;
    }
  }

  /**
   * A POJO with a setter that adds one, a private field, an inherited one, and what is no column.
   */
  public static final class Pojo extends Named {
    private final transient int scratch = 4;
    private int whole;
    private long doubled;
    private long key;

    /** Sets one more. */
    public void setWhole(int value) {
      whole = value + 1;
    }
  }

  /** The components of a row, in the order of the columns. */
  private static Object[] cells(Everything row) {
    return Stream.of(Everything.class.getRecordComponents())
        .map(
            component -> {
              try {
                return component.getAccessor().invoke(row);
              } catch (ReflectiveOperationException e) {
                throw new AssertionError(e);
              }
            })
        .toArray();
  }

  @BeforeEach
  void build() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("id", ColumnType.STRING),
                new Column("FLAG", ColumnType.BOOLEAN),
                new Column("tiny", ColumnType.TINYINT),
                new Column("small", ColumnType.SMALLINT),
                new Column("whole", ColumnType.INT),
                new Column("large", ColumnType.BIGINT),
                new Column("real", ColumnType.FLOAT),
                new Column("wide", ColumnType.DOUBLE),
                new Column("money", ColumnType.decimal(12, 2)),
                new Column("huge", ColumnType.decimal(38, 4)),
                new Column("day", ColumnType.DATE),
                new Column("at", ColumnType.TIMESTAMP),
                new Column("raw", ColumnType.BINARY),
                new Column("te_xt", ColumnType.STRING)),
            List.of(0));
    table.row(cells(FULL));
    table.row(
        "no",
        false,
        (byte) 1,
        (short) 2,
        3,
        Long.MAX_VALUE,
        2f,
        3.0,
        BigDecimal.ONE,
        BigDecimal.ONE,
        LocalDate.EPOCH,
        TIME.plusDays(1),
        new byte[0],
        "");
    table.row(
        "nulls", null, (byte) 1, null, null, null, 2f, null, null, null, null, TIME, null, null);
    table.build(directory.resolve("index"));
    index = Index.open(directory.resolve("index"));
  }

  @AfterEach
  void close() {
    index.close();
  }

  @Test
  void aRecordTakesTheValuesOfAllTypes() {
    TestTable table = new TestTable(index.manifest().columns(), List.of(0));
    table.row(cells(FULL));
    table.build(directory.resolve("full"));
    try (Index full = Index.open(directory.resolve("full"))) {
      Everything row = full.lookup(String.class, Everything.class).find(ID.toString());
      assertThat(row).usingRecursiveComparison().isEqualTo(FULL);
    }
  }

  @Test
  void nullsReachBoxesAndObjects() {
    IndexLookup<String, Boxed> lookup = index.lookup(String.class, Boxed.class);
    assertThat(lookup.find("nulls")).isEqualTo(new Boxed(null, null, null, null, null));
    assertThat(lookup.find("no")).isEqualTo(new Boxed(3, false, 3.0, "", LocalDate.EPOCH));
  }

  @Test
  void valuesWidenToTheTarget() {
    IndexLookup<UUID, Wider> lookup = index.lookup(UUID.class, Wider.class);
    assertThat(lookup.find(ID))
        .isEqualTo(
            new Wider(ID, -3, 70_000L, 1.5, Instant.parse("2026-11-29T20:23:13.000000005Z")));
    assertThat(lookup.find(new UUID(1, 2))).isNull();
  }

  @Test
  void aPojoIsFilledThroughSettersAndFields() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("key", ColumnType.INT),
                new Column("whole", ColumnType.INT),
                new Column("doubled", ColumnType.INT),
                new Column("text", ColumnType.STRING)),
            List.of(0));
    table.row(-7, 4, 6, "x");
    table.build(directory.resolve("pojo"));
    try (Index pojos = Index.open(directory.resolve("pojo"))) {
      IndexLookup<Integer, Pojo> lookup = pojos.lookup(Integer.class, Pojo.class);
      Pojo row = lookup.find(-7);
      assertThat(row).isNotNull();
      assertThat(row.whole).isEqualTo(5);
      assertThat(row.doubled).isEqualTo(6);
      assertThat(row.text()).isEqualTo("x");
      assertThat(row.key).isEqualTo(-7);
      assertThat(row.scratch).isEqualTo(4);
      assertThat(lookup.find(7)).isNull();
      assertThat(lookup.find(-7)).isNotSameAs(row);
    }
  }

  @Test
  void aDimensionRowIsReadByNameAndPosition() {
    DimensionRow row = index.lookup(String.class, DimensionRow.class).find("nulls");
    assertThat(row).isNotNull();
    assertThat(row.value("id")).isEqualTo("nulls");
    assertThat(row.value("tiny")).isEqualTo((byte) 1);
    assertThat(row.value(13)).isNull();
    assertThat(row.columns()).isEqualTo(index.manifest().columns());
    assertThat(row.toString()).contains("tiny=1").contains("whole=null");
    assertThatThrownBy(() -> row.value("none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("tiny");
  }

  @Test
  void typesThatDoNotFitAreRefusedWithTheColumn() {
    IndexBuildTest.assertCode(
        () -> index.lookup(String.class, Unknown.class),
        ErrorCode.COLUMN_NOT_FOUND,
        "nothingLikeIt",
        "te_xt");
    IndexBuildTest.assertCode(
        () -> index.lookup(String.class, WrongType.class),
        ErrorCode.TYPE_MISMATCH,
        "te_xt",
        "String");
    IndexBuildTest.assertCode(
        () -> index.lookup(String.class, NotNull.class),
        ErrorCode.TYPE_MISMATCH,
        "whole",
        "Integer");
    IndexBuildTest.assertCode(
        () -> index.lookup(Long.class, Boxed.class), ErrorCode.TYPE_MISMATCH, "id", "String");
    IndexBuildTest.assertCode(
        () -> index.lookup(String.class, Runnable.class), ErrorCode.INVALID_DEFINITION, "Runnable");
  }

  @Test
  void aKeyMayBeARecordOfOneComponent() {
    IndexLookup<OneKey, Boxed> lookup = index.lookup(OneKey.class, Boxed.class);
    assertThat(lookup.find(new OneKey("no"))).isNotNull();
    assertThat(lookup.find(new OneKey("nowhere"))).isNull();
    IndexBuildTest.assertCode(() -> lookup.find(new OneKey(null)), ErrorCode.INVALID_KEY);
  }

  @Test
  void aNullKeyIsRefusedAndAnIllFormedOneIsAMiss() {
    IndexLookup<String, Boxed> lookup = index.lookup(String.class, Boxed.class);
    IndexBuildTest.assertCode(() -> lookup.find(null), ErrorCode.INVALID_KEY);
    assertThat(lookup.find("n\ud800")).isNull();
    assertThat(lookup.find("")).isNull();
    assertThat(lookup.find("n\u016f")).isNull();
    assertThat(lookup.find("x".repeat(2_000_000))).isNull();
  }

  private record Tax(BigDecimal rate, String name) {}

  private record Country(String code, String name) {}

  private record NoUuid(UUID text) {}

  @Test
  void aZeroIsFoundWhateverItsScaleInAColumnWithoutDigitsBeforeThePoint() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("rate", ColumnType.decimal(2, 2)),
                new Column("name", ColumnType.STRING)),
            List.of(0));
    table.row(new BigDecimal("0.00"), "none").row(new BigDecimal("0.19"), "full");
    table.build(directory.resolve("rates"));
    try (Index rates = Index.open(directory.resolve("rates"))) {
      IndexLookup<BigDecimal, Tax> lookup = rates.lookup(BigDecimal.class, Tax.class);
      Tax none = new Tax(new BigDecimal("0.00"), "none");
      for (String zero : List.of("0", "0.00", "0.0000", "0E+2147483647", "0E-2147483647")) {
        assertThat(lookup.find(new BigDecimal(zero))).as(zero).isEqualTo(none);
      }
      assertThat(lookup.find(new BigDecimal("0.1900")))
          .isEqualTo(new Tax(new BigDecimal("0.19"), "full"));
      for (String other :
          List.of("0.190001", "1", "1.19", "1E+2147483647", "1E-2147483647", "-0.19")) {
        assertThat(lookup.find(new BigDecimal(other))).as(other).isNull();
      }
    }
  }

  @Test
  void trailingSpacesOfACharacterKeyCarryNoMeaning() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("code", ColumnType.character(4)), new Column("name", ColumnType.STRING)),
            List.of(0));
    table.row("CZ", "Czechia").row("", "nowhere");
    table.build(directory.resolve("countries"));
    try (Index countries = Index.open(directory.resolve("countries"))) {
      IndexLookup<String, Country> lookup = countries.lookup(String.class, Country.class);
      assertThat(lookup.find("CZ  ")).isEqualTo(new Country("CZ", "Czechia"));
      assertThat(lookup.find("CZ")).isEqualTo(new Country("CZ", "Czechia"));
      assertThat(lookup.find("    ")).isEqualTo(new Country("", "nowhere"));
      assertThat(lookup.find(" CZ")).isNull();
    }
  }

  @Test
  void aCellThatIsNoUuidIsTold() {
    IndexLookup<String, NoUuid> lookup = index.lookup(String.class, NoUuid.class);
    IndexBuildTest.assertCode(
        () -> lookup.find(ID.toString()), ErrorCode.TYPE_MISMATCH, "is no UUID");
  }

  private record Device(UUID id, int n) {}

  private record Part(UUID id, String slot) {}

  @Test
  void aUuidIsFoundInWhicheverCaseTheSourceHasIt() {
    Random random = new Random(11);
    List<UUID> ids = new ArrayList<>();
    for (int i = 0; i < 1000; i++) {
      ids.add(new UUID(random.nextLong(), random.nextLong()));
    }
    for (int upper : new int[] {0, 500, 1000}) {
      TestTable devices =
          new TestTable(
              List.of(new Column("id", ColumnType.STRING), new Column("n", ColumnType.INT)),
              List.of(0));
      TestTable parts =
          new TestTable(
              List.of(
                  new Column("id", ColumnType.STRING),
                  new Column("slot", ColumnType.STRING),
                  new Column("n", ColumnType.INT)),
              List.of(0, 1));
      for (int i = 0; i < ids.size(); i++) {
        String text = ids.get(i).toString();
        text = i < upper ? text.toUpperCase(Locale.ROOT) : text;
        devices.row(text, i);
        parts.row(text, "slot-" + "x".repeat(i % 60), i);
      }
      devices.build(directory.resolve("devices" + upper));
      parts.build(directory.resolve("parts" + upper));
      try (Index index = Index.open(directory.resolve("devices" + upper));
          Index hashed = Index.open(directory.resolve("parts" + upper))) {
        IndexLookup<UUID, Device> lookup = index.lookup(UUID.class, Device.class);
        IndexLookup<Part, DimensionRow> byPart = hashed.lookup(Part.class, DimensionRow.class);
        IndexLookup<DimensionKey, DimensionRow> generic =
            hashed.lookup(DimensionKey.class, DimensionRow.class);
        Part[] keys = new Part[ids.size()];
        for (int i = 0; i < ids.size(); i++) {
          UUID id = ids.get(i);
          keys[i] = new Part(id, "slot-" + "x".repeat(i % 60));
          assertThat(lookup.find(id)).isEqualTo(new Device(id, i));
          assertThat(lookup.findAll(id, row -> {})).isEqualTo(1);
          assertThat(byPart.find(keys[i]).value("n")).isEqualTo(i);
          assertThat(generic.find(DimensionKey.of(id, keys[i].slot())).value("n")).isEqualTo(i);
          assertThat(lookup.find(new UUID(random.nextLong(), random.nextLong()))).isNull();
        }
        Device[] devicesFound = new Device[ids.size()];
        lookup.findBatch(ids.toArray(UUID[]::new), devicesFound, ids.size());
        DimensionRow[] partsFound = new DimensionRow[ids.size()];
        byPart.findBatch(keys, partsFound, keys.length);
        for (int i = 0; i < ids.size(); i++) {
          assertThat(devicesFound[i]).isEqualTo(new Device(ids.get(i), i));
          assertThat(partsFound[i].value("n")).isEqualTo(i);
        }
      }
    }
  }
}
