package dev.leat.samples.streamedge;

import static java.util.Objects.requireNonNull;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Where the job finds what it needs, as {@code --name value} pairs.
 *
 * @param kafka {@code --kafka}: the brokers, {@code host:port}
 * @param playsTopic {@code --plays}: the topic that is read; {@code plays} by default
 * @param enrichedTopic {@code --enriched}: the topic that is written; {@code enriched-plays} by
 *     default
 * @param customers {@code --customers}: the location of the customers' files
 * @param s3Endpoint {@code --s3-endpoint}: the S3 server
 * @param s3Credentials {@code --s3-credentials}: the Hadoop credential provider that holds the keys
 * @param alluxio {@code --alluxio}: the master, {@code alluxio://host:port}
 * @param alluxioPath {@code --alluxio-path}: where the bucket of {@code customers} is mounted
 * @param localDisk {@code --local-disk}: the directory of each host in which indexes are kept
 * @param refreshInterval {@code --refresh}: how often the table is looked at for a new version, as
 *     ISO 8601 has durations, e.g. {@code PT30S}, the default
 * @param checkpointInterval {@code --checkpoint}: how often output is committed; {@code PT10S} by
 *     default
 */
public record StreamEdgeArguments(
    String kafka,
    String playsTopic,
    String enrichedTopic,
    String customers,
    String s3Endpoint,
    String s3Credentials,
    String alluxio,
    String alluxioPath,
    Path localDisk,
    Duration refreshInterval,
    Duration checkpointInterval) {

  private static final Map<String, String> DEFAULTS =
      Map.of(
          "plays", "plays",
          "enriched", "enriched-plays",
          "refresh", "PT30S",
          "checkpoint", "PT10S");
  private static final Set<String> REQUIRED =
      Set.of(
          "kafka",
          "customers",
          "s3-endpoint",
          "s3-credentials",
          "alluxio",
          "alluxio-path",
          "local-disk");

  /**
   * Reads the arguments of a command line.
   *
   * @throws IllegalArgumentException if one is missing, unknown or without a value
   */
  public static StreamEdgeArguments parse(String... args) {
    Map<String, String> values = new HashMap<>(DEFAULTS);
    Set<String> missing = new TreeSet<>(REQUIRED);
    for (int i = 0; i < args.length; i += 2) {
      String name = args[i].startsWith("--") ? args[i].substring(2) : args[i];
      if (!DEFAULTS.containsKey(name) && !REQUIRED.contains(name)) {
        throw new IllegalArgumentException(
            "there is no argument '"
                + args[i]
                + "'; use --"
                + String.join(", --", new TreeSet<>(REQUIRED))
                + " and, if wanted, --"
                + String.join(", --", new TreeSet<>(DEFAULTS.keySet())));
      }
      if (i + 1 == args.length) {
        throw new IllegalArgumentException("the argument '" + args[i] + "' has no value");
      }
      values.put(name, args[i + 1]);
      missing.remove(name);
    }
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException("missing: --" + String.join(", --", missing));
    }
    return new StreamEdgeArguments(
        value(values, "kafka"),
        value(values, "plays"),
        value(values, "enriched"),
        value(values, "customers"),
        value(values, "s3-endpoint"),
        value(values, "s3-credentials"),
        value(values, "alluxio"),
        value(values, "alluxio-path"),
        Path.of(value(values, "local-disk")),
        Duration.parse(value(values, "refresh")),
        Duration.parse(value(values, "checkpoint")));
  }

  /** The bucket of {@link #customers()}, e.g. {@code s3a://bucket}. */
  String bucket() {
    return customers.replaceFirst("^([a-z0-9]+://[^/]+).*$", "$1");
  }

  private static String value(Map<String, String> values, String name) {
    return requireNonNull(values.get(name), name);
  }
}
