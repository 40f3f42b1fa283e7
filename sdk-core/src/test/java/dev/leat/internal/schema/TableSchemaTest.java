package dev.leat.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.leat.Dimension;
import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.FormatReader;
import dev.leat.spi.RowFormat;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TableSchemaTest {

  record Customer(String customerId, int visits) {}

  record AllTypes(
      boolean flag,
      byte tiny,
      short small,
      int whole,
      long big,
      float real,
      double precise,
      BigDecimal amount,
      String text,
      UUID uuid,
      LocalDate day,
      LocalDateTime local,
      Instant instant,
      byte[] bytes) {}

  record StoreKey(int storeId, String country) {}

  record Store(String name) {}

  @Test
  void aRecordKeepsItsColumnsAndThoseOfTheKeyInTheOrderOfTheSource() {
    TableSchema schema =
        resolve(
            Customer.class,
            String.class,
            columns("CUSTOMER_ID", "country", "Visits"),
            "customer_id");

    assertThat(schema.columns())
        .containsExactly(
            new Column("CUSTOMER_ID", ColumnType.STRING), new Column("Visits", ColumnType.INT));
    assertThat(schema.keyColumns()).containsExactly(0);
    assertThat(schema.requiredColumns()).containsExactlyInAnyOrder(1);
    assertThat(schema.rowComponents())
        .extracting(TargetComponent::name, TargetComponent::column)
        .containsExactly(tuple("customerId", 0), tuple("visits", 1));
    assertThat(schema.keyComponents())
        .extracting(TargetComponent::type, TargetComponent::column)
        .containsExactly(tuple(String.class, 0));
  }

  @Test
  void componentsKeepTheOrderOfTheConstructorWhateverTheOrderOfTheSource() {
    TableSchema schema =
        resolve(Customer.class, String.class, columns("visits", "customer_id"), "customer_id");

    assertThat(schema.columns()).extracting(Column::name).containsExactly("visits", "customer_id");
    assertThat(schema.rowComponents()).extracting(TargetComponent::column).containsExactly(1, 0);
    assertThat(schema.keyColumns()).containsExactly(1);
  }

  @Test
  void aKeyColumnThatTheTargetLacksIsKept() {
    TableSchema schema =
        resolve(Store.class, StoreKey.class, columns("name", "country", "id"), "id", "country");

    assertThat(schema.columns())
        .containsExactly(
            new Column("name", ColumnType.STRING),
            new Column("country", ColumnType.STRING),
            new Column("id", ColumnType.INT));
    assertThat(schema.keyColumns()).containsExactly(2, 1);
    assertThat(schema.keyComponents())
        .extracting(TargetComponent::name)
        .containsExactly("storeId", "country");
    assertThat(schema.requiredColumns())
        .as("a NULL key is found by nobody and is not malformed")
        .isEmpty();
  }

  record Address(String street, Integer houseNo) {}

  record Shop(String id, List<String> tags, Map<String, List<Address>> addresses) {}

  record PrimitiveAddress(String street, int houseNo) {}

  record PrimitiveShop(List<PrimitiveAddress> addresses) {}

  record Chain(Chain next) {}

  record Chains(Chain first) {}

  record ListKey(List<String> tags) {}

  @Test
  void listsMapsAndRecordsAreNestedColumns() {
    TableSchema schema =
        resolve(Shop.class, String.class, columns("id", "tags", "addresses"), "id");

    assertThat(schema.columns())
        .extracting(column -> column.type().toString())
        .containsExactly(
            "string", "array<string>", "map<string,array<struct<street:string,houseNo:int>>>");
  }

  @Test
  void aRecordMayKeepSomeFieldsOfAStructInWiderTypes() {
    TableSchema schema =
        resolve(
            Shop.class,
            String.class,
            List.of(
                column("id", ColumnType.STRING),
                column("tags", ColumnType.parse("array<varchar(9)>")),
                column(
                    "addresses",
                    ColumnType.parse(
                        "map<string,array<struct<zip:int,house_no:smallint,street:string>>>"))),
            "id");

    assertThat(schema.columns()).hasSize(3);
  }

  @Test
  void nestedColumnsThatTheTargetCannotHoldAreRefused() {
    assertRefused(
        PrimitiveShop.class,
        List.of(column("addresses", ColumnType.parse("array<struct<street:string,house_no:int>>"))),
        String.class,
        "addresses",
        "cannot hold; use a List with elements that hold struct<street:string,house_no:int>");
    assertRefused(
        PrimitiveShop.class,
        columns("addresses"),
        String.class,
        "addresses",
        "which no column can become");
    assertRefused(
        Chains.class, columns("first"), String.class, "first", "which no column can become");
  }

  @Test
  void aKeyHasNoParts() {
    assertRefused(
        Shop.class,
        columns("id", "tags", "addresses"),
        ListKey.class,
        "tags",
        "the key's column 'tags' is array<string>, and a key has no parts");
  }

  @Test
  void anUntypedColumnTakesTheTypeOfItsComponent() {
    TableSchema schema =
        resolve(
            AllTypes.class,
            String.class,
            columns(
                "flag", "tiny", "small", "whole", "big", "real", "precise", "amount", "text",
                "uuid", "day", "local", "instant", "bytes"),
            "text");

    assertThat(schema.columns())
        .extracting(Column::type)
        .containsExactly(
            ColumnType.BOOLEAN,
            ColumnType.TINYINT,
            ColumnType.SMALLINT,
            ColumnType.INT,
            ColumnType.BIGINT,
            ColumnType.FLOAT,
            ColumnType.DOUBLE,
            ColumnType.decimal(38, 18),
            ColumnType.STRING,
            ColumnType.STRING,
            ColumnType.DATE,
            ColumnType.TIMESTAMP,
            ColumnType.TIMESTAMP,
            ColumnType.BINARY);
    assertThat(schema.requiredColumns()).containsExactlyInAnyOrder(0, 1, 2, 3, 4, 5, 6);
  }

  record Wide(long small, double real, String code, BigDecimal amount) {}

  @Test
  void aTypedColumnKeepsItsTypeAndTheComponentMayBeWider() {
    TableSchema schema =
        resolve(
            Wide.class,
            Long.class,
            List.of(
                column("small", ColumnType.SMALLINT),
                column("real", ColumnType.FLOAT),
                column("code", ColumnType.character(3)),
                column("amount", ColumnType.decimal(7, 2))),
            "small");

    assertThat(schema.columns())
        .extracting(Column::type)
        .containsExactly(
            ColumnType.SMALLINT,
            ColumnType.FLOAT,
            ColumnType.character(3),
            ColumnType.decimal(7, 2));
  }

  @Test
  void aGenericRowKeepsEveryColumnAndTheKeyDecidesTheTypeOfItsOwn() {
    TableSchema schema = resolve(DimensionRow.class, Long.class, columns("id", "name"), "id");

    assertThat(schema.columns())
        .containsExactly(
            new Column("id", ColumnType.BIGINT), new Column("name", ColumnType.STRING));
    assertThat(schema.rowComponents()).isEmpty();
    assertThat(schema.requiredColumns()).isEmpty();
  }

  @Test
  void ofTwoIntegerTypesForOneColumnTheNarrowerDecides() {
    TableSchema schema =
        resolve(Customer.class, Long.class, columns("customer_id", "visits"), "visits");

    assertThat(schema.columns().get(1)).isEqualTo(new Column("visits", ColumnType.INT));
  }

  static class Base {
    protected String country;
  }

  static final class Pojo extends Base {
    static String ignored;
    transient int alsoIgnored;
    public String customerId;
    private @SuppressWarnings("UnusedVariable") int visits;
    private @SuppressWarnings("UnusedVariable") long total;

    public void setVisits(int visits) {
      this.visits = visits;
    }
  }

  @Test
  void aPojoIsSetBySettersAndElseByItsFields() {
    TableSchema schema =
        resolve(
            Pojo.class,
            String.class,
            columns("customer_id", "visits", "total", "country", "more"),
            "customer_id");

    assertThat(schema.columns())
        .extracting(Column::name)
        .containsExactly("customer_id", "visits", "total", "country");
    assertThat(schema.rowComponents())
        .extracting(TargetComponent::name)
        .containsExactly("customerId", "total", "visits", "country");
    assertThat(schema.rowComponents().get(0).writer().orElseThrow()).isInstanceOf(Field.class);
    assertThat(schema.rowComponents().get(2).writer().orElseThrow()).isInstanceOf(Method.class);
    assertThat(schema.requiredColumns()).containsExactlyInAnyOrder(1, 2);
  }

  @Test
  void theColumnsOfTheFormatAreNotReadFromAFile() {
    Dimension<String, Customer> dimension =
        Dimension.named("customers")
            .at("file:///c/")
            .rows(Customer.class, new Declared(Optional.of(columns("customer_id", "visits"))))
            .keyedBy(String.class, "customer_id");

    TableSchema schema =
        TableSchema.resolve(
            dimension,
            () -> {
              throw new AssertionError("no file is to be read");
            });

    assertThat(schema.columns()).hasSize(2);
  }

  @Test
  void aMissingColumnIsNamedWithThoseThatThereAre() {
    assertThatThrownBy(
            () ->
                resolve(
                    Customer.class,
                    String.class,
                    columns("customer_id", "visit", "country"),
                    "customer_id"))
        .isInstanceOf(LeatException.class)
        .hasMessage(
            "LEAT-1002: Dimension 'customers': component 'visits' of Customer has no column 'visits'; did you mean 'visit'? the source has [customer_id, visit, country]");
    assertThatThrownBy(
            () -> resolve(Customer.class, String.class, columns("a", "visits"), "customer_id"))
        .hasMessage(
            "LEAT-1002: Dimension 'customers': the key type String has no column 'customer_id'; the source has [a, visits]");
  }

  @Test
  void aNameThatMeansSeveralColumnsIsRefused() {
    assertThatCode(
        ErrorCode.INVALID_DEFINITION,
        () ->
            resolve(
                Customer.class,
                String.class,
                columns("customer_id", "visits", "visits"),
                "customer_id"));
    assertThatCode(
        ErrorCode.INVALID_DEFINITION,
        () ->
            resolve(
                Customer.class,
                String.class,
                columns("customer_id", "VISITS", "Visits"),
                "customer_id"));
    assertThat(
            resolve(
                    Customer.class,
                    String.class,
                    columns("customer_id", "VISITS", "visits"),
                    "customer_id")
                .columns()
                .get(1)
                .name())
        .as("an exact name is not ambiguous")
        .isEqualTo("visits");
  }

  record Odd(String customerId, List<Thread> visits) {}

  @Test
  void aTypeThatCannotHoldItsColumnIsRefused() {
    assertThatThrownBy(
            () ->
                resolve(
                    Customer.class,
                    String.class,
                    List.of(
                        column("customer_id", ColumnType.STRING),
                        column("visits", ColumnType.BIGINT)),
                    "customer_id"))
        .hasMessage(
            "LEAT-1003: Dimension 'customers': column 'visits' is bigint, which component 'visits' of Customer of type int cannot hold; use long or Long");
    assertThatCode(
        ErrorCode.TYPE_MISMATCH,
        () -> resolve(Odd.class, String.class, columns("customer_id", "visits"), "customer_id"));
    assertThatThrownBy(
            () ->
                resolve(
                    Customer.class, Integer.class, columns("customer_id", "visits"), "customer_id"))
        .hasMessage(
            "LEAT-1003: Dimension 'customers': column 'customer_id' cannot be int for the key type Integer and string for component 'customerId' of Customer; give both the same type");
  }

  record Empty() {}

  @SuppressWarnings("unused")
  static final class NoConstructor {
    int visits;

    NoConstructor(int visits) {
      this.visits = visits;
    }
  }

  @SuppressWarnings("unused")
  static final class FinalField {
    final int visits = 1;
  }

  @SuppressWarnings({"unused", "ClassCanBeStatic", "InnerClassMayBeStatic"})
  final class Inner {
    int visits;
  }

  interface Rows {}

  @Test
  void aTypeThatCannotBeARowIsRefused() {
    for (Class<?> type :
        List.of(
            Empty.class,
            NoConstructor.class,
            FinalField.class,
            Inner.class,
            Rows.class,
            String.class,
            int.class,
            int[].class)) {
      assertThatCode(
          ErrorCode.INVALID_DEFINITION,
          () -> resolve(type, String.class, columns("id", "visits"), "id"));
    }
  }

  private static void assertRefused(
      Class<?> rowType,
      List<RowFormat.DeclaredColumn> columns,
      Class<?> keyType,
      String keyColumn,
      String message) {
    assertThatThrownBy(() -> resolve(rowType, keyType, columns, keyColumn))
        .hasMessageContaining(message)
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.TYPE_MISMATCH));
  }

  private static void assertThatCode(
      ErrorCode code, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).isEqualTo(code));
  }

  private static TableSchema resolve(
      Class<?> rowType,
      Class<?> keyType,
      List<RowFormat.DeclaredColumn> columns,
      String... keyColumns) {
    return TableSchema.resolve(
        Dimension.named("customers")
            .at("file:///c/")
            .rows(rowType, new Declared(Optional.empty()))
            .keyedBy(keyType, keyColumns),
        () -> columns);
  }

  private static List<RowFormat.DeclaredColumn> columns(String... names) {
    return List.of(names).stream()
        .map(name -> new RowFormat.DeclaredColumn(name, Optional.empty()))
        .toList();
  }

  private static RowFormat.DeclaredColumn column(String name, ColumnType type) {
    return new RowFormat.DeclaredColumn(name, Optional.of(type));
  }

  /** A format that has columns and no files. */
  private record Declared(Optional<List<RowFormat.DeclaredColumn>> declaredColumns)
      implements RowFormat {
    @Override
    public String definition() {
      return "declared";
    }

    @Override
    public List<RowFormat.DeclaredColumn> columnsOf(Blob file, BlobReader reader) {
      throw new AssertionError("the test gives the columns");
    }

    @Override
    public FormatReader reader(List<Column> columns) {
      throw new AssertionError("nothing is read here");
    }
  }
}
