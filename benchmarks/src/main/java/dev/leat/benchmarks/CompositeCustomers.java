package dev.leat.benchmarks;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The reference table with a key of two columns, a text and a number. */
final class CompositeCustomers
    extends CustomerTable<CompositeCustomers.Key, CompositeCustomers.Account> {
  private static final int COUNTRY_BYTES = 2;

  /** The key. */
  record Key(String countryCode, long accountId) {}

  /** A row. */
  record Account(
      String countryCode, long accountId, String subscriptionTier, String accountStatus) {}

  CompositeCustomers(long rows) {
    super(rows);
  }

  @Override
  List<Column> columns() {
    return List.of(
        text("country_code"),
        new Column("account_id", ColumnType.BIGINT),
        text("subscription_tier"),
        text("account_status"));
  }

  @Override
  List<Integer> keyColumns() {
    return List.of(0, 1);
  }

  @Override
  Class<Key> keyType() {
    return Key.class;
  }

  @Override
  Class<Account> rowType() {
    return Account.class;
  }

  @Override
  Key key(long id) {
    return new Key(country(rowOf(id)), id);
  }

  @Override
  Object[] keyCells(Key key) {
    return new Object[] {key.countryCode, key.accountId};
  }

  @Override
  byte[] keyBytes(Key key) {
    byte[] bytes = new byte[COUNTRY_BYTES + 8];
    put(bytes, 0, key.countryCode);
    IntegerCustomers.LONG.set(bytes, COUNTRY_BYTES, key.accountId);
    return bytes;
  }

  @Override
  int packedBytes() {
    return COUNTRY_BYTES + 8;
  }

  @Override
  void pack(byte[] target, int at, long id) {
    put(target, at, country(rowOf(id)));
    IntegerCustomers.LONG.set(target, at + COUNTRY_BYTES, id);
  }

  @Override
  Key unpack(byte[] source, int at) {
    return new Key(
        new String(source, at, COUNTRY_BYTES, StandardCharsets.ISO_8859_1),
        (long) IntegerCustomers.LONG.get(source, at + COUNTRY_BYTES));
  }

  @Override
  Object cell(long row, int column) {
    return switch (column) {
      case 0 -> country(row);
      case 1 -> id(row);
      case 2 -> tier(row);
      default -> status(row);
    };
  }

  @Override
  Account row(Key key, Cells cells) {
    return new Account(
        key.countryCode,
        key.accountId,
        requireNonNull(cells.text(2)),
        requireNonNull(cells.text(3)));
  }

  @Override
  int used(Account row) {
    return (int) row.accountId & 15
        | row.subscriptionTier.length() + row.countryCode.length() + row.accountStatus.length();
  }

  @Override
  int putLine(byte[] line, int at, long row) {
    int next = put(line, at, country(row));
    line[next] = '|';
    next = put(line, next + 1, Long.toString(id(row)));
    line[next] = '|';
    next = put(line, next + 1, tier(row));
    line[next] = '|';
    next = put(line, next + 1, status(row));
    line[next] = '\n';
    return next + 1;
  }
}
