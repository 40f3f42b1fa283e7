package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.DataSize;
import dev.leat.DuplicateKeys;
import dev.leat.MalformedRows;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.internal.engine.repository.LocalRepository;
import java.io.File;
import java.io.IOException;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Builds in a process of its own that ends at once, without any clean-up, at a moment of the build.
 */
class KilledBuildTest {
  private static final String VERSION = "0123456789abcdef01234567";
  private static final int KILLED = 137;

  @TempDir private Path directory;

  /** When the process ends. */
  enum Moment {
    WHILE_ROWS_ARE_STAGED,
    WHILE_A_SHARD_IS_WRITTEN,
    BEFORE_THE_MANIFEST,
    BEFORE_THE_COMMIT
  }

  @ParameterizedTest
  @EnumSource(Moment.class)
  void aBuildThatIsKilledLeavesNothingThatIsTakenForAnIndex(Moment moment) throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx128m",
                "-cp",
                System.getProperty("java.class.path"),
                Child.class.getName(),
                directory.toString(),
                moment.name())
            .redirectErrorStream(true)
            .redirectOutput(new File(directory.toFile(), "log"))
            .start();
    try {
      assertThat(child.waitFor(120, TimeUnit.SECONDS)).isTrue();
      assertThat(child.exitValue())
          .as(Files.readString(directory.resolve("log")))
          .isEqualTo(KILLED);
    } finally {
      child.destroyForcibly();
    }
    assertThat(files()).as("the process left something").anyMatch(name -> name.contains(".new-"));
    try (LocalRepository repository =
        LocalRepository.open(directory.resolve("root"), "d", DataSize.ofGibibytes(1))) {
      assertThat(repository.openReady(VERSION, "f", reason -> {})).isEmpty();
      assertThat(repository.openLastServed(VERSION.substring(0, 8), reason -> {})).isEmpty();
      assertThat(files()).allMatch(name -> name.startsWith("owner-"));
      Path again = repository.begin(VERSION);
      Child.build(again, DataSize.ofMebibytes(64), IndexFiles.onDisk(), repository, 1000);
      repository.commit(VERSION, again);
      try (Index index = Index.open(directory.resolve("root/d").resolve(VERSION))) {
        assertThat(index.manifest().rows()).isEqualTo(1000);
      }
    }
  }

  private List<String> files() throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve("root/d"))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> String.valueOf(directory.resolve("root/d").relativize(file)))
          .toList();
    }
  }

  /** The process. */
  static final class Child {
    private Child() {}

    public static void main(String[] args) throws IOException {
      Moment moment = Moment.valueOf(args[1]);
      LocalRepository repository =
          LocalRepository.open(Path.of(args[0], "root"), "d", DataSize.ofGibibytes(1));
      Path target = repository.begin(VERSION);
      build(target, DataSize.ofBytes(300_000), filesOf(moment), repository, 100_000);
      Runtime.getRuntime().halt(moment == Moment.BEFORE_THE_COMMIT ? KILLED : 1);
    }

    static void build(
        Path target, DataSize memory, IndexFiles files, LocalRepository repository, int rows)
        throws IOException {
      IndexDefinition definition =
          new IndexDefinition(
              List.of(new Column("id", ColumnType.STRING), new Column("n", ColumnType.INT)),
              List.of(0),
              DuplicateKeys.KEEP_LAST,
              Set.of());
      try (RecordedSplits recorded =
              RecordedSplits.open(
                  repository.recordings(),
                  repository.halfWrittenSuffix(),
                  DataSize.ofMebibytes(64),
                  "k",
                  Set.of("k0"));
          IndexBuilder builder =
              IndexBuilder.open(
                  definition,
                  BuildSettings.in(target.resolve("work"))
                      .withMemory(memory)
                      .withThreads(2)
                      .withMalformedRows(MalformedRows.fail())
                      .withRecordings(recorded),
                  files,
                  new IndexBuilder.Limits(1000, 1 << 20, 10_000, 1 << 20))) {
        try (SplitSink sink =
            builder.sink(TestTable.split(0, 0, rows), 0, OptionalLong.of(1), "k0")) {
          for (int i = 0; i < rows; i++) {
            sink.beginRow(i);
            byte[] id = ("id" + i).getBytes(StandardCharsets.UTF_8);
            sink.setBytes(0, id, 0, id.length);
            sink.setLong(1, i);
            sink.endRow();
          }
        }
        builder.finish(target, "f");
      }
    }

    private static IndexFiles filesOf(Moment moment) {
      return new IndexFiles() {
        private int spilled;

        @Override
        SpillFile spill(Path directory) throws IOException {
          return new SpillFile(directory) {
            @Override
            long append(byte[] bytes, int offset, int length) throws IOException {
              long position = super.append(bytes, offset, length);
              if (moment == Moment.WHILE_ROWS_ARE_STAGED && ++spilled == 3) {
                Runtime.getRuntime().halt(KILLED);
              }
              return position;
            }
          };
        }

        @Override
        WritableByteChannel create(Path directory, String name) throws IOException {
          if (moment == Moment.WHILE_A_SHARD_IS_WRITTEN && name.equals(ShardFile.name(3))) {
            Runtime.getRuntime().halt(KILLED);
          }
          return super.create(directory, name);
        }

        @Override
        void publish(Path directory, String name, byte[] content) throws IOException {
          if (moment == Moment.BEFORE_THE_MANIFEST) {
            create(directory, name + ".new").close();
            Runtime.getRuntime().halt(KILLED);
          }
          super.publish(directory, name, content);
        }
      };
    }
  }
}
