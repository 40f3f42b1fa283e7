package dev.leat.it.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.apache.flink.runtime.testutils.MiniClusterResourceConfiguration;
import org.apache.flink.runtime.util.EnvironmentInformation;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.test.junit5.MiniClusterExtension;
import org.apache.flink.util.CloseableIterator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The build tests on the Flink line that it claims to test on. */
class FlinkLineTest {

  @RegisterExtension
  static final MiniClusterExtension CLUSTER =
      new MiniClusterExtension(
          new MiniClusterResourceConfiguration.Builder()
              .setNumberTaskManagers(1)
              .setNumberSlotsPerTaskManager(1)
              .build());

  @Test
  void theRuntimeIsOfTheLineThatTheBuildNames() {
    assertThat(EnvironmentInformation.getVersion())
        .startsWith(System.getProperty("leat.flink.line") + ".");
  }

  @Test
  void aJobThatWasCompiledAgainstTheFirstLineRuns() throws Exception {
    StreamExecutionEnvironment env = StreamExecutionEnvironment.getExecutionEnvironment();
    List<Long> doubled = new ArrayList<>();
    try (CloseableIterator<Long> results =
        env.fromSequence(1, 3).map(n -> n * 2).returns(Long.class).executeAndCollect()) {
      results.forEachRemaining(doubled::add);
    }
    assertThat(doubled).containsExactlyInAnyOrder(2L, 4L, 6L);
  }
}
