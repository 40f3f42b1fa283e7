package dev.leat.benchmarks;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The reference table: {@code customer_id|subscription_tier|country_code|account_status}, ids like
 * {@code cust-00001234}, the other columns of low cardinality (5 × 200 × 4 values). The rows are a
 * pure function of their number; half of the ids in the range are taken, so that an absent key
 * looks like a present one.
 */
final class CustomerTable {
  private static final String[] TIERS = {"free", "basic", "standard", "premium", "family"};
  private static final String[] STATUSES = {"active", "suspended", "closed", "trial"};
  private static final String[] COUNTRIES = countries();

  private final long rows;
  private final int digits;

  CustomerTable(long rows) {
    if (rows < 1 || rows > 500_000_000) {
      throw new IllegalArgumentException(rows + " rows cannot be made; give 1 to 500 million");
    }
    this.rows = rows;
    this.digits = 2 * rows > 100_000_000 ? 9 : 8;
  }

  private static String[] countries() {
    String[] countries = new String[200];
    for (int i = 0; i < countries.length; i++) {
      countries[i] = "" + (char) ('A' + i % 26) + (char) ('A' + i * 7 / 26 % 26);
    }
    return countries;
  }

  long rows() {
    return rows;
  }

  /** The number in the id of a row: one of each two neighbours. */
  long id(long row) {
    return 2 * row + (mixed(row) & 1);
  }

  /**
   * The number in an id that no row has: the other one, so that it has the same digits as one that
   * is there.
   */
  long absentId(long row) {
    return 2 * row + (~mixed(row) & 1);
  }

  static String tier(long row) {
    return TIERS[(int) (mixed(row) % 5)];
  }

  static String country(long row) {
    return COUNTRIES[(int) (mixed(row) / 5 % 200)];
  }

  static String status(long row) {
    return STATUSES[(int) (mixed(row) / 1000 % 4)];
  }

  private static long mixed(long row) {
    long x = row * 0x9e3779b97f4a7c15L;
    x ^= x >>> 32;
    return (x * 0xd6e8feb86659fd93L) >>> 20;
  }

  Customer row(long row) {
    return new Customer(key(id(row)), tier(row), country(row), status(row));
  }

  /** The bytes of an id at a place in an array. */
  void putKey(byte[] target, int at, long id) {
    target[at] = 'c';
    target[at + 1] = 'u';
    target[at + 2] = 's';
    target[at + 3] = 't';
    target[at + 4] = '-';
    long left = id;
    for (int i = at + keyLength() - 1; i > at + 4; i--) {
      target[i] = (byte) ('0' + left % 10);
      left /= 10;
    }
  }

  int keyLength() {
    return 5 + digits;
  }

  String key(long id) {
    byte[] bytes = new byte[keyLength()];
    putKey(bytes, 0, id);
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Writes the table as text in files of about equal size, and gives its bytes. */
  long write(Path directory, int files) throws IOException {
    Files.createDirectories(directory);
    long bytes = 0;
    for (int file = 0; file < files; file++) {
      Path path = directory.resolve(String.format("part-%04d.txt", file));
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 20)) {
        byte[] line = new byte[64];
        for (long row = rows * file / files; row < rows * (file + 1) / files; row++) {
          putKey(line, 0, id(row));
          int at = keyLength();
          at = put(line, at, tier(row));
          at = put(line, at, country(row));
          at = put(line, at, status(row));
          line[at++] = '\n';
          out.write(line, 0, at);
          bytes += at;
        }
      }
    }
    return bytes;
  }

  @SuppressWarnings(
      "deprecation") // All values are ASCII, for which String.getBytes(int, int, byte[], int) is
  // right and copies at once.
  private static int put(byte[] line, int at, String value) {
    line[at] = '|';
    value.getBytes(0, value.length(), line, at + 1);
    return at + 1 + value.length();
  }
}
