package dev.leat.s3;

import java.io.File;
import java.net.MalformedURLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.hadoop.conf.Configuration;

/**
 * Brings together what S3A needs to know. A later source wins: Leat's defaults; {@code
 * core-site.xml} on the class path; {@code core-site.xml} in {@code HADOOP_CONF_DIR}; Flink's
 * {@code flink.hadoop.*}; Flink's {@code s3.*} and {@code s3a.*}; {@code fs.s3a.*} given directly,
 * as the settings of a dimension are.
 */
final class S3Configuration {

  /** What S3A should do otherwise than it does by itself. */
  private static final Map<String, String> DEFAULTS =
      Map.ofEntries(
          // Leat's own decorators retry, within the caller's deadline: S3A gives up soon and says
          // what happened.
          Map.entry("fs.s3a.attempts.maximum", "1"),
          Map.entry("fs.s3a.retry.limit", "1"),
          Map.entry("fs.s3a.retry.interval", "100ms"),
          Map.entry("fs.s3a.retry.throttle.limit", "1"),
          Map.entry("fs.s3a.retry.throttle.interval", "100ms"),
          Map.entry("fs.s3a.retry.http.5xx.errors", "false"),
          Map.entry("fs.s3a.connection.establish.timeout", "15s"),
          Map.entry("fs.s3a.connection.timeout", "20s"),
          Map.entry("fs.s3a.connection.request.timeout", "60s"),
          Map.entry("fs.s3a.s3.client.factory.impl", EndingTimersClientFactory.class.getName()),
          // A reader is pinned to the ETag that was listed; the server itself refuses another
          // content.
          Map.entry("fs.s3a.change.detection.source", "etag"),
          Map.entry("fs.s3a.change.detection.mode", "server"),
          Map.entry("fs.s3a.change.detection.version.required", "true"),
          // Opening must not wait for a server that is away.
          Map.entry("fs.s3a.bucket.probe", "0"),
          // No look for directories before or after a write: S3 has none.
          Map.entry("fs.s3a.performance.flags", "create,delete,mkdir"),
          // Its thread locals outlive the file system, and its referrer header tells S3 which job
          // reads what.
          Map.entry("fs.s3a.audit.enabled", "false"),
          // S3A's default list plus the system properties that the AWS SDK reads. Joined when it
          // runs: of one constant, a jar with relocated classes would have the first name right.
          Map.entry(
              "fs.s3a.aws.credentials.provider",
              String.join(
                  ",",
                  "org.apache.hadoop.fs.s3a.TemporaryAWSCredentialsProvider",
                  "org.apache.hadoop.fs.s3a.SimpleAWSCredentialsProvider",
                  "software.amazon.awssdk.auth.credentials.EnvironmentVariableCredentialsProvider",
                  "software.amazon.awssdk.auth.credentials.SystemPropertyCredentialsProvider",
                  "org.apache.hadoop.fs.s3a.auth.IAMInstanceCredentialsProvider")));

  /** Flink's spelling of keys, where it is not Hadoop's with a dash for the dot. */
  private static final Map<String, String> FLINK_SPELLING =
      Map.of(
          "access-key",
          "access.key",
          "secret-key",
          "secret.key",
          "session-token",
          "session.token",
          "path-style-access",
          "path.style.access");

  /** The classes that a user's configuration may name. */
  private static final Pattern CLASS_NAMES =
      Pattern.compile("(?<![\\w.$])(?=(?:org\\.apache\\.hadoop|software\\.amazon\\.awssdk)\\.)");

  /**
   * The package below which this jar has Hadoop's classes; empty where they have their own name.
   */
  private static final String RELOCATED_BELOW =
      Configuration.class.getName().replaceFirst("org\\.apache\\.hadoop\\..*", "");

  private S3Configuration() {}

  /**
   * The configuration of one file system.
   *
   * @param given the properties of the place where it runs, overlaid with the dimension's settings
   * @param environment the environment variables
   */
  static Configuration of(Map<String, String> given, Map<String, String> environment) {
    Configuration configuration = new Configuration(true);
    // S3A's classes are where this class is: in a job's jar, say, which the thread's own loader may
    // not see.
    configuration.setClassLoader(S3Configuration.class.getClassLoader());
    addFileOf(environment.get("HADOOP_CONF_DIR"), configuration);
    Map<String, String> fromFiles = fromSiteFiles(configuration);
    DEFAULTS.forEach(
        (key, value) -> {
          if (!fromFiles.containsKey(key)) {
            configuration.set(key, value, "leat");
          }
        });
    // Sorted by precedence: each pass overrides the one before.
    given.forEach((key, value) -> setIfPresent(configuration, flinkHadoopKey(key), value));
    given.forEach((key, value) -> setIfPresent(configuration, flinkS3Key(key), value));
    given.forEach(
        (key, value) -> {
          if (key.startsWith("fs.") || key.startsWith("hadoop.")) {
            configuration.set(key, value, "leat");
          }
        });
    relocate(configuration, RELOCATED_BELOW);
    return configuration;
  }

  /** Lets the user's files and options name Hadoop's classes as they are known. */
  static void relocate(Configuration configuration, String below) {
    if (below.isEmpty()) {
      return;
    }
    for (Map.Entry<String, String> entry : configuration) {
      String given = configuration.getRaw(entry.getKey());
      if (given != null) {
        String relocated = CLASS_NAMES.matcher(given).replaceAll(Matcher.quoteReplacement(below));
        if (!relocated.equals(given)) {
          configuration.set(entry.getKey(), relocated, "leat");
        }
      }
    }
  }

  private static void setIfPresent(Configuration configuration, String key, String value) {
    if (!key.isEmpty()) {
      configuration.set(key, value, "flink");
    }
  }

  private static String flinkHadoopKey(String key) {
    return key.startsWith("flink.hadoop.") ? key.substring("flink.hadoop.".length()) : "";
  }

  private static String flinkS3Key(String key) {
    for (String prefix : new String[] {"s3.", "s3a."}) {
      if (key.startsWith(prefix)) {
        String rest = key.substring(prefix.length());
        return "fs.s3a." + FLINK_SPELLING.getOrDefault(rest, rest);
      }
    }
    return "";
  }

  /** What the user's files say, as opposed to the {@code core-default.xml} in Hadoop's own jar. */
  private static Map<String, String> fromSiteFiles(Configuration configuration) {
    Map<String, String> found = new TreeMap<>();
    for (String key : DEFAULTS.keySet()) {
      String[] sources = configuration.getPropertySources(key);
      if (sources != null
          && sources.length > 0
          && !sources[sources.length - 1].endsWith("core-default.xml")) {
        found.put(key, configuration.getRaw(key));
      }
    }
    return found;
  }

  private static void addFileOf(
      @org.jspecify.annotations.Nullable String directory, Configuration configuration) {
    if (directory == null) {
      return;
    }
    File site = new File(directory, "core-site.xml");
    if (site.isFile()) {
      try {
        configuration.addResource(site.toURI().toURL());
      } catch (MalformedURLException e) {
        throw new IllegalStateException("the file " + site + " has no URL", e);
      }
    }
  }
}
