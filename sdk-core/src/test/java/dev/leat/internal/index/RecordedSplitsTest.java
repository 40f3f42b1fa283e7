package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.DataSize;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.MalformedRows;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.spi.Blob;
import dev.leat.spi.FileSplit;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordedSplitsTest {
  private static final String DEFINITION = "d1";
  private static final String SUFFIX = ".new-test";

  @TempDir private Path directory;
  private int builds;

  private List<Column> columns =
      List.of(
          new Column("id", ColumnType.STRING),
          new Column("tier", ColumnType.STRING),
          new Column("n", ColumnType.decimal(20, 2)));
  private DuplicateKeys duplicates = DuplicateKeys.KEEP_LAST;
  private MalformedRows malformed = MalformedRows.skip();
  private DataSize bound = DataSize.ofMebibytes(256);

  /**
   * A file of a source: some rows, the third of them malformed, and what stands for its content.
   */
  private record File(String name, String tag, List<@Nullable Object[]> rows) {
    String key(int part) {
      return DEFINITION + "-" + name + "-" + tag + "-" + part;
    }
  }

  private record Outcome(TreeMap<String, String> files, IndexBuilder.Reused reused) {}

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void anIndexOfReusedAndParsedSplitsIsThatOfAFullBuild(long seed) throws IOException {
    Random random = new Random(seed);
    List<Column> all = new ArrayList<>(List.of(new Column("id", ColumnType.STRING)));
    for (int i = random.nextInt(12); i >= 0; i--) {
      all.add(new Column("c" + i, IndexModelTest.type(random)));
    }
    columns = all;
    duplicates = DuplicateKeys.values()[random.nextInt(3)];
    List<File> files = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      files.add(randomFile("part-" + i, "v1", random));
    }
    assertThat(build(files, true).reused().splits()).isZero();
    for (int change = 0; change < 6; change++) {
      int at = random.nextInt(files.size());
      switch (random.nextInt(4)) {
        case 0 -> files.add(at, randomFile("added-" + change, "v1", random));
        case 1 -> files.set(at, randomFile(files.get(at).name(), "changed-" + change, random));
        case 2 -> files.add(files.remove(at));
        default -> {
          if (files.size() > 1) {
            files.remove(at);
          }
        }
      }
      Outcome incremental = build(files, true);
      Outcome full = build(files, false);
      assertSame("seed " + seed + ", change " + change, incremental, full);
      assertThat(full.reused()).isEqualTo(new IndexBuilder.Reused(0, 0, 0));
      assertThat(incremental.reused().splits()).isGreaterThanOrEqualTo(2L * files.size() - 2);
    }
  }

  private File randomFile(String name, String tag, Random random) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    int count = random.nextInt(3000);
    for (int i = 0; i < count; i++) {
      @Nullable Object[] row = new Object[columns.size()];
      row[0] = random.nextInt(40) == 0 ? null : "k" + random.nextInt(5000);
      for (int c = 1; c < row.length; c++) {
        row[c] =
            random.nextInt(8) == 0
                ? null
                : IndexModelTest.value(
                    columns.get(c).type(), new Random(random.nextInt(c % 2 == 0 ? 50 : 100_000)));
      }
      rows.add(row);
    }
    return new File(name, tag, rows);
  }

  /** A build, byte for byte the files of its index. */
  private Outcome build(List<File> files, boolean incremental) throws IOException {
    Path index = directory.resolve("index" + builds++);
    Set<String> keys = new HashSet<>();
    files.forEach(file -> keys.addAll(List.of(file.key(0), file.key(1))));
    try (RecordedSplits recorded =
        RecordedSplits.open(recordings(), SUFFIX, bound, DEFINITION, keys)) {
      BuildSettings settings =
          BuildSettings.in(directory.resolve("work"))
              .withThreads(2)
              .withMemory(DataSize.ofBytes(200_000))
              .withMalformedRows(malformed);
      IndexDefinition definition = new IndexDefinition(columns, List.of(0), duplicates, Set.of());
      try (IndexBuilder builder =
          IndexBuilder.open(
              definition, incremental ? settings.withRecordings(recorded) : settings)) {
        List<CompletableFuture<Void>> running = new ArrayList<>();
        for (int ordinal = 0; ordinal < files.size(); ordinal++) {
          for (int part = 0; part < 2; part++) {
            int file = ordinal;
            int half = part;
            running.add(
                CompletableFuture.runAsync(() -> read(builder, files.get(file), file, half)));
          }
        }
        running.forEach(CompletableFuture::join);
        builder.finish(index, "fingerprint");
        recorded.keep();
        return new Outcome(IndexBuildTest.content(index), builder.reused());
      }
    }
  }

  private void read(IndexBuilder builder, File file, int ordinal, int part) {
    int middle = file.rows().size() / 2;
    int from = part == 0 ? 0 : middle;
    int to = part == 0 ? middle : file.rows().size();
    Blob blob =
        new Blob(
            URI.create("file:///data/" + file.name()),
            file.rows().size(),
            Optional.empty(),
            Instant.EPOCH);
    FileSplit split = new FileSplit(blob, from, to - from);
    OptionalLong firstLine = OptionalLong.of(2);
    if (builder.reuse(split, ordinal, firstLine, file.key(part))) {
      return;
    }
    try (SplitSink sink = builder.sink(split, ordinal, firstLine, file.key(part))) {
      for (int i = from; i < to; i++) {
        sink.beginRow(i);
        TestTable.put(sink, columns, file.rows().get(i));
        if (i % 500 == 3) {
          sink.reject(-1, 1, "bad");
        } else {
          if (i % 500 == 4 && file.rows().get(i)[1] == null) {
            byte[] raw = "odd".getBytes(StandardCharsets.UTF_8);
            sink.unparsable(1, raw, 0, raw.length);
          }
          sink.endRow();
        }
      }
    }
  }

  /** Says which file differs, without its content. */
  private static void assertSame(String what, Outcome actual, Outcome expected) {
    assertThat(actual.files().keySet()).as(what).isEqualTo(expected.files().keySet());
    expected
        .files()
        .forEach(
            (name, content) ->
                assertThat(actual.files().get(name).equals(content))
                    .as("%s is the same: %s", name, what)
                    .isTrue());
  }

  private Path recordings() {
    return directory.resolve("recorded");
  }

  private List<Path> recordingFiles() throws IOException {
    if (!Files.exists(recordings())) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(recordings())) {
      return files.sorted().toList();
    }
  }

  private static File numbered(String name, int from, int to, String tier) {
    List<@Nullable Object[]> rows = new ArrayList<>();
    IntStream.range(from, to)
        .forEach(
            i ->
                rows.add(new @Nullable Object[] {"id" + i, tier + i, new java.math.BigDecimal(i)}));
    return new File(name, "v1", rows);
  }

  @Test
  void whatWasRecordedWhileADictionaryHadGivenUpIsReusedWhereItHasNot() throws IOException {
    File few = numbered("few", 0, 1000, "t");
    File many = numbered("many", 1000, 1000 + ValueDictionary.LIMIT, "a tier of its own ");
    build(List.of(many, few), true);
    Outcome alone = build(List.of(few), true);
    assertThat(alone.reused().rows()).isEqualTo(1000);
    assertSame("alone", alone, build(List.of(few), false));
    build(List.of(few), true);
    Outcome together = build(List.of(few, many), true);
    assertThat(together.reused().rows()).isEqualTo(1000);
    assertSame("together", together, build(List.of(few, many), false));
    Outcome again = build(List.of(few, many), true);
    assertThat(again.reused().rows()).isEqualTo(1000 + ValueDictionary.LIMIT);
    assertSame("again", again, together);
  }

  @Test
  void aDamagedOrTruncatedRecordingIsParsedAgain() throws IOException {
    List<File> files = List.of(numbered("a", 0, 12, "t"), numbered("b", 12, 24, "u"));
    Outcome first = build(files, true);
    Path recording = recordings().resolve(files.get(0).key(0) + ".rows");
    byte[] content = Files.readAllBytes(recording);
    for (int i = 0; i < content.length; i++) {
      byte[] flipped = content.clone();
      flipped[i] ^= (byte) (1 << i % 8);
      Files.write(recording, flipped);
      assertUsedWithout(files, first, "flipped at " + i);
      Files.write(recording, Arrays.copyOf(content, i));
      assertUsedWithout(files, first, "cut at " + i);
    }
  }

  private void assertUsedWithout(List<File> files, Outcome first, String what) throws IOException {
    Outcome outcome = build(files, true);
    assertSame(what, outcome, first);
    // What a flip in the unused part of the header changes nobody reads.
    assertThat(outcome.reused().splits()).as(what).isBetween(3L, 4L);
  }

  @Test
  void aRecordingOfAnotherSplitIsNotTaken() throws IOException {
    List<File> files = List.of(numbered("a", 0, 12, "t"), numbered("b", 12, 24, "u"));
    Outcome first = build(files, true);
    Files.copy(
        recordings().resolve(files.get(1).key(0) + ".rows"),
        recordings().resolve(files.get(0).key(0) + ".rows"),
        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
    Outcome outcome = build(files, true);
    assertSame("of another split", outcome, first);
    assertThat(outcome.reused().splits()).isEqualTo(3);
  }

  @Test
  void recordingsStayWithinTheirBoundAndThoseThatNoSplitHasAreDeleted() throws IOException {
    bound = DataSize.ofBytes(60_000);
    File a = numbered("a", 0, 2000, "t");
    File b = numbered("b", 2000, 9000, "t");
    for (List<File> files : List.of(List.of(a), List.of(a, b), List.of(b), List.of(a))) {
      Outcome outcome = build(files, true);
      assertSame("bounded", outcome, build(files, false));
      long bytes = 0;
      for (Path file : recordingFiles()) {
        assertThat(file.toString()).endsWith(".rows");
        bytes += Files.size(file);
      }
      assertThat(bytes).isLessThanOrEqualTo(bound.bytes());
    }
    assertThat(build(List.of(a), true).reused().splits()).isEqualTo(2);
    assertThat(recordingFiles()).hasSize(2);
    bound = DataSize.ofBytes(0);
    assertThat(build(List.of(b), true).reused().splits()).isZero();
    assertThat(recordingFiles()).isEmpty();
  }

  @Test
  void aBuildThatFailsRecordsNothing() throws IOException {
    malformed = MalformedRows.skipUpTo(1);
    List<File> files = List.of(numbered("a", 0, 2000, "t"));
    IndexBuildTest.assertCode(
        () -> {
          try {
            build(files, true);
          } catch (java.util.concurrent.CompletionException e) {
            throw e.getCause();
          }
        },
        ErrorCode.MALFORMED_ROWS);
    assertThat(recordingFiles()).isEmpty();
  }

  @Test
  void malformedRowsOfReusedSplitsCountAgainstThePolicy() throws IOException {
    List<File> files = List.of(numbered("a", 0, 2000, "t"));
    build(files, true);
    malformed = MalformedRows.skipUpTo(1);
    IndexBuildTest.assertCode(
        () -> {
          try {
            build(files, true);
          } catch (java.util.concurrent.CompletionException e) {
            throw e.getCause();
          }
        },
        ErrorCode.MALFORMED_ROWS,
        "file:///data/a");
  }
}
