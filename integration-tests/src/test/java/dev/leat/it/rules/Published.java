package dev.leat.it.rules;

import java.nio.file.Path;

/** The artifacts that users get. */
enum Published {
  CORE("sdk-core"),
  ALLUXIO("sdk-alluxio"),
  AVRO("sdk-avro"),
  ORC("sdk-orc"),
  PARQUET("sdk-parquet"),
  FLINK("sdk-flink"),
  HIVE("sdk-hive"),
  TESTKIT("sdk-testkit");

  private final String folder;

  Published(String folder) {
    this.folder = folder;
  }

  /** Maven runs a module's tests in the module's folder. */
  static Path checkout() {
    return Path.of("").toAbsolutePath().getParent();
  }

  Path classes() {
    return checkout().resolve(folder).resolve("target/classes");
  }

  Path dependencyTree() {
    return checkout().resolve(folder).resolve("target/dependency-tree.txt");
  }

  Path pinnedApi() {
    return checkout().resolve(folder).resolve("api/api.txt");
  }

  Path pinnedDependencies() {
    return checkout().resolve(folder).resolve("api/dependencies.txt");
  }
}
