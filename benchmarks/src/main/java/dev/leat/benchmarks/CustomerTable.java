package dev.leat.benchmarks;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.util.List;

/**
 * The reference table with one key or another: beside the key three columns of low cardinality,
 * {@code subscription_tier|country_code|account_status} of 5 × 200 × 4 values.
 */
abstract class CustomerTable<K, D> extends Dataset<K, D> {
  private static final String[] TIERS = {"free", "basic", "standard", "premium", "family"};
  private static final String[] STATUSES = {"active", "suspended", "closed", "trial"};
  private static final String[] COUNTRIES = countries();

  CustomerTable(long rows) {
    super(rows);
  }

  private static String[] countries() {
    String[] countries = new String[200];
    for (int i = 0; i < countries.length; i++) {
      countries[i] = "" + (char) ('A' + i % 26) + (char) ('A' + i * 7 / 26 % 26);
    }
    return countries;
  }

  static List<Column> columns(Column key) {
    return List.of(key, text("subscription_tier"), text("country_code"), text("account_status"));
  }

  static Column text(String name) {
    return new Column(name, ColumnType.STRING);
  }

  @Override
  List<Integer> keyColumns() {
    return List.of(0);
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

  @Override
  Object cell(long row, int column) {
    return switch (column) {
      case 1 -> tier(row);
      case 2 -> country(row);
      case 3 -> status(row);
      default -> keyCells(key(id(row)))[0];
    };
  }

  /** Puts the columns that follow the key. */
  static int putRest(byte[] line, int at, long row) {
    line[at] = '|';
    int next = put(line, at + 1, tier(row));
    line[next] = '|';
    next = put(line, next + 1, country(row));
    line[next] = '|';
    next = put(line, next + 1, status(row));
    line[next] = '\n';
    return next + 1;
  }
}
