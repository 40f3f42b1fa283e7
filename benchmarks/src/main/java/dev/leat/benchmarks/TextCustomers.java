package dev.leat.benchmarks;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The reference table with keys of text: ids like {@code cust-00001234}, or UUIDs. */
abstract class TextCustomers extends CustomerTable<String, TextCustomers.Customer> {

  /** A row of the reference table. */
  public record Customer(
      String customerId, String subscriptionTier, String countryCode, String accountStatus) {}

  TextCustomers(long rows) {
    super(rows);
  }

  @Override
  List<Column> columns() {
    return columns(text("customer_id"));
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
    byte[] bytes = new byte[packedBytes()];
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
  String unpack(byte[] source, int at) {
    return new String(source, at, packedBytes(), StandardCharsets.ISO_8859_1);
  }

  @Override
  Customer row(String key, Cells cells) {
    return new Customer(
        key,
        requireNonNull(cells.text(1)),
        requireNonNull(cells.text(2)),
        requireNonNull(cells.text(3)));
  }

  @Override
  int used(Customer row) {
    return row.customerId.length()
        + row.subscriptionTier.length()
        + row.countryCode.length()
        + row.accountStatus.length();
  }

  @Override
  int putLine(byte[] line, int at, long row) {
    pack(line, at, id(row));
    return putRest(line, at + packedBytes(), row);
  }

  /** Ids like {@code cust-00001234}. */
  static class Ids extends TextCustomers {
    private final int digits;

    Ids(long rows) {
      super(rows);
      this.digits = 2 * rows > 100_000_000 ? 9 : 8;
    }

    @Override
    int packedBytes() {
      return 5 + digits;
    }

    @Override
    void pack(byte[] target, int at, long id) {
      put(target, at, "cust-");
      putDigits(target, at + 5, digits, id);
    }
  }

  /** UUIDs of version 4, as text. */
  static final class Uuids extends TextCustomers {
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    Uuids(long rows) {
      super(rows);
    }

    @Override
    int packedBytes() {
      return 36;
    }

    @Override
    void pack(byte[] target, int at, long id) {
      long high = spread(id) & ~0xF000L | 0x4000;
      long low = spread(~id) & 0x3FFF_FFFF_FFFF_FFFFL | 0x8000_0000_0000_0000L;
      int next = at;
      for (int digit = 0; digit < 32; digit++) {
        if (digit == 8 || digit == 12 || digit == 16 || digit == 20) {
          target[next++] = '-';
        }
        long half = digit < 16 ? high : low;
        target[next++] = HEX[(int) (half >>> 60 - digit % 16 * 4) & 15];
      }
    }

    /** One to one, so that no two ids share a UUID. */
    private static long spread(long id) {
      long x = (id ^ id >>> 30) * 0xbf58476d1ce4e5b9L;
      x = (x ^ x >>> 27) * 0x94d049bb133111ebL;
      return x ^ x >>> 31;
    }
  }
}
