package dev.leat.internal.partition;

import static java.util.Objects.requireNonNull;

import dev.leat.format.Column;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/** The columns by which a table is partitioned. */
final class PartitionColumns {
  private PartitionColumns() {}

  static List<Column> checked(List<Column> columns) {
    List<Column> copy = List.copyOf(requireNonNull(columns, "columns"));
    if (copy.isEmpty()) {
      throw new IllegalArgumentException(
          "the table has no partition column; name at least one, e.g. new Column(\"dt\", ColumnType.DATE)");
    }
    Set<String> names = new HashSet<>();
    for (Column column : copy) {
      if (!names.add(column.name().toLowerCase(Locale.ROOT))) {
        throw new IllegalArgumentException(
            "the partition column '" + column.name() + "' is named twice; name each once");
      }
      switch (column.type().kind()) {
        case BOOLEAN,
            TINYINT,
            SMALLINT,
            INT,
            BIGINT,
            FLOAT,
            DOUBLE,
            DECIMAL,
            STRING,
            CHAR,
            VARCHAR,
            DATE,
            TIMESTAMP -> {}
        default ->
            throw new IllegalArgumentException(
                "the partition column '"
                    + column.name()
                    + "' is a "
                    + column.type()
                    + ", which no directory's name can say; use a number, text, a date or a timestamp");
      }
    }
    return copy;
  }

  /** The columns for a definition. */
  static String text(List<Column> columns) {
    return columns.stream()
        .map(column -> quoted(column.name()) + ":" + column.type())
        .collect(Collectors.joining(",", "[", "]"));
  }

  static String quoted(String text) {
    return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
