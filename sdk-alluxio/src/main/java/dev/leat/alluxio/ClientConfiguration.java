package dev.leat.alluxio;

import alluxio.conf.Configuration;
import alluxio.conf.ConfigurationValueOptions;
import alluxio.conf.InstancedConfiguration;
import alluxio.conf.PropertyKey;
import alluxio.conf.Source;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Brings together what Alluxio's client needs to know. A later source wins: Leat's defaults; {@code
 * alluxio-site.properties} and system properties; the properties of the place where it runs; those
 * of the tier; the masters of its URI.
 */
final class ClientConfiguration {

  /** What the client should do otherwise than it does by itself. */
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          // By itself the client retries a master that is away for two minutes, a worker for five.
          // Leat retries, breaks the circuit and reads from the source instead.
          Map.entry("alluxio.user.rpc.retry.max.duration", "3s"),
          Map.entry("alluxio.user.rpc.retry.base.sleep", "50ms"),
          Map.entry("alluxio.user.rpc.retry.max.sleep", "500ms"),
          Map.entry("alluxio.user.block.read.retry.max.duration", "2s"),
          Map.entry("alluxio.user.block.read.retry.sleep.base", "50ms"),
          Map.entry("alluxio.user.block.read.retry.sleep.max", "500ms"),
          Map.entry("alluxio.user.master.polling.timeout", "3s"),
          Map.entry("alluxio.user.streaming.data.read.timeout", "20s"),
          Map.entry("alluxio.user.streaming.data.write.timeout", "60s"),
          Map.entry("alluxio.user.streaming.reader.close.timeout", "2s"),
          Map.entry("alluxio.user.streaming.writer.close.timeout", "60s"),
          Map.entry("alluxio.user.streaming.writer.flush.timeout", "60s"),
          Map.entry("alluxio.network.connection.auth.timeout", "5s"),
          Map.entry("alluxio.network.connection.health.check.timeout", "3s"),
          Map.entry("alluxio.network.connection.shutdown.graceful.timeout", "1s"),
          Map.entry("alluxio.network.connection.shutdown.timeout", "2s"),
          // A worker that is away is forgotten soon, and one that is back is seen soon.
          Map.entry("alluxio.user.worker.list.refresh.interval", "5s"),
          // What is published must outlive an eviction.
          Map.entry("alluxio.user.file.writetype.default", "CACHE_THROUGH"),
          // A heartbeat of client metrics would be a static thread that outlives the job; reading
          // needs no journal entry.
          Map.entry("alluxio.user.metrics.collection.enabled", "false"),
          Map.entry("alluxio.user.update.file.accesstime.disabled", "true"));

  /** A class of Alluxio that a user's configuration may name, as opposed to a property. */
  private static final Pattern CLASS_NAME =
      Pattern.compile("(?<![\\w.$])(?=alluxio\\.(?:[a-z0-9_]+\\.)*[A-Z])");

  /**
   * The package below which this jar has Alluxio's classes; empty where they have their own name.
   */
  private static final String RELOCATED_BELOW =
      PropertyKey.class.getName().replaceFirst("(?:^|(?<=\\.))alluxio\\.conf\\..*", "");

  private ClientConfiguration() {}

  static InstancedConfiguration of(
      String authority, Map<String, String> place, Map<String, String> tier) {
    InstancedConfiguration configuration = Configuration.copyGlobal();
    Map<String, String> settings = new LinkedHashMap<>();
    DEFAULTS.forEach(
        (key, value) -> {
          // What another client of Leat has put into the static configuration is no choice of the
          // user's.
          PropertyKey property = PropertyKey.fromString(key);
          if (!configuration.isSetByUser(property)
              || configuration.getSource(property).equals(Source.RUNTIME)) {
            settings.put(key, value);
          }
        });
    place.forEach(
        (key, value) -> {
          if (key.startsWith("alluxio.")) {
            settings.put(key, value);
          }
        });
    settings.putAll(tier);
    settings.putAll(MasterAddress.properties(authority));
    configuration.merge(settings, Source.RUNTIME);
    relocate(configuration, RELOCATED_BELOW);
    return configuration;
  }

  /** Lets the user's files and options name Alluxio's classes as they are known. */
  static void relocate(InstancedConfiguration configuration, String below) {
    if (below.isEmpty()) {
      return;
    }
    Map<String, String> relocated = new LinkedHashMap<>();
    for (PropertyKey key : configuration.userKeySet()) {
      String given =
          String.valueOf(
              configuration.get(key, ConfigurationValueOptions.defaults().useRawValue(true)));
      String renamed = CLASS_NAME.matcher(given).replaceAll(Matcher.quoteReplacement(below));
      if (!renamed.equals(given)) {
        relocated.put(key.getName(), renamed);
      }
    }
    configuration.merge(relocated, Source.RUNTIME);
  }
}
