package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HotRowsTest {
  private static final int ROWS = 20_000;

  @TempDir private Path directory;

  /** A row with a text of its own. */
  private record Item(String id, String text, int n) {}

  /** A key with bytes. */
  private record BytesKey(byte[] id) {}

  private record Blob(byte[] id, int n) {}

  private Index items() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("id", ColumnType.STRING),
                new Column("text", ColumnType.STRING),
                new Column("n", ColumnType.INT)),
            List.of(0));
    for (int i = 0; i < ROWS; i++) {
      table.row("item-" + i, text(i), i);
    }
    // A text that is too long for a dictionary, so that all stand in their rows.
    table.row("long", "x".repeat(ValueDictionary.MAX_VALUE_LENGTH + 1), -1);
    table.build(directory.resolve("items"));
    return Index.open(directory.resolve("items"));
  }

  private static String text(int i) {
    return "the text of item " + i;
  }

  private static @Nullable Item expected(int i) {
    return i < ROWS ? new Item("item-" + i, text(i), i) : null;
  }

  @Test
  void rowsAreThoseOfTheIndexWhateverIsKept() {
    for (long bytes : new long[] {1, 1000, 100_000, 100_000_000}) {
      try (Index index = items()) {
        HotRowCounter counter = new HotRowCounter();
        HotRows<String, Item> hot = hot(index, bytes, counter);
        Random random = new Random(bytes);
        for (int i = 0; i < 100_000; i++) {
          int n = (int) (Math.pow(random.nextDouble(), 4) * ROWS * 1.2);
          assertThat(hot.find("item-" + n)).isEqualTo(expected(n));
          assertThat(hot.bytes()).isLessThanOrEqualTo(bytes);
        }
        if (bytes == 1) {
          assertThat(counter.hits()).isZero();
        } else {
          assertThat(counter.hits()).isPositive();
        }
        List<Item> all = new ArrayList<>();
        assertThat(hot.findAll("item-7", all::add)).isEqualTo(1);
        @Nullable Item[] batch = new Item[2];
        hot.findBatch(new String[] {"item-3", "none"}, batch, 2);
        assertThat(batch).containsExactly(expected(3), null);
        assertThat(all).containsExactly(expected(7));
      }
    }
  }

  private static HotRows<String, Item> hot(Index index, long bytes, HotRowCounter counter) {
    return (HotRows<String, Item>)
        index.lookup(String.class, Item.class, DataSize.ofBytes(bytes), counter);
  }

  @Test
  void aRowThatIsAskedForAgainIsTheSameObject() {
    try (Index index = items()) {
      HotRowCounter counter = new HotRowCounter();
      HotRows<String, Item> hot = hot(index, 1 << 20, counter);
      Item first = hot.find("item-1");
      assertThat(counter.hits()).isZero();
      assertThat(hot.find("item-" + 1)).isSameAs(first);
      assertThat(counter.hits()).isEqualTo(1);
      assertThat(hot.find("none")).isNull();
      assertThat(hot.find("none")).isNull();
      assertThat(counter.hits()).isEqualTo(1);
    }
  }

  @Test
  void keysThatComeOnceDoNotDriveOutThoseThatComeOften() {
    try (Index index = items()) {
      HotRowCounter counter = new HotRowCounter();
      HotRows<String, Item> hot = hot(index, 400_000, counter);
      int cold = 1000;
      for (int round = 0; round < 20; round++) {
        for (int i = 0; i < 100; i++) {
          hot.find("item-" + i);
        }
        for (int i = 0; i < 100; i++) {
          hot.find("item-" + cold++);
        }
      }
      // Of 2000 lookups of the hundred, all but the first ones, and a few that share their places.
      assertThat(counter.hits()).isGreaterThan(1700);
    }
  }

  @Test
  void aRowThatIsLargerThanAllThatMayBeKeptIsNotKept() {
    try (Index index = items()) {
      HotRowCounter counter = new HotRowCounter();
      HotRows<String, Item> hot = hot(index, 300, counter);
      assertThat(hot.find("long")).isNotNull();
      assertThat(hot.find("long")).isNotNull();
      assertThat(counter.hits()).isZero();
    }
  }

  @Test
  void nothingIsKeptByKeysWithBytes() {
    TestTable table =
        new TestTable(
            List.of(new Column("id", ColumnType.BINARY), new Column("n", ColumnType.INT)),
            List.of(0));
    table.row(new byte[] {1}, 1).row(new byte[] {2}, 2);
    table.build(directory.resolve("blobs"));
    try (Index index = Index.open(directory.resolve("blobs"))) {
      IndexLookup<BytesKey, Blob> lookup =
          index.lookup(BytesKey.class, Blob.class, DataSize.ofMebibytes(1), new HotRowCounter());
      byte[] reused = {1};
      BytesKey key = new BytesKey(reused);
      assertThat(lookup.find(key).n()).isEqualTo(1);
      reused[0] = 2;
      assertThat(lookup.find(key).n()).isEqualTo(2);
    }
  }

  @Test
  void aClosedIndexAndANullKeyAreRefusedThoughARowIsKept() {
    Index index = items();
    HotRows<String, Item> hot = hot(index, 1 << 20, new HotRowCounter());
    assertThat(hot.find("item-1")).isNotNull();
    IndexBuildTest.assertCode(() -> hot.find(null), ErrorCode.INVALID_KEY);
    index.close();
    assertThatThrownBy(() -> hot.find("item-1")).isInstanceOf(IllegalStateException.class);
  }
}
