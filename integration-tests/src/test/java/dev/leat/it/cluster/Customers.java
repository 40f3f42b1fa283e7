package dev.leat.it.cluster;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.util.Objects.requireNonNull;

import dev.leat.testserver.RealS3;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The customers' table of a job, one object that is overwritten: each row tells in its last column
 * of which edition it is. What stands in an edition is read off its very bytes once more, without
 * Leat.
 */
final class Customers {
  private static final int ROWS = 5_000;
  private static final int ID = 1;
  private static final int TIER = 18;
  private static final int EDITION = 21;

  private final RealS3 s3;
  private final String bucket;
  private final String name;
  private final List<Map<String, Row>> editions = new ArrayList<>();

  /**
   * What the job takes of a row.
   *
   * @param edition of which edition the row is
   */
  record Row(String tier, @Nullable String country, String status, int edition) {}

  Customers(RealS3 s3, String bucket, String name) {
    this.s3 = s3;
    this.bucket = bucket;
    this.name = name;
  }

  String location() {
    return "s3a://" + bucket + "/" + name + "/";
  }

  /** A part of the keys of the table's objects. */
  String key() {
    return name + "/";
  }

  static String id(int number) {
    return "CUSTOMER-" + number;
  }

  static int count() {
    return ROWS;
  }

  /** Overwrites the table; gives the number of the new edition, the first of which is 1. */
  int publishNext() {
    int edition = editions.size() + 1;
    StringBuilder text = new StringBuilder();
    for (int row = 0; row < ROWS; row++) {
      text.append(row).append('|').append(id(row)).append('|');
      text.append("filler|".repeat(TIER - ID - 1));
      text.append("tier-").append((row + edition) % 4).append('|');
      text.append(row % 7 == 0 ? "" : "DE").append("|active|").append(edition).append("|\n");
    }
    byte[] bytes = text.toString().getBytes(ISO_8859_1);
    editions.add(read(bytes));
    s3.put(bucket, name + "/part-0", bytes);
    return edition;
  }

  private static Map<String, Row> read(byte[] file) {
    Map<String, Row> rows = new HashMap<>();
    for (String line : new String(file, ISO_8859_1).split("\n", -1)) {
      if (!line.isEmpty()) {
        String[] cells = line.split("\\|", -1);
        String country = cells[TIER + 1].isEmpty() ? null : cells[TIER + 1];
        rows.put(
            cells[ID],
            new Row(cells[TIER], country, cells[TIER + 2], Integer.parseInt(cells[EDITION])));
      }
    }
    return rows;
  }

  int editions() {
    return editions.size();
  }

  boolean has(@Nullable String customer) {
    return editions.get(0).containsKey(customer);
  }

  /** The row that a customer has in an edition. */
  Row row(String customer, int edition) {
    return requireNonNull(editions.get(edition - 1).get(customer), customer);
  }
}
