package dev.leat.testserver;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What is submitted to a {@link RealFlink}. Immutable: each method returns a changed copy.
 *
 * @param jar what {@link FlinkJobs#upload} gave
 * @param mainClass its main class
 * @param arguments what the main method gets
 * @param parallelism of all its operators
 * @param checkpoint the checkpoint or savepoint to begin with
 * @param options of Flink, for this job only
 */
public record FlinkJob(
    String jar,
    String mainClass,
    List<String> arguments,
    int parallelism,
    Optional<Path> checkpoint,
    Map<String, String> options) {

  /**
   * A job that begins anew, with a parallelism of one.
   *
   * @param jar what {@link FlinkJobs#upload} gave
   * @param mainClass its main class
   * @param arguments what the main method gets
   * @return the job
   */
  public static FlinkJob of(String jar, String mainClass, List<String> arguments) {
    return new FlinkJob(jar, mainClass, arguments, 1, Optional.empty(), Map.of());
  }

  /**
   * Sets the parallelism.
   *
   * @param subtasks of each operator
   * @return a changed copy
   */
  public FlinkJob withParallelism(int subtasks) {
    return new FlinkJob(jar, mainClass, arguments, subtasks, checkpoint, options);
  }

  /**
   * Begins with what a checkpoint or savepoint has.
   *
   * @param directory its directory
   * @return a changed copy
   */
  public FlinkJob from(Path directory) {
    return new FlinkJob(jar, mainClass, arguments, parallelism, Optional.of(directory), options);
  }

  /**
   * Sets an option of Flink.
   *
   * @param key its key
   * @param value its value
   * @return a changed copy
   */
  public FlinkJob withOption(String key, String value) {
    Map<String, String> changed = new LinkedHashMap<>(options);
    changed.put(key, value);
    return new FlinkJob(jar, mainClass, arguments, parallelism, checkpoint, Map.copyOf(changed));
  }
}
