package dev.leat.flink.table;

import dev.leat.spi.StoreSettings;
import java.util.Map;

/** The settings of stores that a table was given: of S3A, Hadoop and Alluxio. No secret. */
record TableStoreSettings(Map<String, String> properties) implements StoreSettings {

  /** Copies the properties. */
  TableStoreSettings {
    properties = Map.copyOf(properties);
  }

  /** The keys only. */
  @Override
  public String toString() {
    return "properties" + properties.keySet().stream().sorted().toList();
  }
}
