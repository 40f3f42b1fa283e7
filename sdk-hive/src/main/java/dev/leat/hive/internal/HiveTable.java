package dev.leat.hive.internal;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import io.trino.hive.thrift.metastore.FieldSchema;
import io.trino.hive.thrift.metastore.Partition;
import io.trino.hive.thrift.metastore.Table;
import java.net.URI;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A table of a metastore that Leat can read. Immutable.
 *
 * @param name its name
 * @param location its directory
 * @param format how rows stand in its files, but for partitions that say something else
 * @param columns the columns of its files
 * @param partitionColumns the columns by which it is partitioned
 * @param comments what the columns and then the partition's columns are for, each may be empty
 * @param parameters its properties ({@code TBLPROPERTIES})
 * @param timeZone where instants in its files are shown, those of its partitions too
 */
public record HiveTable(
    TableName name,
    URI location,
    StoredFormat format,
    List<Column> columns,
    List<Column> partitionColumns,
    List<String> comments,
    Map<String, String> parameters,
    ZoneId timeZone) {
  static final String VIEW = "VIRTUAL_VIEW";

  private static final String MATERIALIZED_VIEW = "MATERIALIZED_VIEW";

  /** What Hive calls the value NULL, and an empty text, in the name of a partition. */
  public static final String DEFAULT_PARTITION = "__HIVE_DEFAULT_PARTITION__";

  /** How table formats that keep a metadata of their own call themselves. */
  private static final List<String> FORMAT_PARAMETERS =
      List.of("table_type", "spark.sql.sources.provider");

  private static final List<String> FORMATS_WITH_METADATA =
      List.of("iceberg", "delta", "hudi", "paimon");

  /** Copies the collections. */
  public HiveTable {
    columns = List.copyOf(columns);
    partitionColumns = List.copyOf(partitionColumns);
    comments = List.copyOf(comments);
    parameters = Map.copyOf(parameters);
  }

  static HiveTable of(TableName name, Table table) {
    Map<String, String> parameters = new TreeMap<>(MetastoreClient.orEmpty(table.getParameters()));
    checkKind(name, table, parameters);
    linesOfSerde(table).forEach(parameters::putIfAbsent);
    String path = table.getSd().getLocation();
    if (path == null) {
      throw unsupported(name, "has no location", "look at it in Hive: DESCRIBE FORMATTED");
    }
    List<FieldSchema> fields = table.getSd().getCols();
    if (fields == null || fields.isEmpty()) {
      throw unsupported(
          name,
          "has no columns in the metastore",
          "Hive may take them from a schema file; name them in CREATE TABLE");
    }
    List<FieldSchema> keys =
        table.getPartitionKeys() == null ? List.of() : table.getPartitionKeys();
    List<Column> declared = HiveTypes.columns(name, fields);
    StoredFormat format =
        Serdes.of(name.toString(), table.getSd(), parameters, parameters, declared);
    List<String> comments = new ArrayList<>();
    fields.forEach(field -> comments.add(comment(field)));
    keys.forEach(field -> comments.add(comment(field)));
    return new HiveTable(
        name,
        Locations.uriOf(name, path),
        format,
        format.columns(),
        HiveTypes.columns(name, keys),
        comments,
        parameters,
        ZoneOffset.UTC);
  }

  /** The same table as Hive shows it that runs in a time zone. */
  public HiveTable inTimeZone(ZoneId zone) {
    return new HiveTable(
        name,
        location,
        format.inTimeZone(zone),
        columns,
        partitionColumns,
        comments,
        parameters,
        zone);
  }

  /** What Hive takes from the table for its partitions too, wherever the table says it. */
  private static Map<String, String> linesOfSerde(Table table) {
    Map<String, String> lines = new TreeMap<>();
    if (table.getSd().getSerdeInfo() != null) {
      lines.putAll(MetastoreClient.orEmpty(table.getSd().getSerdeInfo().getParameters()));
      lines.keySet().retainAll(Serdes.LINE_PROPERTIES);
    }
    return lines;
  }

  private static String comment(FieldSchema field) {
    return field.getComment() == null ? "" : field.getComment();
  }

  private static void checkKind(TableName name, Table table, Map<String, String> parameters) {
    String type = table.getTableType();
    if (VIEW.equals(type) || MATERIALIZED_VIEW.equals(type)) {
      throw unsupported(
          name,
          VIEW.equals(type) ? "is a view" : "is a materialized view",
          "join with the table that it is made of, or write its rows to a table");
    }
    if ("true".equalsIgnoreCase(parameters.get("transactional"))) {
      throw unsupported(
          name,
          "is transactional (ACID)",
          "its files are to be read together with Hive's transactions; copy it to a table with"
              + " 'transactional'='false'");
    }
    String handler = parameters.get("storage_handler");
    if (handler != null) {
      throw unsupported(
          name,
          "is read through the storage handler " + handler,
          "Leat reads tables of files only");
    }
    for (String parameter : FORMAT_PARAMETERS) {
      String value = parameters.getOrDefault(parameter, "").toLowerCase(Locale.ROOT);
      if (FORMATS_WITH_METADATA.contains(value)) {
        throw unsupported(
            name,
            "is a table of " + value + " (" + parameter + ")",
            "its files are to be read together with its own metadata; use the connector of "
                + value);
      }
    }
    if (table.getSd() == null) {
      throw unsupported(name, "has no storage", "look at it in Hive: DESCRIBE FORMATTED");
    }
  }

  static LeatException unsupported(Object name, String what, String remedy) {
    return new LeatException(
        ErrorCode.UNSUPPORTED_TABLE, "the table " + name + " " + what + "; " + remedy);
  }

  /** The columns of a row: those of the files, then those of the partition. */
  public List<Column> allColumns() {
    List<Column> all = new ArrayList<>(columns);
    all.addAll(partitionColumns);
    return List.copyOf(all);
  }

  /** A partition of this table as the metastore defines it. */
  HivePartition partition(Partition partition) {
    List<@Nullable String> values = new ArrayList<>();
    for (String value : partition.getValues()) {
      values.add(DEFAULT_PARTITION.equals(value) ? null : value);
    }
    String what = name + " (partition " + partition.getValues() + ")";
    if (partition.getSd() == null || partition.getSd().getLocation() == null) {
      throw unsupported(what, "has no location", "look at it in Hive: DESCRIBE FORMATTED");
    }
    List<Column> declared =
        partition.getSd().getCols() == null
            ? columns
            : HiveTypes.columns(name, partition.getSd().getCols());
    StoredFormat own =
        Serdes.of(
                what,
                partition.getSd(),
                MetastoreClient.orEmpty(partition.getParameters()),
                parameters,
                declared)
            .asPartOf(what, this)
            .inTimeZone(timeZone);
    return new HivePartition(
        values,
        Locations.uriOf(name, partition.getSd().getLocation()),
        own,
        Instant.ofEpochSecond(partition.getCreateTime()));
  }
}
