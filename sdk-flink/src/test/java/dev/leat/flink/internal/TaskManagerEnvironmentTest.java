package dev.leat.flink.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.internal.engine.ServiceEnvironment;
import java.nio.file.Path;
import java.util.Map;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.util.TestingTaskManagerRuntimeInfo;
import org.junit.jupiter.api.Test;

class TaskManagerEnvironmentTest {

  @Test
  void s3OptionsAreReadAsFlinksOwnFileSystemReadsThem() {
    assertThat(
            properties(
                Map.of(
                    "s3.endpoint", "http://s3:9000",
                    "s3.access-key", "id",
                    "s3.secret-key", "secret",
                    "s3.path-style-access", "true",
                    "s3a.connection.maximum", "7")))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "fs.s3a.endpoint", "http://s3:9000",
                "fs.s3a.access.key", "id",
                "fs.s3a.secret.key", "secret",
                "fs.s3a.path.style.access", "true",
                "fs.s3a.connection.maximum", "7"));
  }

  @Test
  void theLongerSpellingWinsAndFlinkHadoopWinsOverAll() {
    assertThat(properties(Map.of("s3.endpoint", "1", "s3a.endpoint", "2")))
        .isEqualTo(Map.of("fs.s3a.endpoint", "2"));
    assertThat(properties(Map.of("s3a.endpoint", "2", "fs.s3a.endpoint", "3")))
        .isEqualTo(Map.of("fs.s3a.endpoint", "3"));
    assertThat(properties(Map.of("fs.s3a.endpoint", "3", "flink.hadoop.fs.s3a.endpoint", "4")))
        .isEqualTo(Map.of("fs.s3a.endpoint", "4"));
  }

  @Test
  void optionsOfAlluxioAndOfLeatStayAsTheyAreAndOthersAreLeftOut() {
    assertThat(
            properties(
                Map.of(
                    "alluxio.user.rpc.retry.max.duration", "1s",
                    "leat.anything", "x",
                    "taskmanager.numberOfTaskSlots", "4",
                    "flink.hadoop.dfs.replication", "2")))
        .isEqualTo(
            Map.of(
                "alluxio.user.rpc.retry.max.duration", "1s",
                "leat.anything", "x",
                "dfs.replication", "2"));
  }

  @Test
  void theTemporaryDirectoryIsTheFirstOfTheTaskManagerSoThatARestartFindsItAgain() {
    ServiceEnvironment environment =
        TaskManagerEnvironment.of(
            new TestingTaskManagerRuntimeInfo(new Configuration(), new String[] {"/a", "/b"}));

    assertThat(environment.temporaryDirectory()).isEqualTo(Path.of("/a"));
    assertThat(environment).hasToString("ServiceEnvironment[0 properties, temporary directory /a]");
  }

  private static Map<String, String> properties(Map<String, String> options) {
    return TaskManagerEnvironment.properties(Configuration.fromMap(options));
  }
}
