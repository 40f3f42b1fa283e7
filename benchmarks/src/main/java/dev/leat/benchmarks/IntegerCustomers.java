package dev.leat.benchmarks;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.List;

/** The reference table with keys of the type BIGINT. */
final class IntegerCustomers extends CustomerTable<Long, IntegerCustomers.Customer> {
  static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  /** A row. */
  record Customer(
      long customerId, String subscriptionTier, String countryCode, String accountStatus) {}

  IntegerCustomers(long rows) {
    super(rows);
  }

  @Override
  List<Column> columns() {
    return columns(new Column("customer_id", ColumnType.BIGINT));
  }

  @Override
  Class<Long> keyType() {
    return Long.class;
  }

  @Override
  Class<Customer> rowType() {
    return Customer.class;
  }

  @Override
  Long key(long id) {
    return id;
  }

  @Override
  Object[] keyCells(Long key) {
    return new Object[] {key};
  }

  @Override
  byte[] keyBytes(Long key) {
    byte[] bytes = new byte[8];
    LONG.set(bytes, 0, (long) key);
    return bytes;
  }

  @Override
  int packedBytes() {
    return 8;
  }

  @Override
  void pack(byte[] target, int at, long id) {
    LONG.set(target, at, id);
  }

  @Override
  Long unpack(byte[] source, int at) {
    return (long) LONG.get(source, at);
  }

  @Override
  Customer row(Long key, Cells cells) {
    return new Customer(
        key,
        requireNonNull(cells.text(1)),
        requireNonNull(cells.text(2)),
        requireNonNull(cells.text(3)));
  }

  @Override
  int used(Customer row) {
    return (int) row.customerId & 15
        | row.subscriptionTier.length() + row.countryCode.length() + row.accountStatus.length();
  }

  @Override
  int putLine(byte[] line, int at, long row) {
    return putRest(line, put(line, at, Long.toString(id(row))), row);
  }
}
