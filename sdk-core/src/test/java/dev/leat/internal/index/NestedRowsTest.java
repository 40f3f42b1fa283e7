package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.NestedCellWriter;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NestedRowsTest {
  private static final ColumnType TAGS = ColumnType.parse("array<string>");
  private static final ColumnType COUNTS = ColumnType.parse("map<string,int>");
  private static final ColumnType ADDRESSES =
      ColumnType.parse("array<struct<street:string,house_no:smallint,since:timestamp>>");
  private static final ColumnType PRICE =
      ColumnType.parse("struct<amount:decimal(10,2),`cur:rency`:char(3)>");

  @TempDir private Path directory;
  private Index index;

  private record Address(@Nullable Long houseNo, String street, @Nullable Instant since) {}

  private record Customer(
      String id,
      @Nullable List<String> tags,
      Map<String, Long> counts,
      List<? extends @Nullable Address> addresses,
      DimensionRow price) {}

  private record Loose(
      List<Object> tags, Map<Object, Object> counts, List<DimensionRow> addresses) {}

  private record OnlyAmount(@Nullable BigDecimal amount) {}

  private record Prices(OnlyAmount price) {}

  private record WrongElement(List<Integer> tags) {}

  private record PrimitivePart(int houseNo) {}

  private record Primitives(List<PrimitivePart> addresses) {}

  private record NotNested(String tags) {}

  /** A POJO with a nested field. */
  public static final class Pojo {
    private Map<String, Integer> counts = Map.of();
  }

  @BeforeEach
  void build() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("id", ColumnType.STRING),
                new Column("tags", TAGS),
                new Column("counts", COUNTS),
                new Column("addresses", ADDRESSES),
                new Column("price", PRICE)),
            List.of(0));
    table.row(
        "a",
        cell(TAGS, List.of("x", "y")),
        cell(COUNTS, Map.of("k", 7)),
        cell(
            ADDRESSES,
            Arrays.asList(
                Arrays.asList("Hauptstraße", 12, null), null, Arrays.asList("Weg", null, null))),
        cell(PRICE, List.of(new BigDecimal("12.30"), "EUR")));
    table.row("b", null, cell(COUNTS, Map.of()), cell(ADDRESSES, List.of()), null);
    for (int i = 0; i < 2_000; i++) {
      // Enough distinct values that these columns are not in dictionaries.
      table.row(
          "n" + i,
          cell(TAGS, List.of("tag" + i, "t".repeat(40) + i)),
          cell(COUNTS, Map.of("k" + i, i)),
          cell(ADDRESSES, List.of()),
          cell(PRICE, List.of(BigDecimal.valueOf(i), "USD")));
    }
    table.build(directory.resolve("index"));
    index = Index.open(directory.resolve("index"));
  }

  private static byte[] cell(ColumnType type, Object value) {
    return new NestedCellWriter(type).bytes(value);
  }

  @AfterEach
  void close() {
    index.close();
  }

  @Test
  void theManifestKeepsTheTypes() {
    assertThat(index.manifest().columns())
        .extracting(Column::type)
        .containsExactly(ColumnType.STRING, TAGS, COUNTS, ADDRESSES, PRICE);
  }

  @Test
  void aRecordTakesListsMapsAndRecords() {
    IndexLookup<String, Customer> lookup = index.lookup(String.class, Customer.class);
    Customer a = lookup.find("a");
    assertThat(a.tags()).containsExactly("x", "y");
    assertThat(a.counts()).containsExactly(Map.entry("k", 7L));
    assertThat(a.addresses())
        .isEqualTo(
            Arrays.asList(
                new Address(12L, "Hauptstraße", null), null, new Address(null, "Weg", null)));
    assertThat(a.price().value("amount")).isEqualTo(new BigDecimal("12.30"));
    assertThat(a.price().value(1)).isEqualTo("EUR");
    Customer b = lookup.find("b");
    assertThat(b).isEqualTo(new Customer("b", null, Map.of(), List.of(), null));
    assertThat(lookup.find("n1999").tags()).containsExactly("tag1999", "t".repeat(40) + "1999");
  }

  @Test
  void objectsInsideHaveTheirNaturalTypes() {
    Loose row = index.lookup(String.class, Loose.class).find("a");
    assertThat(row.tags()).containsExactly("x", "y");
    assertThat(row.counts()).isEqualTo(Map.of("k", 7));
    assertThat(row.addresses().get(0).value("house_no")).isEqualTo((short) 12);
  }

  @Test
  void aRecordMayLeaveOutFieldsOfAStruct() {
    Prices row = index.lookup(String.class, Prices.class).find("n5");
    assertThat(row.price().amount()).isEqualTo(new BigDecimal("5.00"));
  }

  @Test
  void aPojoTakesThemToo() {
    assertThat(index.lookup(String.class, Pojo.class).find("a").counts).isEqualTo(Map.of("k", 7));
  }

  @Test
  void aGenericRowHasListsMapsAndStructs() {
    DimensionRow row = index.lookup(String.class, DimensionRow.class).find("a");
    assertThat(row.value("tags")).isEqualTo(List.of("x", "y"));
    assertThat(row.value("counts")).isEqualTo(Map.of("k", 7));
    assertThat(row.value("price")).hasToString("{amount=12.30, cur:rency=EUR}");
  }

  @Test
  void typesThatCannotHoldTheColumnAreRefused() {
    assertMismatch(WrongElement.class, "the column 'tags' of type string cannot become a Integer");
    assertMismatch(
        Primitives.class, "the column 'addresses.house_no' of type smallint cannot become a int");
    assertMismatch(NotNested.class, "the column 'tags' of type array<string> cannot become a");
  }

  private void assertMismatch(Class<?> rowType, String message) {
    assertThatThrownBy(() -> index.lookup(String.class, rowType))
        .isInstanceOf(LeatException.class)
        .hasMessageContaining(message)
        .extracting(e -> ((LeatException) e).errorCode())
        .isEqualTo(ErrorCode.TYPE_MISMATCH);
  }
}
