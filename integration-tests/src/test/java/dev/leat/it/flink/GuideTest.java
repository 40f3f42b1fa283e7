package dev.leat.it.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.functions.sink.v2.DiscardingSink;
import org.apache.flink.streaming.api.graph.StreamNode;
import org.junit.jupiter.api.Test;

/** The guide shows programs that are correct. */
class GuideTest {
  private static final Path SOURCE =
      Path.of("integration-tests/src/test/java/dev/leat/it/flink/GuideExamples.java");
  private static final Pattern IN_THE_PAGE =
      Pattern.compile("<!-- region: ([a-z-]+) -->\n```java\n(.*?)```\n", Pattern.DOTALL);
  private static final Pattern IN_THE_CODE =
      Pattern.compile("// region: ([a-z-]+)\n(.*?)\n *// end\n", Pattern.DOTALL);

  @Test
  void everySnippetIsARegionOfTheExamplesAndEveryRegionIsShown() throws IOException {
    Map<String, String> shown = new LinkedHashMap<>();
    Matcher page = IN_THE_PAGE.matcher(read(Path.of("docs/guide.md")));
    while (page.find()) {
      shown.put(page.group(1), page.group(2));
    }
    Map<String, String> tested = new LinkedHashMap<>();
    Matcher code = IN_THE_CODE.matcher(read(SOURCE));
    while (code.find()) {
      tested.put(code.group(1), code.group(2).stripTrailing().stripIndent().strip() + "\n");
    }

    assertThat(shown).isNotEmpty().containsExactlyInAnyOrderEntriesOf(tested);
    assertThat(read(Path.of("docs/guide.md")).split("```java\n", -1))
        .as("Java snippets without a region")
        .hasSize(shown.size() + 1);
  }

  @Test
  void theExamplesMakeJobGraphs() {
    StreamExecutionEnvironment environment = StreamExecutionEnvironment.getExecutionEnvironment();
    DataStream<GuideExamples.VideoPlay> plays =
        environment.fromData(new GuideExamples.VideoPlay("anna", "v1", 1));
    List.<DataStream<?>>of(
            GuideExamples.firstJoin(plays),
            GuideExamples.allOptions(plays),
            GuideExamples.typeHint(plays),
            GuideExamples.leftJoin(plays),
            GuideExamples.sideOutput(plays),
            GuideExamples.keepAll(plays),
            GuideExamples.refresh(plays),
            GuideExamples.schedule(plays),
            GuideExamples.versionGone(plays),
            GuideExamples.withVersion(plays),
            GuideExamples.localDisk(plays),
            GuideExamples.twoJoins(plays, GuideExamples.CUSTOMERS))
        .forEach(stream -> stream.sinkTo(new DiscardingSink<>()));

    assertThat(environment.getStreamGraph().getStreamNodes())
        .extracting(StreamNode::getOperatorName)
        .contains("Leat join customers", "Leat left join customers", "add the customer");
    assertThat(GuideExamples.DEVICES.keyColumns()).containsExactly("vendor", "model");
  }

  private static String read(Path path) throws IOException {
    Path directory = Path.of("").toAbsolutePath();
    while (!Files.exists(directory.resolve(path))) {
      Path parent = directory.getParent();
      assertThat(parent).as("a directory above that holds %s", path).isNotNull();
      directory = parent;
    }
    return Files.readString(directory.resolve(path));
  }
}
