package dev.leat.testserver;

import java.util.List;

/** The servers that exist: the module that holds each one, its main class, and its JVM flags. */
public enum ServerKind {
  /** Alluxio master and worker. */
  ALLUXIO(
      "alluxio-server",
      "dev.leat.testserver.alluxio.AlluxioServer",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/java.util=ALL-UNNAMED",
      "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED"),
  /** An S3 protocol server. */
  S3("s3-server", "dev.leat.testserver.s3.S3Server"),
  /** A Kafka broker, which is its own controller. */
  KAFKA(
      "kafka-server",
      "dev.leat.testserver.kafka.KafkaServer",
      "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
  /** Hive's own readers of files. */
  HIVE_TEXT(
      "hive-text-server",
      "dev.leat.testserver.hivetext.HiveTextServer",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.net=ALL-UNNAMED",
      "--add-opens=java.base/java.nio=ALL-UNNAMED",
      "--add-opens=java.base/java.util=ALL-UNNAMED",
      "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
  /** Hive's metastore. */
  HIVE_METASTORE(
      "hive-metastore-server",
      "dev.leat.testserver.metastore.HiveMetastoreServer",
      "--add-opens=java.base/java.lang=ALL-UNNAMED",
      "--add-opens=java.base/java.net=ALL-UNNAMED",
      "--add-opens=java.base/java.util=ALL-UNNAMED",
      "-Dderby.stream.error.field=java.lang.System.err",
      "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"),
  /** One process of Flink 1.20. */
  FLINK_1_20("flink-1.20-server", "dev.leat.testserver.Tether"),
  /** One process of Flink 2.2. */
  FLINK_2_2("flink-2.2-server", "dev.leat.testserver.Tether");

  private final String module;
  private final String mainClass;
  private final List<String> jvmFlags;

  ServerKind(String module, String mainClass, String... jvmFlags) {
    this.module = module;
    this.mainClass = mainClass;
    this.jvmFlags = List.of(jvmFlags);
  }

  String module() {
    return module;
  }

  String mainClass() {
    return mainClass;
  }

  List<String> jvmFlags() {
    return jvmFlags;
  }
}
