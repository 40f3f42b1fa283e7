package dev.leat.hive.internal;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.format.Formats;
import dev.leat.spi.RowFormat;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How rows stand in the files of a table or of a partition.
 *
 * @param identifier the name of Leat's format
 * @param options the options of that format
 * @param columns the columns of the files, in order
 */
public record StoredFormat(String identifier, Map<String, String> options, List<Column> columns) {
  /** Formats whose files do not name their columns: only the position counts. */
  private static final List<String> POSITIONAL = List.of("text", "csv");

  private static final List<String> WITH_INSTANTS = List.of("avro", "parquet");

  /** Whole numbers, each of which holds all values of those before it. */
  private static final List<Kind> WHOLE_NUMBERS =
      List.of(Kind.TINYINT, Kind.SMALLINT, Kind.INT, Kind.BIGINT);

  /** Copies the collections. */
  public StoredFormat {
    options = Map.copyOf(options);
    columns = List.copyOf(columns);
  }

  /**
   * The format itself.
   *
   * @throws dev.leat.LeatException {@code FORMAT_NOT_FOUND} if the artifact that has it is not on
   *     the class path, {@code INVALID_DEFINITION} if its options make no sense
   */
  public RowFormat open() {
    return Formats.create(identifier, columns, options);
  }

  /** The same format with instants shown in a time zone, if it has instants: Parquet and Avro. */
  StoredFormat inTimeZone(ZoneId zone) {
    if (!WITH_INSTANTS.contains(identifier) || zone.equals(ZoneOffset.UTC)) {
      return this;
    }
    Map<String, String> zoned = new TreeMap<>(options);
    zoned.put("time-zone", zone.getId());
    return new StoredFormat(identifier, zoned, columns);
  }

  /**
   * The same format for a partition of a table, with the table's names of its columns: as Hive
   * does, the first column of a partition is the first of its table, and so on, whatever they were
   * called when the partition was added.
   */
  StoredFormat asPartOf(String partition, HiveTable table) {
    List<Column> ofTable = table.columns();
    List<Column> renamed = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Column own = columns.get(i);
      if (i >= ofTable.size()) {
        // The table lost the column; the cells stay where they are, under a name of their own.
        renamed.add(new Column(own.name() + ".dropped", own.type()));
        continue;
      }
      Column target = ofTable.get(i);
      boolean sameName = own.name().equalsIgnoreCase(target.name());
      if (!sameName && !POSITIONAL.contains(identifier)) {
        throw HiveTable.unsupported(
            partition,
            "calls a column '"
                + own.name()
                + "' that is '"
                + target.name()
                + "' in the table, and finds columns in its files by name",
            "ALTER TABLE … PARTITION … CHANGE the column too");
      }
      if (!readsAs(own.type(), target.type())) {
        throw HiveTable.unsupported(
            partition,
            "has the column '"
                + own.name()
                + "' as "
                + own.type()
                + ", which is "
                + target.type()
                + " in the table",
            "ALTER TABLE … PARTITION … CHANGE the column too, where its files can be read so");
      }
      renamed.add(new Column(target.name(), target.type()));
    }
    return new StoredFormat(identifier, options, renamed);
  }

  /** Whether Hive, which reads the one and converts it, gets what reading the other gives. */
  private static boolean readsAs(ColumnType own, ColumnType target) {
    if (own.equals(target) || own.kind() == Kind.STRING && !target.isNested()) {
      return true;
    }
    int from = WHOLE_NUMBERS.indexOf(own.kind());
    return from >= 0 && WHOLE_NUMBERS.indexOf(target.kind()) > from
        || own.kind() == Kind.VARCHAR && target.kind() == Kind.STRING
        || own.kind() == Kind.VARCHAR
            && target.kind() == Kind.VARCHAR
            && own.precision() <= target.precision()
        || own.kind() == Kind.FLOAT && target.kind() == Kind.DOUBLE;
  }
}
