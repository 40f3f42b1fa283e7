package dev.leat.flink.internal;

import dev.leat.internal.engine.ServiceEnvironment;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.taskmanager.TaskManagerRuntimeInfo;

/**
 * Reads off a TaskManager what stores and tiers need: the part of its configuration that concerns
 * them, in the names that Hadoop and Alluxio give it, and a directory that is the same after a
 * restart.
 */
public final class TaskManagerEnvironment {
  private static final String S3A = "fs.s3a.";

  /** As Flink's own S3 file system reads them: its spelling on the left, Hadoop's on the right. */
  private static final Map<String, String> FLINK_SPELLING =
      Map.of(
          S3A + "access-key", S3A + "access.key",
          S3A + "secret-key", S3A + "secret.key",
          S3A + "path-style-access", S3A + "path.style.access");

  private TaskManagerEnvironment() {}

  /** What stores, tiers and the local disk need of a TaskManager. */
  public static ServiceEnvironment of(TaskManagerRuntimeInfo taskManager) {
    return new ServiceEnvironment(
        properties(taskManager.getConfiguration()),
        Path.of(taskManager.getTmpDirectories()[0]),
        Clock.systemUTC());
  }

  /**
   * The properties of the stores. {@code s3.x}, {@code s3a.x} and {@code fs.s3a.x} mean {@code
   * fs.s3a.x}, as in Flink's own S3 file system, the longer name winning; {@code flink.hadoop.x}
   * means {@code x} and wins over all; {@code alluxio.*} and {@code leat.*} stay as they are.
   */
  public static Map<String, String> properties(Configuration configuration) {
    Map<String, String> all = configuration.toMap();
    Map<String, String> properties = new HashMap<>();
    copy(all, "s3.", S3A, properties);
    copy(all, "s3a.", S3A, properties);
    copy(all, S3A, S3A, properties);
    copy(all, "alluxio.", "alluxio.", properties);
    copy(all, "leat.", "leat.", properties);
    copy(all, "flink.hadoop.", "", properties);
    return properties;
  }

  private static void copy(
      Map<String, String> from, String prefix, String newPrefix, Map<String, String> to) {
    from.forEach(
        (key, value) -> {
          if (key.startsWith(prefix)) {
            String name = newPrefix + key.substring(prefix.length());
            to.put(FLINK_SPELLING.getOrDefault(name, name), value);
          }
        });
  }
}
