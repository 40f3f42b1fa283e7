package dev.leat.it.text;

import dev.leat.format.Column;
import dev.leat.format.ColumnType.Kind;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Compares rows with those of Hive, and counts what was compared. */
final class Comparison {
  private final String with;
  private final Map<Kind, Long> values = new EnumMap<>(Kind.class);
  private long rows;
  private long nulls;
  private long givenUp;

  Comparison(String with) {
    this.with = with;
  }

  Map<Kind, Long> values() {
    return values;
  }

  /** In how many rows Hive gave up the query. */
  long givenUp() {
    return givenUp;
  }

  /**
   * Compares the rows of a file.
   *
   * @param raw the rows as they stand in the file, for messages
   */
  void compare(
      String what, List<Column> columns, CellTexts ours, List<HiveOracle.Row> hives, String[] raw) {
    if (ours.rows().size() != hives.size()) {
      throw new AssertionError(
          what + ": there are " + ours.rows().size() + " rows and Hive has " + hives.size());
    }
    for (int row = 0; row < hives.size(); row++) {
      HiveOracle.Row hive = hives.get(row);
      @Nullable String @Nullable [] our = ours.rows().get(row);
      String line = row < raw.length ? raw[row] : "row " + row;
      rows++;
      if (hive.error() != null) {
        givenUp++;
        if (our != null && ours.unparsableIn(row) == 0) {
          throw new AssertionError(
              what
                  + ": Hive gives up with "
                  + hive.error()
                  + " and we keep "
                  + java.util.Arrays.toString(our)
                  + " of "
                  + line);
        }
        continue;
      }
      if (our == null) {
        throw new AssertionError(
            what + ": we refuse (" + ours.refusals() + ") what Hive reads: " + line);
      }
      for (int i = 0; i < columns.size(); i++) {
        Column column = columns.get(i);
        String expected = hive.cells()[i];
        if (expected != null && column.type().kind() == Kind.CHAR) {
          expected = expected.replaceFirst(" +\\z", "");
        }
        if (!Objects.equals(our[i], expected)) {
          throw new AssertionError(
              what
                  + ": "
                  + column
                  + " is "
                  + our[i]
                  + " and Hive reads "
                  + expected
                  + " in "
                  + line);
        }
        if (expected == null) {
          nulls++;
        } else {
          values.merge(column.type().kind(), 1L, Long::sum);
        }
      }
    }
  }

  void print() {
    System.out.printf(
        "Compared with Hive's %s: %d rows, %d cells with a value %s, %d NULL, %d rows with which Hive gives up.%n",
        with,
        rows,
        values.values().stream().mapToLong(Long::longValue).sum(),
        values,
        nulls,
        givenUp);
  }
}
