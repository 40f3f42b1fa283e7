package dev.leat.hive.internal;

import java.util.Locale;

/**
 * The name of a table. Hive knows names in lower case only.
 *
 * @param database its database
 * @param table its name in the database
 */
public record TableName(String database, String table) {
  private static final String DEFAULT_DATABASE = "default";

  /** Makes both lower case. */
  public TableName {
    database = database.toLowerCase(Locale.ROOT);
    table = table.toLowerCase(Locale.ROOT);
  }

  /** Reads {@code database.table} or {@code table}. */
  public static TableName parse(String text) {
    String[] parts = text.strip().split("\\.", -1);
    boolean blank = parts[0].isBlank() || parts[parts.length - 1].isBlank();
    if (parts.length > 2 || blank) {
      throw new IllegalArgumentException(
          "'" + text + "' is no name of a table; write e.g. default.customer_dimension");
    }
    return parts.length == 1
        ? new TableName(DEFAULT_DATABASE, parts[0])
        : new TableName(parts[0], parts[1]);
  }

  /** The database, a point and the table. */
  @Override
  public String toString() {
    return database + "." + table;
  }
}
