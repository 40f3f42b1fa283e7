package dev.leat.samples.sql;

/** The statements that the sample runs. Only hosts and ports are filled in. */
final class ThreeSteps {

  static final String TOPIC = "video-plays";
  static final String BUCKET = "streamedge-datalake";
  static final String TABLE_PATH = "customers";

  private ThreeSteps() {}

  /** Hive: the dimension. Its data lies in S3 and is read through Alluxio. */
  static String hiveTable(String alluxio) {
    return """
    CREATE TABLE customer_dimension (
      customer_id STRING,
      subscription_tier STRING,
      country_code STRING,
      account_status STRING)
    ROW FORMAT DELIMITED FIELDS TERMINATED BY '|'
    STORED AS TEXTFILE
    LOCATION '%s/s3/%s/%s'"""
        .formatted(alluxio, BUCKET, TABLE_PATH);
  }

  /** Flink, once per session: the metastore's tables as lookup tables. */
  static String catalog(String metastore) {
    return """
    CREATE CATALOG lake WITH (
      'type' = 'leat',
      'hive.metastore.uris' = '%s')"""
        .formatted(metastore);
  }

  /** Flink: the events. */
  static String events(String bootstrapServers) {
    return """
    CREATE TABLE video_events (
      event_id STRING,
      customer_id STRING,
      video_id STRING,
      event_time TIMESTAMP(3),
      proc_time AS PROCTIME())
    WITH (
      'connector' = 'kafka',
      'topic' = '%s',
      'format' = 'json',
      'properties.bootstrap.servers' = '%s',
      'scan.startup.mode' = 'earliest-offset')"""
        .formatted(TOPIC, bootstrapServers);
  }

  /** Flink: the join. */
  static final String JOIN =
      """
      SELECT e.event_id, e.video_id, c.subscription_tier, c.country_code
      FROM video_events AS e
      LEFT JOIN customer_dimension FOR SYSTEM_TIME AS OF e.proc_time AS c
        ON e.customer_id = c.customer_id""";
}
