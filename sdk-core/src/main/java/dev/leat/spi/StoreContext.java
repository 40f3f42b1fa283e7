package dev.leat.spi;

import static java.util.Objects.requireNonNull;

import java.util.Map;

/**
 * What a store or tier gets when it is opened on a task.
 *
 * @param properties the configuration of the place where it runs (of Flink, on a TaskManager),
 *     overlaid with the settings of the dimension; keys are Hadoop's and Alluxio's own, e.g. {@code
 *     fs.s3a.endpoint}. May hold secrets: it exists on the task only and is never serialized,
 *     logged or shown.
 */
public record StoreContext(Map<String, String> properties) {

  /** Copies the properties. */
  public StoreContext {
    properties = Map.copyOf(requireNonNull(properties, "properties"));
  }

  /** The number of properties only, since values may be secrets. */
  @Override
  public String toString() {
    return "StoreContext[" + properties.size() + " properties]";
  }
}
