package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DataSize;
import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.MalformedRows;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

class IndexBuildTest {
  private static final List<Column> COLUMNS =
      List.of(
          new Column("id", ColumnType.STRING),
          new Column("name", ColumnType.STRING),
          new Column("amount", ColumnType.BIGINT));

  @TempDir private Path directory;

  /** A row. */
  record Account(String id, String name, long amount) {}

  @Test
  void theSameRowsGiveTheSameBytesForEveryNumberOfThreadsAndSplitsAndEveryBudget()
      throws IOException {
    TreeMap<String, String> first = null;
    int build = 0;
    for (int threads : new int[] {1, 2, 4}) {
      for (long memory : new long[] {1 << 28, 200_000}) {
        for (int splits : new int[] {1, 5}) {
          TestTable table = accounts(30_000, 40_000);
          table.threads = threads;
          table.splits = splits;
          table.memory = DataSize.ofBytes(memory);
          Path target = directory.resolve("same" + build++);
          table.build(target);
          TreeMap<String, String> content = content(target);
          if (first == null) {
            first = content;
          }
          assertThat(content.equals(first))
              .as("%s threads, %s bytes, %s splits", threads, memory, splits)
              .isTrue();
          assertThat(directory.resolve(target.getFileName() + "-work"))
              .satisfiesAnyOf(
                  work -> assertThat(work).isEmptyDirectory(),
                  work -> assertThat(work).doesNotExist());
        }
      }
    }
  }

  @Test
  void keysThatWereChosenToMeetInOnePlaceAreHashedAnotherWay() {
    KeyStatistics statistics = new KeyStatistics();
    for (int digit = 0; digit < 10; digit++) {
      byte[] digits = String.valueOf(digit).repeat(7).getBytes(StandardCharsets.US_ASCII);
      statistics.add(digits, 0, digits.length);
    }
    KeyCodec codec = KeyCodec.of(statistics);
    KeyCode code = new KeyCode();
    TestTable table = new TestTable(COLUMNS, List.of(0));
    byte[] key = new byte[7];
    for (int i = 0; i < 10_000_000; i++) {
      int left = i;
      for (int digit = 6; digit >= 0; digit--) {
        key[digit] = (byte) ('0' + left % 10);
        left /= 10;
      }
      codec.encode(key, 0, key.length, code);
      if (code.hash >>> 55 == 0) {
        table.row(new String(key, StandardCharsets.US_ASCII), "name" + i % 7, (long) i);
      }
    }
    assertThat(table.rows.size()).isGreaterThan(10_000);
    assertAllFound(table);
  }

  /** With a quadratic step this would take hours: 200,000 keys are 20 billion pairs. */
  @Test
  @Timeout(120)
  void keysOfTheSameHashAreHashedAnotherWay() {
    // A 16-byte group whose first half cancels the secret of seed 0 wipes out all that came before
    // it.
    int rows = 200_000;
    TestTable table =
        new TestTable(
            List.of(new Column("id", ColumnType.BINARY), new Column("n", ColumnType.INT)),
            List.of(0));
    Random random = new Random(3);
    for (int i = 0; i < rows; i++) {
      byte[] key = new byte[96];
      random.nextBytes(key);
      Bits.LONG.set(key, 80, 0xe7037ed1a0b428dbL);
      table.row(key, i);
    }
    long distinct =
        table.rows.stream().map(row -> Hashing.bytes((byte[]) row[0], 0, 96, 0)).distinct().count();
    assertThat(distinct).isEqualTo(1);
    table.build(directory.resolve("index"));
    try (Index index = Index.open(directory.resolve("index"))) {
      IndexLookup<byte[], dev.leat.DimensionRow> lookup =
          index.lookup(byte[].class, dev.leat.DimensionRow.class);
      for (int i = 0; i < rows; i++) {
        if (!Integer.valueOf(i).equals(lookup.find((byte[]) table.rows.get(i)[0]).value("n"))) {
          throw new AssertionError("row " + i + " is not found");
        }
      }
    }
  }

  @Test
  @Timeout(120)
  void rowsOfOneKeyAndValuesOfOneHashMakeNoStepQuadratic() {
    int rows = 300_000;
    TestTable table =
        new TestTable(
            List.of(new Column("id", ColumnType.STRING), new Column("v", ColumnType.BINARY)),
            List.of(0));
    Random random = new Random(4);
    for (int i = 0; i < rows; i++) {
      // Values that all have one hash under the seed 0, which the index itself uses for keys.
      byte[] value = new byte[32];
      random.nextBytes(value);
      Bits.LONG.set(value, 16, 0xe7037ed1a0b428dbL);
      table.row("the only key", i < ValueDictionary.LIMIT / 2 ? value : new byte[] {1});
    }
    for (DuplicateKeys policy :
        List.of(DuplicateKeys.KEEP_FIRST, DuplicateKeys.KEEP_LAST, DuplicateKeys.KEEP_ALL)) {
      table.duplicates = policy;
      IndexManifest manifest = table.build(directory.resolve("index"));
      assertThat(manifest.rows()).isEqualTo(policy == DuplicateKeys.KEEP_ALL ? rows : 1);
      assertThat(manifest.duplicateKeys()).isEqualTo(rows - 1);
    }
    try (Index index = Index.open(directory.resolve("index"))) {
      int[] seen = new int[1];
      int count =
          index
              .lookup(String.class, dev.leat.DimensionRow.class)
              .findAll(
                  "the only key",
                  row ->
                      assertThat((byte[]) row.value("v"))
                          .isEqualTo((byte[]) table.rows.get(seen[0]++)[1]));
      assertThat(count).isEqualTo(rows);
    }
  }

  @Test
  void duplicateKeysAreRefusedAndNamedWhereThePolicySaysSo() {
    for (String filler : new String[] {"", "x".repeat(70)}) {
      TestTable table = accounts(500, 1_000_000);
      table.duplicates = DuplicateKeys.FAIL;
      table.rows.forEach(row -> row[0] = row[0] + filler);
      table.row("twice" + filler, "a", 1L);
      table.row("twice" + filler, "b", 2L);
      assertCode(
          () -> table.build(directory.resolve("index")),
          ErrorCode.DUPLICATE_KEY,
          "'twice" + filler + "'",
          "[id]");
      assertThat(directory.resolve("index")).isEmptyDirectory();
    }
  }

  @Test
  void aMalformedRowEndsTheBuildWhereThePolicySaysSo() {
    try (IndexBuilder builder = builder(MalformedRows.fail())) {
      SplitSink sink = builder.sink(TestTable.split(0, 0, 100), 0);
      sink.beginRow(40);
      assertCode(
          () -> sink.reject(3, 2, "'x' is no bigint"),
          ErrorCode.MALFORMED_ROWS,
          "file:///data/part-0",
          "offset 40",
          "line 3",
          "column 'amount'",
          "'x' is no bigint");
    }
  }

  @Test
  void malformedRowsAreCountedAndSampledInTheOrderOfTheSource() {
    try (IndexBuilder builder = builder(MalformedRows.skip())) {
      for (int file : new int[] {1, 0}) {
        SplitSink sink = builder.sink(TestTable.split(file, 0, 100), file);
        for (int i = 0; i < 8; i++) {
          sink.beginRow(i);
          sink.reject(-1, -1, "too few cells");
        }
        row(sink, 9, "key" + file, "n", 1);
        sink.close();
      }
      IndexManifest manifest = builder.finish(directory.resolve("index"), "f");
      assertThat(manifest.rejectedRows()).isEqualTo(16);
      assertThat(manifest.rejectedSamples()).hasSize(10);
      assertThat(manifest.rejectedSamples().get(7))
          .isEqualTo(new IndexManifest.Sample("file:///data/part-0", 7, -1, "", "too few cells"));
      assertThat(manifest.rejectedSamples().get(8).file()).isEqualTo("file:///data/part-1");
      assertThat(manifest.rows()).isEqualTo(2);
    }
  }

  @Test
  void moreMalformedRowsThanTheShareRefuseTheVersion() {
    try (IndexBuilder builder = builder(MalformedRows.skipShare(0.5))) {
      try (SplitSink sink = builder.sink(TestTable.split(0, 0, 100), 0)) {
        row(sink, 0, "a", "n", 1);
        for (int i = 1; i < 3; i++) {
          sink.beginRow(i);
          sink.reject(i, 0, "bad");
        }
      }
      assertCode(
          () -> builder.finish(directory.resolve("index"), "f"),
          ErrorCode.MALFORMED_ROWS,
          "share of 0.5",
          "offset 1");
    }
    assertThat(directory.resolve("index")).doesNotExist();
  }

  @Test
  void cellsThatCannotBeReadAreNullAndCountedUnlessTheyBelongToTheKeyOrAreRequired() {
    IndexDefinition definition =
        new IndexDefinition(COLUMNS, List.of(0), DuplicateKeys.KEEP_LAST, Set.of(2));
    try (IndexBuilder builder =
        IndexBuilder.open(
            definition,
            BuildSettings.in(directory.resolve("work")).withMalformedRows(MalformedRows.skip()))) {
      try (SplitSink sink = builder.sink(TestTable.split(0, 0, 100), 0)) {
        sink.beginRow(0);
        text(sink, 0, "a");
        byte[] raw = "bad".getBytes(StandardCharsets.UTF_8);
        sink.unparsable(1, raw, 0, 3);
        sink.setLong(2, 5);
        sink.endRow();
        sink.beginRow(1);
        sink.unparsable(0, raw, 0, 3);
        sink.setLong(2, 5);
        sink.endRow();
        sink.beginRow(2);
        text(sink, 0, "c");
        sink.unparsable(2, raw, 0, 3);
        sink.endRow();
        sink.beginRow(3);
        text(sink, 1, "no key");
        sink.setLong(2, 5);
        sink.endRow();
      }
      IndexManifest manifest = builder.finish(directory.resolve("index"), "f");
      assertThat(manifest.rows()).isEqualTo(1);
      assertThat(manifest.unparsableCells()).isEqualTo(3);
      assertThat(manifest.unparsableSamples().get(0))
          .isEqualTo(
              new IndexManifest.Sample("file:///data/part-0", 0, -1, "name", "'bad' is no string"));
      assertThat(manifest.rejectedRows()).isEqualTo(2);
      assertThat(manifest.nullKeyRows()).isEqualTo(1);
    }
    try (Index index = Index.open(directory.resolve("index"))) {
      assertThat(index.lookup(String.class, Account.class).find("a"))
          .isEqualTo(new Account("a", null, 5));
    }
  }

  @Test
  void aCancelledBuildLeavesNothing() {
    AtomicReference<IndexBuilder> builder = new AtomicReference<>();
    IndexDefinition definition =
        new IndexDefinition(COLUMNS, List.of(0), DuplicateKeys.KEEP_LAST, Set.of());
    BuildSettings settings =
        BuildSettings.in(directory.resolve("work"))
            .withMemory(DataSize.ofBytes(1000))
            .withListener(onProgress((rows, bytes) -> builder.get().close()));
    builder.set(IndexBuilder.open(definition, settings));
    SplitSink sink = builder.get().sink(TestTable.split(0, 0, 1000), 0);
    assertCode(
        () -> {
          for (int i = 0; i < 1_000_000; i++) {
            row(sink, i, "key" + i, "name", i);
          }
        },
        ErrorCode.BUILD_CANCELLED);
    sink.close();
    assertCode(
        () -> builder.get().finish(directory.resolve("index"), "f"), ErrorCode.BUILD_CANCELLED);
    assertThat(directory.resolve("index")).doesNotExist();
    assertThat(directory.resolve("work")).isEmptyDirectory();
  }

  @Test
  void progressCoversAllRowsAndBytes() {
    AtomicLong rows = new AtomicLong();
    AtomicLong bytes = new AtomicLong();
    AtomicBoolean finished = new AtomicBoolean();
    IndexDefinition definition =
        new IndexDefinition(COLUMNS, List.of(0), DuplicateKeys.KEEP_LAST, Set.of());
    BuildSettings settings =
        BuildSettings.in(directory.resolve("work"))
            .withListener(
                new BuildListener() {
                  @Override
                  public void progress(long r, long b) {
                    rows.accumulateAndGet(r, Math::max);
                    bytes.accumulateAndGet(b, Math::max);
                  }

                  @Override
                  public void finishing(double share) {
                    assertThat(share).isBetween(0.0, 1.0);
                    finished.set(share == 1);
                  }
                });
    try (IndexBuilder builder = IndexBuilder.open(definition, settings)) {
      for (int part = 0; part < 2; part++) {
        try (SplitSink sink = builder.sink(TestTable.split(0, part * 100_000L, 100_000), 0)) {
          for (int i = 0; i < 100_000; i++) {
            row(sink, part * 100_000L + i, "key" + i, "name", i);
          }
        }
      }
      builder.finish(directory.resolve("index"), "f");
    }
    assertThat(rows).hasValue(200_000);
    assertThat(bytes).hasValue(200_000);
    assertThat(finished).isTrue();
  }

  @Test
  void aFullDiskIsToldAndLeavesNoIndex() {
    for (long room : new long[] {0, 100, 3000, 20_000}) {
      TestTable table = accounts(3000, 1_000_000);
      table.files = new FullDisk(room);
      assertCode(
          () -> table.build(directory.resolve("index")),
          ErrorCode.DISK_FULL,
          directory.resolve("index").toString());
      assertThat(directory.resolve("index")).isEmptyDirectory();
      assertCode(
          () -> Index.open(directory.resolve("index")),
          ErrorCode.INDEX_DAMAGED,
          "there is no index");
    }
  }

  @Test
  void aDiskThatIsFullWhileRowsAreSpilledIsToldAndLeavesNothing() {
    for (long room : new long[] {0, 100_000, 800_000}) {
      TestTable table = accounts(30_000, 1_000_000);
      table.threads = 1;
      table.memory = DataSize.ofBytes(10_000);
      table.files = new FullDisk(room);
      assertCode(
          () -> table.build(directory.resolve("index")),
          ErrorCode.DISK_FULL,
          directory.toString(),
          "free some space");
      assertThat(directory.resolve("index-work"))
          .satisfiesAnyOf(
              work -> assertThat(work).isEmptyDirectory(), work -> assertThat(work).doesNotExist());
      assertCode(
          () -> Index.open(directory.resolve("index")),
          ErrorCode.INDEX_DAMAGED,
          "there is no index");
    }
  }

  @Test
  void anOlderIndexInTheDirectoryIsReplaced() {
    accounts(300, 1_000_000).build(directory.resolve("index"));
    TestTable other = accounts(20, 10);
    other.build(directory.resolve("index"));
    try (Index index = Index.open(directory.resolve("index"))) {
      assertThat(index.manifest().rows()).isEqualTo(other.expected().size());
    }
  }

  @Test
  void anOpenSinkAndASecondFinishAreProgrammingErrors() {
    try (IndexBuilder builder = builder(MalformedRows.fail())) {
      SplitSink sink = builder.sink(TestTable.split(0, 0, 100), 0);
      assertThatThrownBy(() -> builder.finish(directory.resolve("index"), "f"))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("still open");
      sink.close();
    }
  }

  @Test
  void aTableOfTextIsSmallerThanItsText() {
    TestTable table = accounts(50_000, 1_000_000_000);
    long text =
        table.rows.stream()
            .mapToLong(
                row ->
                    ((String) row[0]).length()
                        + ((String) row[1]).length()
                        + row[2].toString().length()
                        + 3L)
            .sum();
    assertThat(table.build(directory.resolve("index")).shardBytes()).isLessThan(text);
  }

  private static BuildListener onProgress(BiConsumer<Long, Long> progress) {
    return new BuildListener() {
      @Override
      public void progress(long rows, long bytes) {
        progress.accept(rows, bytes);
      }

      @Override
      public void finishing(double share) {}
    };
  }

  private IndexBuilder builder(MalformedRows policy) {
    IndexDefinition definition =
        new IndexDefinition(COLUMNS, List.of(0), DuplicateKeys.KEEP_LAST, Set.of());
    return IndexBuilder.open(
        definition, BuildSettings.in(directory.resolve("work")).withMalformedRows(policy));
  }

  private static void row(SplitSink sink, long offset, String id, String name, long amount) {
    sink.beginRow(offset);
    text(sink, 0, id);
    text(sink, 1, name);
    sink.setLong(2, amount);
    sink.endRow();
  }

  private static void text(SplitSink sink, int column, String value) {
    byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
    sink.setBytes(column, bytes, 0, bytes.length);
  }

  /**
   * Rows with names that are partly their own, and keys that come several times where there are
   * few.
   */
  private static TestTable accounts(int rows, int keys) {
    Random random = new Random(rows);
    TestTable table = new TestTable(COLUMNS, List.of(0));
    for (int i = 0; i < rows; i++) {
      table.row(
          "acc-" + random.nextInt(keys),
          random.nextBoolean() ? "name of " + i + " " + random.nextLong() : "nobody",
          random.nextLong() >> 20);
    }
    return table;
  }

  private void assertAllFound(TestTable table) {
    table.build(directory.resolve("index"));
    try (Index index = Index.open(directory.resolve("index"))) {
      IndexLookup<String, Account> lookup = index.lookup(String.class, Account.class);
      for (Object[] row : table.rows) {
        assertThat(lookup.find((String) row[0]))
            .isEqualTo(new Account((String) row[0], (String) row[1], (long) row[2]));
      }
    }
  }

  static void assertCode(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable call, ErrorCode code, String... parts) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            LeatException.class, e -> assertThat(e.errorCode()).as("%s", e).isEqualTo(code))
        .satisfies(
            e ->
                assertThat(List.of(parts))
                    .allSatisfy(part -> assertThat(e).hasMessageContaining(part)));
  }

  static TreeMap<String, String> content(Path directory) throws IOException {
    TreeMap<String, String> content = new TreeMap<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.toList()) {
        content.put(
            file.getFileName().toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
      }
    }
    return content;
  }

  /** A disk with little room. */
  private static final class FullDisk extends IndexFiles {
    private long room;

    FullDisk(long room) {
      this.room = room;
    }

    @Override
    SpillFile spill(Path directory) throws IOException {
      return new SpillFile(directory) {
        @Override
        long append(byte[] bytes, int offset, int length) throws IOException {
          if (length > room) {
            throw new IOException("No space left on device");
          }
          room -= length;
          return super.append(bytes, offset, length);
        }
      };
    }

    @Override
    WritableByteChannel create(Path directory, String name) throws IOException {
      WritableByteChannel file = super.create(directory, name);
      return new WritableByteChannel() {
        @Override
        public int write(ByteBuffer source) throws IOException {
          if (source.remaining() > room) {
            throw new IOException("No space left on device");
          }
          room -= source.remaining();
          return file.write(source);
        }

        @Override
        public boolean isOpen() {
          return file.isOpen();
        }

        @Override
        public void close() throws IOException {
          file.close();
        }
      };
    }
  }
}
