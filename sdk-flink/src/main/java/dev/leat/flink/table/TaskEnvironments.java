package dev.leat.flink.table;

import dev.leat.flink.internal.TaskManagerEnvironment;
import dev.leat.internal.engine.ServiceEnvironment;
import java.lang.reflect.Field;
import java.nio.file.Path;
import java.time.Clock;
import org.apache.flink.api.common.functions.RuntimeContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.GlobalConfiguration;
import org.apache.flink.streaming.api.operators.StreamingRuntimeContext;
import org.apache.flink.table.functions.FunctionContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds the TaskManager's configuration and temporary directory, which hold the credentials and the
 * indexes, from inside a function of a query.
 *
 * <p>Flink's {@link FunctionContext} has them in a private field and gives them to nobody. Where
 * that field cannot be read, the configuration file of the Flink installation and the temporary
 * directory of the JVM stand in.
 */
final class TaskEnvironments {
  private static final Logger LOG = LoggerFactory.getLogger(TaskEnvironments.class);

  private static final int DEEPEST_WRAPPER = 3;
  private static final String NOT_REACHED =
      "The TaskManager's configuration cannot be reached in this version of Flink; the one of its"
          + " installation and the temporary directory of the JVM are used";

  private TaskEnvironments() {}

  static ServiceEnvironment of(FunctionContext context) {
    try {
      Object found = fieldOf(context, FunctionContext.class);
      // An asynchronous function gets the context of the task in a wrapper.
      for (int depth = 0; depth < DEEPEST_WRAPPER && found != null; depth++) {
        if (found instanceof StreamingRuntimeContext streaming) {
          return TaskManagerEnvironment.of(streaming.getTaskManagerRuntimeInfo());
        }
        found = fieldOf(found, found.getClass());
      }
      LOG.warn(NOT_REACHED);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(NOT_REACHED, e);
    }
    return ofInstallation();
  }

  private static @Nullable Object fieldOf(Object owner, Class<?> type)
      throws ReflectiveOperationException {
    for (Field field : type.getDeclaredFields()) {
      if (RuntimeContext.class.isAssignableFrom(field.getType())) {
        field.setAccessible(true);
        return field.get(owner);
      }
    }
    return null;
  }

  private static ServiceEnvironment ofInstallation() {
    Configuration configuration = GlobalConfiguration.loadConfiguration();
    return new ServiceEnvironment(
        TaskManagerEnvironment.properties(configuration),
        Path.of(System.getProperty("java.io.tmpdir")),
        Clock.systemUTC());
  }
}
