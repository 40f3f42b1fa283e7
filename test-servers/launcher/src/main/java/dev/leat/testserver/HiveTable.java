package dev.leat.testserver;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The definition of a table, or of a partition of one, in the metastore's own terms: what Hive's
 * {@code CREATE TABLE} and {@code ALTER TABLE … ADD PARTITION} send. Immutable.
 */
public final class HiveTable {

  private static final String HIVE = "org.apache.hadoop.hive.";

  private final String database;
  private final String name;
  private final List<String> words;

  private HiveTable(String database, String name, List<String> words) {
    this.database = database;
    this.name = name;
    this.words = words;
  }

  /**
   * A table without columns, in delimited text as {@code STORED AS TEXTFILE} has it.
   *
   * @param database its database
   * @param name its name
   * @return the definition
   */
  public static HiveTable named(String database, String name) {
    return new HiveTable(database, name, List.of())
        .with("type", "EXTERNAL_TABLE")
        .storedAs(Storage.TEXTFILE);
  }

  /**
   * A partition of a table, which has everything from the table that it does not set itself.
   *
   * @param database the table's database
   * @param name the table's name
   * @param values the values of the partition keys, in their order
   * @return the definition
   */
  public static HiveTable partitionOf(String database, String name, String... values) {
    HiveTable partition = new HiveTable(database, name, List.of());
    for (String value : values) {
      partition = partition.and("value", value);
    }
    return partition;
  }

  /**
   * Adds a column.
   *
   * @param column its name
   * @param type its type as Hive writes it
   * @return the new definition
   */
  public HiveTable column(String column, String type) {
    return and("column", column + ":" + type);
  }

  /**
   * Adds a column by which the table is partitioned.
   *
   * @param column its name
   * @param type its type as Hive writes it
   * @return the new definition
   */
  public HiveTable partitionedBy(String column, String type) {
    return and("partitionKey", column + ":" + type);
  }

  /**
   * Sets where the data is.
   *
   * @param uri the directory
   * @return the new definition
   */
  public HiveTable location(String uri) {
    return with("location", uri);
  }

  /**
   * Sets what {@code STORED AS} sets.
   *
   * @param storage the kind of the files
   * @return the new definition
   */
  public HiveTable storedAs(Storage storage) {
    return serde(storage.serde)
        .with("inputFormat", storage.inputFormat)
        .with("outputFormat", storage.outputFormat);
  }

  /**
   * Sets what {@code ROW FORMAT SERDE} sets.
   *
   * @param className the serde's class
   * @return the new definition
   */
  public HiveTable serde(String className) {
    return with("serde", className);
  }

  /**
   * Sets the class that reads the files.
   *
   * @param className the input format's class
   * @return the new definition
   */
  public HiveTable inputFormat(String className) {
    return with("inputFormat", className);
  }

  /**
   * Adds what {@code WITH SERDEPROPERTIES} or {@code ROW FORMAT DELIMITED} sets.
   *
   * @param key for example {@code field.delim}
   * @param value its value
   * @return the new definition
   */
  public HiveTable serdeProperty(String key, String value) {
    return and("serdeProperty", key + ":" + value);
  }

  /**
   * Adds what {@code TBLPROPERTIES} sets.
   *
   * @param key for example {@code skip.header.line.count}
   * @param value its value
   * @return the new definition
   */
  public HiveTable parameter(String key, String value) {
    return and("parameter", key + ":" + value);
  }

  /**
   * Makes the table a managed one.
   *
   * @return the new definition
   */
  public HiveTable managed() {
    return with("type", "MANAGED_TABLE");
  }

  /**
   * Makes the definition one of a view.
   *
   * @param query the view's query
   * @return the new definition
   */
  public HiveTable view(String query) {
    return with("type", "VIRTUAL_VIEW").with("viewText", query);
  }

  /** The command's arguments, as the server's class {@code Definitions} describes them. */
  String arguments() {
    return "database=" + encode(database) + " name=" + encode(name) + String.join("", words);
  }

  private HiveTable with(String key, String value) {
    List<String> kept = new ArrayList<>(words);
    kept.removeIf(word -> word.startsWith(" " + key + "="));
    return new HiveTable(database, name, kept).and(key, value);
  }

  private HiveTable and(String key, String value) {
    List<String> longer = new ArrayList<>(words);
    longer.add(" " + key + "=" + encode(value));
    return new HiveTable(database, name, List.copyOf(longer));
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8);
  }

  /** What {@code STORED AS} knows. */
  public enum Storage {
    /** Delimited text. */
    TEXTFILE(
        HIVE + "serde2.lazy.LazySimpleSerDe",
        "org.apache.hadoop.mapred.TextInputFormat",
        HIVE + "ql.io.HiveIgnoreKeyTextOutputFormat"),
    /** Hadoop's sequence files. */
    SEQUENCEFILE(
        HIVE + "serde2.lazy.LazySimpleSerDe",
        "org.apache.hadoop.mapred.SequenceFileInputFormat",
        HIVE + "ql.io.HiveSequenceFileOutputFormat"),
    /** Parquet. */
    PARQUET(
        HIVE + "ql.io.parquet.serde.ParquetHiveSerDe",
        HIVE + "ql.io.parquet.MapredParquetInputFormat",
        HIVE + "ql.io.parquet.MapredParquetOutputFormat"),
    /** ORC. */
    ORC(
        HIVE + "ql.io.orc.OrcSerde",
        HIVE + "ql.io.orc.OrcInputFormat",
        HIVE + "ql.io.orc.OrcOutputFormat"),
    /** Avro. */
    AVRO(
        HIVE + "serde2.avro.AvroSerDe",
        HIVE + "ql.io.avro.AvroContainerInputFormat",
        HIVE + "ql.io.avro.AvroContainerOutputFormat");

    private final String serde;
    private final String inputFormat;
    private final String outputFormat;

    Storage(String serde, String inputFormat, String outputFormat) {
      this.serde = serde;
      this.inputFormat = inputFormat;
      this.outputFormat = outputFormat;
    }
  }
}
