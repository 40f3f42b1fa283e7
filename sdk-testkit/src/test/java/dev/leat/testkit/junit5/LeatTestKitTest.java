package dev.leat.testkit.junit5;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;

import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.testkit.flink.InMemoryTopic;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.RegisterExtension;

class LeatTestKitTest {
  private final ExtensionContext context = mock(ExtensionContext.class);

  @RegisterExtension final LeatTestKit kit = LeatTestKit.create();

  @Test
  void everythingIsThereAndBelongsTogether() throws Exception {
    kit.s3().put("customers/part-0", "c1|GOLD\n");
    InMemoryTopic<String> topic = kit.kafka().createTopic("plays", 1, String.class);
    kit.clock().advance(Duration.ofSeconds(7));
    topic.produce("play");

    assertThat(kit.s3()).isSameAs(kit.s3());
    assertThat(kit.alluxio()).isSameAs(kit.alluxio());
    assertThat(kit.alluxio().tier().tierName()).isEqualTo("alluxio");
    assertThat(topic.committed().get(0).timestamp()).isEqualTo(7_000);
    assertThat(kit.directory()).isEmptyDirectory();
    assertThat(kit.localDisk().directory()).contains(kit.directory().resolve("leat"));
  }

  @Test
  void afterTheTestEverythingIsGone() throws Exception {
    LeatTestKit own = LeatTestKit.create();
    own.beforeEach(context);
    Path directory = own.directory();
    Files.writeString(Files.createDirectories(directory.resolve("a/b")).resolve("c"), "left");
    InMemoryTopic<String> topic = own.kafka().createTopic("plays", 1, String.class);
    own.afterEach(context);

    assertThat(directory).doesNotExist();
    assertThatThrownBy(() -> topic.produce("x")).hasMessageContaining("closed");
    assertThatThrownBy(own::kafka).hasMessageContaining("only while a test runs");
  }

  @Test
  void whatIsLeftOpenFailsTheTestAndTheRestIsClosedAllTheSame() throws Exception {
    LeatTestKit own = LeatTestKit.create();
    own.beforeEach(context);
    own.s3().put("a", "content");
    Path directory = own.directory();
    BlobStore store = own.s3().open();
    BlobReader reader = store.open(store.find(own.s3().uri("a")).orElseThrow());

    assertThatThrownBy(() -> own.afterEach(context)).isInstanceOf(AssertionError.class);

    assertThat(directory).doesNotExist();
    reader.close();
    store.close();
  }

  @Test
  void oneKitServesOneTestAtATime() throws Exception {
    LeatTestKit own = LeatTestKit.create();
    own.beforeEach(context);
    assertThatThrownBy(() -> own.beforeEach(context)).hasMessageContaining("instance field");
    own.afterEach(context);
  }
}
