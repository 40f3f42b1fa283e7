package dev.leat.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.Dimension;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.Partitions;
import dev.leat.Staleness;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.DelimitedText;
import dev.leat.internal.engine.EngineWorld.Customer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A store whose listing names what is not the table's; manifests are in {@code TierTest}. */
class HostileNamesTest {
  private static final String GOOD = EngineWorld.TABLE + "a.txt";

  @TempDir Path temporary;
  private EngineWorld world;

  @BeforeEach
  void open() {
    world = new EngineWorld(temporary.resolve("disk"));
    world.source.put(GOOD, "1|Ada\n");
  }

  @AfterEach
  void close() {
    world.close();
  }

  private List<String> besideTheDisk() throws IOException {
    try (Stream<Path> all = Files.list(temporary)) {
      return all.map(path -> String.valueOf(path.getFileName())).toList();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "../secrets/a.txt",
        "../../../../etc/passwd",
        "%2e%2e/secrets/a.txt",
        "x/../../secrets/a.txt",
        "x/%2E%2E/%2E%2E/secrets/a.txt",
        "./a.txt"
      })
  void aNameThatLeadsUpIsNotReadAndNothingIsWrittenOutsideTheDisk(String name) throws Exception {
    world.source.put(EngineWorld.TABLE + name, "2|Mallory\n");
    DimensionService<String, Customer> service = world.open(world.request());
    try (DimensionReader<String, Customer> reader = service.reader()) {
      assertThat(reader.find("1")).isEqualTo(new Customer("1", "Ada"));
      assertThat(reader.find("2")).isNull();
    }
    assertThat(world.source.operations("read " + EngineWorld.TABLE + name)).isEmpty();
    assertThat(besideTheDisk()).containsExactly("disk");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"a%00b.txt", "%0A.txt", "C:%5Cx.txt", "~root", "-rf", "$(x)", "a%2Fb.txt"})
  void aNameThatIsOnlyStrangeIsReadAndNothingIsWrittenOutsideTheDisk(String name) throws Exception {
    world.source.put(EngineWorld.TABLE + name, "2|Bob\n");
    DimensionService<String, Customer> service = world.open(world.request(world.tier()));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      assertThat(reader.find("2")).isEqualTo(new Customer("2", "Bob"));
    }
    assertThat(besideTheDisk()).containsExactly("disk");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "s3a://bucket/other/a.txt",
        "s3a://bucket/customers-2/a.txt",
        "file:///etc/passwd"
      })
  void aFileThatIsNotBelowTheLocationIsAnError(String foreign) {
    world.source.put(foreign, "2|Mallory\n");
    world.source.listAlso(foreign);
    assertThatThrownBy(() -> world.open(world.request()))
        .isInstanceOfSatisfying(
            LeatException.class,
            e -> assertThat(e.errorCode()).isEqualTo(ErrorCode.SOURCE_UNREADABLE))
        .hasMessageContaining(foreign);
    assertThat(world.source.operations("read " + foreign)).isEmpty();
  }

  @Test
  void theValueOfAPartitionIsAValueWhateverItLooksLike() throws Exception {
    world.source.remove(GOOD);
    world.source.put(EngineWorld.TABLE + "name=..%252F..%252Fetc/a.txt", "3\n");
    Dimension<String, Customer> partitioned =
        Dimension.named("customers")
            .at(EngineWorld.TABLE)
            .partitionedBy(Partitions.inDirectories(new Column("name", ColumnType.STRING)))
            .rows(Customer.class, DelimitedText.separatedBy('|').columns("id"))
            .keyedBy(String.class, "id");
    DimensionService<String, Customer> service =
        world.open(world.request(partitioned, Staleness.serveForever()));
    try (DimensionReader<String, Customer> reader = service.reader()) {
      assertThat(reader.find("3")).isEqualTo(new Customer("3", "../../etc"));
    }
    assertThat(besideTheDisk()).containsExactly("disk");
  }
}
