package dev.leat.samples.streamedge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class StreamEdgeArgumentsTest {
  private static final String[] REQUIRED = {
    "--kafka", "broker:9092",
    "--customers", "s3a://lake/customers/",
    "--s3-endpoint", "http://s3:9000",
    "--s3-credentials", "jceks://hdfs/keys",
    "--alluxio", "alluxio://master:19998",
    "--alluxio-path", "/s3/lake",
    "--local-disk", "/var/lib/leat"
  };

  @Test
  void whatIsNotGivenHasADefault() {
    StreamEdgeArguments arguments = StreamEdgeArguments.parse(REQUIRED);
    assertThat(arguments.playsTopic()).isEqualTo("plays");
    assertThat(arguments.refreshInterval()).isEqualTo(Duration.ofSeconds(30));
    assertThat(arguments.bucket()).isEqualTo("s3a://lake");
  }

  @Test
  void whatIsGivenCounts() {
    assertThat(
            StreamEdgeArguments.parse(with("--plays", "events", "--refresh", "PT1M"))
                .refreshInterval())
        .isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void aMissingArgumentIsNamed() {
    assertThatThrownBy(
            () -> StreamEdgeArguments.parse(Arrays.copyOf(REQUIRED, REQUIRED.length - 2)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("missing: --local-disk");
  }

  @Test
  void anUnknownArgumentIsRefusedWithThoseThatThereAre() {
    assertThatThrownBy(() -> StreamEdgeArguments.parse(with("--kafak", "x")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("--kafak")
        .hasMessageContaining("--kafka");
  }

  @Test
  void anArgumentWithoutAValueIsRefused() {
    assertThatThrownBy(() -> StreamEdgeArguments.parse(with("--plays")))
        .hasMessage("the argument '--plays' has no value");
  }

  private static String[] with(String... more) {
    return Stream.concat(Arrays.stream(REQUIRED), Arrays.stream(more)).toArray(String[]::new);
  }
}
