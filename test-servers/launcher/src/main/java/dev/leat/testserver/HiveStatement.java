package dev.leat.testserver;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code CREATE TABLE} as Hive's users write it for delimited text. Hive's own SQL runs in a
 * server that a metastore does not need: this gives the metastore what that server would.
 */
public final class HiveStatement {

  private static final Pattern CREATE_TABLE =
      Pattern.compile(
          "\\s*CREATE\\s+(EXTERNAL\\s+)?TABLE\\s+(?:(?<database>\\w+)\\.)?(?<table>\\w+)"
              + "\\s*\\((?<columns>[^)]*)\\)"
              + "\\s*ROW\\s+FORMAT\\s+DELIMITED\\s+FIELDS\\s+TERMINATED\\s+BY\\s+'(?<delimiter>.)'"
              + "\\s+STORED\\s+AS\\s+TEXTFILE\\s+LOCATION\\s+'(?<location>[^']+)'\\s*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private HiveStatement() {}

  /**
   * The table that a statement makes. It is external where Hive would take the location of a table
   * of its own too, since both read the same.
   *
   * @param statement {@code CREATE [EXTERNAL] TABLE name (column TYPE, …) ROW FORMAT DELIMITED
   *     FIELDS TERMINATED BY 'c' STORED AS TEXTFILE LOCATION 'uri'}; simple types only
   * @return the definition
   * @throws IllegalArgumentException if it is anything else
   */
  public static HiveTable parse(String statement) {
    Matcher matcher = CREATE_TABLE.matcher(statement);
    if (!matcher.matches()) {
      throw new IllegalArgumentException("not a CREATE TABLE of delimited text: " + statement);
    }
    String database = matcher.group("database");
    String delimiter = matcher.group("delimiter");
    HiveTable table =
        HiveTable.named(database == null ? "default" : database, matcher.group("table"))
            .location(matcher.group("location"))
            .serdeProperty("field.delim", delimiter)
            .serdeProperty("serialization.format", delimiter);
    for (String column : matcher.group("columns").split(",", -1)) {
      String[] words = column.strip().split("\\s+", 2);
      table = table.column(words[0], words[1].toLowerCase(java.util.Locale.ROOT));
    }
    return table;
  }
}
