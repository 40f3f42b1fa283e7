package dev.leat.samples.streamedge.show;

import io.trino.tpcds.Results;
import io.trino.tpcds.Session;
import io.trino.tpcds.Table;
import io.trino.tpcds.TableGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The customers: rows of the TPC-DS table {@code customer} exactly as its generator writes them
 * ('|' after every column, the last one too, ISO 8859-1, a NULL as nothing), followed by a
 * subscription tier, a country code, the state of the account and the edition. All four follow from
 * the row and the edition alone.
 */
final class CustomerTable {
  private static final int FILES = 4;
  private static final List<String> TIERS = List.of("free", "basic", "standard", "premium");
  private static final int CUSTOMER_ID = 1;
  private static final int BIRTH_COUNTRY = 14;

  private final List<String> ids = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final List<@Nullable String> countries = new ArrayList<>();

  private CustomerTable() {}

  /**
   * Generates the table.
   *
   * @param scale TPC-DS's scale factor; 100,000 customers at 1
   */
  static CustomerTable generate(double scale) {
    CustomerTable table = new CustomerTable();
    Map<String, String> codes = countryCodes();
    Session session = Session.getDefaultSession().withTable(Table.CUSTOMER).withScale(scale);
    for (List<List<String>> parentAndChildren : Results.constructResults(Table.CUSTOMER, session)) {
      List<String> row = parentAndChildren.get(0);
      table.ids.add(row.get(CUSTOMER_ID));
      table.countries.add(codes.get(String.valueOf(row.get(BIRTH_COUNTRY))));
      table.lines.add(TableGenerator.formatRow(row, session).stripTrailing());
    }
    return table;
  }

  int rows() {
    return ids.size();
  }

  /** The key of each row. */
  List<String> ids() {
    return ids;
  }

  /** How many customers have another tier in {@code edition} than in the one before. */
  int changedIn(int edition) {
    int changed = 0;
    for (int row = 0; row < rows(); row++) {
      if (!tier(row, edition).equals(tier(row, edition - 1))) {
        changed++;
      }
    }
    return changed;
  }

  /**
   * Writes one version of the table.
   *
   * @param directory where; made if it is not there
   * @param locations gets where each customer's row stands
   */
  Edition write(int version, Path directory, Map<String, RowLocation> locations)
      throws IOException {
    Files.createDirectories(directory);
    List<Path> files = new ArrayList<>();
    for (int file = 0; file < FILES; file++) {
      Path path = directory.resolve("customer_" + (file + 1) + "_" + FILES + ".dat");
      files.add(path);
      long offset = 0;
      try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(path), 1 << 16)) {
        int end = (int) ((long) rows() * (file + 1) / FILES);
        for (int row = (int) ((long) rows() * file / FILES); row < end; row++) {
          byte[] line = line(row, version).getBytes(StandardCharsets.ISO_8859_1);
          out.write(line);
          out.write('\n');
          locations.put(ids.get(row), new RowLocation(file, offset, line.length));
          offset += line.length + 1;
        }
      }
    }
    return new Edition(version, List.copyOf(files));
  }

  private String line(int row, int version) {
    String country = countries.get(row);
    return lines.get(row)
        + tier(row, version)
        + '|'
        + (country == null ? "" : country)
        + '|'
        + status(row)
        + '|'
        + version
        + '|';
  }

  /**
   * Half of the customers pay nothing at first; with each edition every twentieth, others each
   * time, moves one tier up.
   */
  private String tier(int row, int version) {
    int mixed = Math.floorMod(row * 0x9E3779B1, 1 << 20);
    int first = Math.max(0, mixed % 6 - 2);
    int upgrades = Math.floorMod(mixed / 6, 20) < version - 1 ? 1 : 0;
    return TIERS.get(Math.min(first + upgrades, TIERS.size() - 1));
  }

  private static String status(int row) {
    return row % 97 == 0 ? "closed" : row % 41 == 0 ? "suspended" : "active";
  }

  private static Map<String, String> countryCodes() {
    Map<String, String> codes = new HashMap<>();
    for (String code : Locale.getISOCountries()) {
      String name = new Locale("", code).getDisplayCountry(Locale.ENGLISH);
      codes.put(name.toUpperCase(Locale.ROOT), code);
    }
    return codes;
  }
}
