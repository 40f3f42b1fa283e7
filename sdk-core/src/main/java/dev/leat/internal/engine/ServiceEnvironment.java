package dev.leat.internal.engine;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;

/**
 * The place where a service runs.
 *
 * @param properties the configuration of the place, for stores and tiers; may hold secrets, so it
 *     never leaves the process
 * @param temporaryDirectory where the local disk tier stands when it was given no directory; should
 *     be the same after a restart of the process
 * @param clock tells the time
 */
public record ServiceEnvironment(
    Map<String, String> properties, Path temporaryDirectory, Clock clock) {

  /** Copies the properties. */
  public ServiceEnvironment {
    properties = Map.copyOf(requireNonNull(properties, "properties"));
    requireNonNull(temporaryDirectory, "temporaryDirectory");
    requireNonNull(clock, "clock");
  }

  /** The number of properties only, since values may be secrets. */
  @Override
  public String toString() {
    return "ServiceEnvironment["
        + properties.size()
        + " properties, temporary directory "
        + temporaryDirectory
        + "]";
  }
}
