package dev.leat.hive.catalog;

import static org.apache.flink.configuration.ConfigOptions.key;

import java.time.Duration;
import java.util.List;
import org.apache.flink.configuration.ConfigOption;

/** The options of {@code CREATE CATALOG … WITH ('type' = 'leat', …)}. */
public final class LeatCatalogOptions {
  /** The value of {@code type}. */
  public static final String IDENTIFIER = "leat";

  /** What a job does about partitions that are added while it runs. */
  public enum NewPartitions {
    /** They are found by listing the table's location. */
    LISTED,
    /** They are left out until the query is submitted again. */
    IGNORED
  }

  public static final ConfigOption<String> METASTORE_URIS =
      key("hive.metastore.uris")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "Where the metastore is: thrift://host:port, several with commas between them, which"
                  + " are tried in this order.");

  public static final ConfigOption<String> HIVE_CONF_DIR =
      key("hive-conf-dir")
          .stringType()
          .noDefaultValue()
          .withDescription(
              "A folder with a hive-site.xml, which says hive.metastore.uris, on the machine where"
                  + " the query is planned; in place of that option.");

  public static final ConfigOption<Duration> METASTORE_TIMEOUT =
      key("hive.metastore.client.socket.timeout")
          .durationType()
          .defaultValue(Duration.ofSeconds(30))
          .withDescription("How long the metastore may take to answer a call.");

  public static final ConfigOption<String> TIME_ZONE =
      key("time-zone")
          .stringType()
          .defaultValue("UTC")
          .withDescription(
              "The time zone in which Hive runs, such as Europe/Berlin: it shows instants in"
                  + " Parquet and Avro files as local times of its zone.");

  public static final ConfigOption<String> DEFAULT_DATABASE =
      key("default-database")
          .stringType()
          .defaultValue("default")
          .withDescription("The database that USE CATALOG makes the current one.");

  public static final ConfigOption<NewPartitions> NEW_PARTITIONS =
      key("new-partitions")
          .enumType(NewPartitions.class)
          .defaultValue(NewPartitions.LISTED)
          .withDescription(
              "What a running job does about partitions that are added: LISTED finds their"
                  + " directories below the table's location, IGNORED leaves them out until the"
                  + " query is submitted again.");

  /**
   * What the options of tables begin with that the catalog may set for all of its tables, and a
   * table of the metastore for itself by {@code TBLPROPERTIES}.
   */
  static final List<String> TABLE_PREFIXES =
      List.of("leat.", "lookup.", "properties.", "streaming-source.", "partition.");

  /** Those among them that only a partitioned table has. */
  static final List<String> PARTITIONED_TABLE_PREFIXES = List.of("streaming-source.", "partition.");

  private LeatCatalogOptions() {}
}
