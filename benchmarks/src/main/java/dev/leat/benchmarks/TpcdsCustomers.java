package dev.leat.benchmarks;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table {@code customer} of TPC-DS, made up here and not by its generator, with a day and an
 * amount added, so that there are twenty columns of four types. 4 % of the numbers are NULL. The
 * key is {@code c_customer_id}, 16 letters.
 */
final class TpcdsCustomers extends Dataset<String, TpcdsCustomers.Customer> {
  private static final int ID_LETTERS = 16;
  private static final int KEY = 1;
  private static final String[] SALUTATIONS = {"Mr.", "Mrs.", "Ms.", "Miss", "Dr.", "Sir"};
  private static final String[] SYLLABLES = {
    "an", "bel", "car", "do", "el", "fran", "ge", "hil", "is", "jo", "ka", "lin", "mar", "na", "o",
    "pe", "ri", "son", "ta", "vic"
  };
  private static final String[] LANDS = lands();

  /** A row. */
  record Customer(
      @Nullable Integer cCustomerSk,
      String cCustomerId,
      @Nullable Integer cCurrentCdemoSk,
      @Nullable Integer cCurrentHdemoSk,
      @Nullable Integer cCurrentAddrSk,
      @Nullable Integer cFirstShiptoDateSk,
      @Nullable Integer cFirstSalesDateSk,
      @Nullable String cSalutation,
      @Nullable String cFirstName,
      @Nullable String cLastName,
      @Nullable String cPreferredCustFlag,
      @Nullable Integer cBirthDay,
      @Nullable Integer cBirthMonth,
      @Nullable Integer cBirthYear,
      @Nullable String cBirthCountry,
      @Nullable String cLogin,
      @Nullable String cEmailAddress,
      @Nullable Integer cLastReviewDateSk,
      @Nullable LocalDate cSince,
      @Nullable BigDecimal cBalance) {}

  private static final List<Column> COLUMNS =
      List.of(
          new Column("c_customer_sk", ColumnType.INT),
          new Column("c_customer_id", ColumnType.STRING),
          new Column("c_current_cdemo_sk", ColumnType.INT),
          new Column("c_current_hdemo_sk", ColumnType.INT),
          new Column("c_current_addr_sk", ColumnType.INT),
          new Column("c_first_shipto_date_sk", ColumnType.INT),
          new Column("c_first_sales_date_sk", ColumnType.INT),
          new Column("c_salutation", ColumnType.STRING),
          new Column("c_first_name", ColumnType.STRING),
          new Column("c_last_name", ColumnType.STRING),
          new Column("c_preferred_cust_flag", ColumnType.STRING),
          new Column("c_birth_day", ColumnType.INT),
          new Column("c_birth_month", ColumnType.INT),
          new Column("c_birth_year", ColumnType.INT),
          new Column("c_birth_country", ColumnType.STRING),
          new Column("c_login", ColumnType.STRING),
          new Column("c_email_address", ColumnType.STRING),
          new Column("c_last_review_date_sk", ColumnType.INT),
          new Column("c_since", ColumnType.DATE),
          new Column("c_balance", ColumnType.decimal(12, 2)));

  TpcdsCustomers(long rows) {
    super(rows);
  }

  private static String[] lands() {
    String[] lands = new String[212];
    for (int i = 0; i < lands.length; i++) {
      lands[i] =
          (SYLLABLES[i % 20] + SYLLABLES[i / 20] + "LAND").toUpperCase(java.util.Locale.ROOT);
    }
    return lands;
  }

  @Override
  List<Column> columns() {
    return COLUMNS;
  }

  @Override
  List<Integer> keyColumns() {
    return List.of(KEY);
  }

  @Override
  Class<String> keyType() {
    return String.class;
  }

  @Override
  Class<Customer> rowType() {
    return Customer.class;
  }

  @Override
  String key(long id) {
    byte[] bytes = new byte[ID_LETTERS];
    pack(bytes, 0, id);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  @Override
  Object[] keyCells(String key) {
    return new Object[] {key};
  }

  @Override
  byte[] keyBytes(String key) {
    return key.getBytes(StandardCharsets.ISO_8859_1);
  }

  @Override
  int packedBytes() {
    return ID_LETTERS;
  }

  /** As TPC-DS does: the number in letters from A to P, the lowest digit first. */
  @Override
  void pack(byte[] target, int at, long id) {
    for (int i = 0; i < ID_LETTERS; i++) {
      target[at + (i + 8) % ID_LETTERS] = (byte) ('A' + (id >>> 4 * i & 15));
    }
  }

  @Override
  String unpack(byte[] source, int at) {
    return new String(source, at, ID_LETTERS, StandardCharsets.ISO_8859_1);
  }

  @Override
  @Nullable Object cell(long row, int column) {
    long random = mixed(row * 32 + column);
    if (column > KEY && random % 25 == 0) {
      return null;
    }
    long value = random / 25;
    return switch (column) {
      case 0 -> (int) row + 1;
      case KEY -> key(id(row));
      case 2 -> (int) (value % 1_920_800) + 1;
      case 3 -> (int) (value % 7_200) + 1;
      case 4 -> (int) (value % Math.max(1, rows() / 2)) + 1;
      case 5, 6, 17 -> 2_449_000 + (int) (value % 3_650);
      case 7 -> SALUTATIONS[(int) (value % SALUTATIONS.length)];
      case 8, 9 -> name(value);
      case 10 -> value % 2 == 0 ? "Y" : "N";
      case 11 -> (int) (value % 28) + 1;
      case 12 -> (int) (value % 12) + 1;
      case 13 -> 1924 + (int) (value % 69);
      case 14 -> LANDS[(int) (value % LANDS.length)];
      case 15 -> null;
      case 16 -> name(value) + "." + name(value / 8_000) + "@" + key(row).substring(8) + ".org";
      case 18 -> LocalDate.ofEpochDay(10_957 + value % 9_000);
      default -> BigDecimal.valueOf(value % 2_000_000 - 500_000, 2);
    };
  }

  /** One of 8,000. */
  private static String name(long value) {
    String name =
        SYLLABLES[(int) (value % 20)]
            + SYLLABLES[(int) (value / 20 % 20)]
            + SYLLABLES[(int) (value / 400 % 20)];
    return Character.toUpperCase(name.charAt(0)) + name.substring(1);
  }

  @Override
  Customer row(String key, Cells cells) {
    return new Customer(
        cells.integer(0),
        key,
        cells.integer(2),
        cells.integer(3),
        cells.integer(4),
        cells.integer(5),
        cells.integer(6),
        cells.text(7),
        cells.text(8),
        cells.text(9),
        cells.text(10),
        cells.integer(11),
        cells.integer(12),
        cells.integer(13),
        cells.text(14),
        cells.text(15),
        cells.text(16),
        cells.integer(17),
        cells.date(18),
        cells.decimal(19));
  }

  @Override
  int used(Customer row) {
    // A few of each kind: an object that nobody reads cannot be left out by the JIT compiler as
    // long as the row itself escapes into the loop's field.
    return (requireNonNull(row.cCustomerSk) & 15)
        + row.cCustomerId.length()
        + (row.cEmailAddress == null ? 0 : row.cEmailAddress.length())
        + (row.cSince == null ? 0 : row.cSince.getDayOfMonth())
        + (row.cBalance == null ? 0 : row.cBalance.scale());
  }

  @Override
  int putLine(byte[] line, int at, long row) {
    int next = at;
    for (int column = 0; column < COLUMNS.size(); column++) {
      if (column > 0) {
        line[next++] = '|';
      }
      Object cell = cell(row, column);
      next = put(line, next, cell == null ? "\\N" : cell.toString());
    }
    line[next] = '\n';
    return next + 1;
  }
}
