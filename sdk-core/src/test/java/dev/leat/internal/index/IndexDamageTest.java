package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DuplicateKeys;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexDamageTest {
  private static final int ROWS = 24;

  @TempDir private Path directory;

  /** A row. */
  record Item(String id, String name, int n) {}

  /** How rows stand. */
  enum Form {
    INLINE,
    RECORDS,
    GROUPED_RECORDS,
    HASHED_KEYS
  }

  static TestTable table(Form form) {
    TestTable table =
        new TestTable(
            List.of(
                new Column("id", ColumnType.STRING),
                new Column("name", ColumnType.STRING),
                new Column("n", ColumnType.INT)),
            List.of(0));
    table.duplicates =
        form == Form.GROUPED_RECORDS ? DuplicateKeys.KEEP_ALL : DuplicateKeys.KEEP_LAST;
    table.threads = 1;
    // One name that is too long for a dictionary, and all names stand in their rows.
    String first = form == Form.INLINE ? "name" : "n".repeat(ValueDictionary.MAX_VALUE_LENGTH + 1);
    String filler = form == Form.HASHED_KEYS ? "-".repeat(KeyStatistics.MAX_POSITIONS) : "";
    for (int i = 0; i < ROWS; i++) {
      table.row(
          "id" + i + filler, i == 0 ? first : i % 3 == 0 ? "name" + i : "name" + i % 5, i * i);
    }
    if (form == Form.GROUPED_RECORDS) {
      table.row("id3", "again", 7);
    }
    return table;
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void noFlippedByteGivesAWrongRow(Form form) throws IOException {
    TestTable table = table(form);
    Path index = directory.resolve("index");
    table.build(index);
    Map<Path, byte[]> files = files(index);
    int damaged = 0;
    for (Map.Entry<Path, byte[]> file : files.entrySet()) {
      byte[] content = file.getValue();
      for (int i = 0; i < content.length; i++) {
        byte[] changed = content.clone();
        changed[i] ^= (byte) (1 << i % 8);
        Files.write(file.getKey(), changed);
        damaged += rowsAreRightOrDamaged(table, index, file.getKey() + " at " + i) ? 1 : 0;
      }
      Files.write(file.getKey(), content);
    }
    assertThat(damaged).isGreaterThan(1000);
    assertThat(rowsAreRightOrDamaged(table, index, "nothing")).isFalse();
  }

  @ParameterizedTest
  @EnumSource(Form.class)
  void aTruncatedFileIsDamaged(Form form) throws IOException {
    TestTable table = table(form);
    Path index = directory.resolve("index");
    table.build(index);
    for (Map.Entry<Path, byte[]> file : files(index).entrySet()) {
      byte[] content = file.getValue();
      for (int length = 0; length < content.length; length++) {
        Files.write(file.getKey(), Arrays.copyOf(content, length));
        assertThat(rowsAreRightOrDamaged(table, index, file.getKey() + " of " + length)).isTrue();
      }
      Files.write(file.getKey(), content);
    }
  }

  @Test
  void aMissingFileIsDamage() throws IOException {
    TestTable table = table(Form.INLINE);
    Path index = directory.resolve("index");
    table.build(index);
    for (Map.Entry<Path, byte[]> file : files(index).entrySet()) {
      Files.delete(file.getKey());
      assertThat(rowsAreRightOrDamaged(table, index, "without " + file.getKey())).isTrue();
      Files.write(file.getKey(), file.getValue());
    }
  }

  @Test
  void filesOfTwoIndexesDoNotMix() throws IOException {
    TestTable table = table(Form.INLINE);
    table.build(directory.resolve("index"));
    TestTable other = table(Form.INLINE);
    other.rows.forEach(row -> row[2] = row[2].equals(0) ? 0 : 23 * 23 - (int) row[2]);
    other.build(directory.resolve("other"));
    Path shard = Path.of(ShardFile.name(0));
    assertThat(Files.size(directory.resolve("other").resolve(shard)))
        .isEqualTo(Files.size(directory.resolve("index").resolve(shard)));
    Files.write(
        directory.resolve("index").resolve(shard),
        Files.readAllBytes(directory.resolve("other").resolve(shard)));
    IndexBuildTest.assertCode(
        () -> Index.open(directory.resolve("index")),
        ErrorCode.INDEX_DAMAGED,
        "is not the one that the manifest names");
  }

  @Test
  void aManifestOfAnotherVersionIsNotRead() {
    TestTable table = table(Form.INLINE);
    IndexManifest manifest = table.build(directory.resolve("index"));
    IndexManifest later =
        new IndexManifest(
            99,
            manifest.columns(),
            manifest.keyColumns(),
            manifest.duplicates(),
            "f",
            1,
            0,
            0,
            0,
            0,
            List.of(),
            0,
            List.of(),
            manifest.shards());
    IndexBuildTest.assertCode(
        () -> IndexManifest.parse(later.toJson()),
        ErrorCode.INDEX_FORMAT_UNSUPPORTED,
        "version 99");
  }

  private static IndexManifest with(
      IndexManifest manifest, List<Integer> keyColumns, IndexManifest.Shard shard) {
    return new IndexManifest(
        IndexManifest.FORMAT_VERSION,
        manifest.columns(),
        keyColumns,
        manifest.duplicates(),
        "f",
        1,
        0,
        0,
        0,
        0,
        List.of(),
        0,
        List.of(),
        List.of(shard));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"../shard-0000.leat", "/etc/shard.leat", "a/b.leat", "..", "manifest.json", ""})
  void aManifestThatNamesAFileElsewhereIsRefused(String name) {
    IndexManifest manifest = table(Form.INLINE).build(directory.resolve("index"));
    byte[] json =
        with(manifest, manifest.keyColumns(), new IndexManifest.Shard(name, 100, 0, 0)).toJson();
    IndexBuildTest.assertCode(
        () -> IndexManifest.parse(json), ErrorCode.INDEX_DAMAGED, "'" + name + "' is no name");
  }

  @ParameterizedTest
  @ValueSource(longs = {-1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 31})
  void aManifestWithASizeThatCannotBeIsRefused(long bytes) {
    IndexManifest manifest = table(Form.INLINE).build(directory.resolve("index"));
    byte[] json =
        with(
                manifest,
                manifest.keyColumns(),
                new IndexManifest.Shard("shard-0000.leat", bytes, 0, 0))
            .toJson();
    IndexBuildTest.assertCode(
        () -> IndexManifest.parse(json), ErrorCode.INDEX_DAMAGED, bytes + " bytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 3})
  void aManifestWithAKeyThatIsNoColumnIsRefused(int position) {
    IndexManifest manifest = table(Form.INLINE).build(directory.resolve("index"));
    byte[] json = with(manifest, List.of(position), manifest.shards().get(0)).toJson();
    IndexBuildTest.assertCode(
        () -> IndexManifest.parse(json), ErrorCode.INDEX_DAMAGED, position + " is none of 3");
  }

  @Test
  void aClosedIndexThrows() {
    TestTable table = table(Form.INLINE);
    table.build(directory.resolve("index"));
    Index index = Index.open(directory.resolve("index"));
    IndexLookup<String, Item> lookup = index.lookup(String.class, Item.class);
    assertThat(lookup.find("id1")).isEqualTo(new Item("id1", "name1", 1));
    index.close();
    index.close();
    assertThatThrownBy(() -> lookup.find("id1")).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lookup.findAll("id1", row -> {}))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> lookup.findBatch(new String[] {"id1"}, new Item[1], 1))
        .isInstanceOf(IllegalStateException.class);
  }

  /** Whether some lookup, or the opening, told of damage; all others were right. */
  private static boolean rowsAreRightOrDamaged(TestTable table, Path directory, String what) {
    boolean damaged = false;
    try (Index index = Index.open(directory)) {
      IndexLookup<String, Item> lookup = index.lookup(String.class, Item.class);
      for (int i = 0; i < ROWS; i++) {
        Object[] row = table.rows.get(i);
        try {
          assertThat(lookup.find((String) row[0]))
              .as(what)
              .isEqualTo(new Item((String) row[0], (String) row[1], (int) row[2]));
          assertThat(lookup.find("id" + (i + ROWS))).as(what).isNull();
        } catch (LeatException e) {
          assertThat(e.errorCode()).as("%s: %s", what, e).isEqualTo(ErrorCode.INDEX_DAMAGED);
          damaged = true;
        }
      }
    } catch (LeatException e) {
      assertThat(e.errorCode())
          .as("%s: %s", what, e)
          .isIn(ErrorCode.INDEX_DAMAGED, ErrorCode.INDEX_FORMAT_UNSUPPORTED);
      damaged = true;
    }
    return damaged;
  }

  private static Map<Path, byte[]> files(Path index) throws IOException {
    Map<Path, byte[]> files = new HashMap<>();
    try (Stream<Path> list = Files.list(index)) {
      for (Path file : list.toList()) {
        files.put(file, Files.readAllBytes(file));
      }
    }
    return files;
  }
}
