package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DimensionRow;
import dev.leat.DuplicateKeys;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShapedLookupTest {
  @TempDir private Path directory;

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16})
  void keysOfSeveralColumnsOfAllTypesFindTheirRows(long seed) {
    Random random = new Random(seed);
    List<Column> columns = new ArrayList<>();
    int count = 2 + random.nextInt(10);
    for (int i = 0; i < count; i++) {
      columns.add(new Column("c" + i, IndexModelTest.type(random)));
    }
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      positions.add(i);
    }
    Collections.shuffle(positions, random);
    List<Integer> keyColumns = positions.subList(0, 1 + random.nextInt(Math.min(4, count)));
    TestTable table = new TestTable(columns, List.copyOf(keyColumns));
    table.duplicates = DuplicateKeys.values()[random.nextInt(3)];
    int rows = random.nextInt(3000);
    List<List<Object>> keys = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      @Nullable Object[] row = new Object[count];
      for (int c = 0; c < count; c++) {
        row[c] =
            random.nextInt(20) == 0
                ? null
                : IndexModelTest.value(
                    columns.get(c).type(), new Random(random.nextInt(40) * 77L + c));
      }
      table.row(row);
      List<Object> key = new ArrayList<>();
      keyColumns.forEach(c -> key.add(row[c]));
      keys.add(key);
    }
    for (int i = 0; i < 1000; i++) {
      List<Object> key = new ArrayList<>();
      for (int c : keyColumns) {
        key.add(
            IndexModelTest.value(columns.get(c).type(), new Random(random.nextInt(60) * 77L + c)));
      }
      keys.add(key);
    }
    Map<List<Object>, List<List<@Nullable Object>>> expected = table.expected();
    table.build(directory.resolve("index"));
    try (Index index = Index.open(directory.resolve("index"))) {
      check(index, keys, expected);
    }
  }

  @SuppressWarnings("unchecked")
  static void check(
      Index index,
      List<? extends List<Object>> keys,
      Map<List<Object>, List<List<@Nullable Object>>> expected) {
    IndexLookup<List<Object>, List<@Nullable Object>> lookup = JavaShapes.lookup(index);
    List<Object>[] batch = keys.toArray(List[]::new);
    List<@Nullable Object>[] found = new List[batch.length];
    lookup.findBatch(batch, found, batch.length);
    Set<List<Object>> hit = new HashSet<>();
    for (int i = 0; i < batch.length; i++) {
      List<Object> comparable = new ArrayList<>();
      batch[i].forEach(value -> comparable.add(TestTable.comparable(value)));
      List<List<@Nullable Object>> rows = expected.getOrDefault(comparable, List.of());
      List<List<@Nullable Object>> actual = new ArrayList<>();
      assertThat(lookup.findAll(batch[i], actual::add)).isEqualTo(rows.size());
      assertThat(actual).as("rows of %s", comparable).isEqualTo(rows);
      List<@Nullable Object> one = rows.isEmpty() ? null : rows.get(0);
      assertThat(lookup.find(batch[i])).isEqualTo(one);
      assertThat(found[i]).isEqualTo(one);
      if (one != null) {
        hit.add(comparable);
      }
    }
    assertThat(hit).isEqualTo(expected.keySet());
  }

  @Test
  void aValueOfADictionaryIsConvertedOnceForAllLookups() throws Exception {
    TestTable table =
        new TestTable(
            List.of(new Column("id", ColumnType.INT), new Column("tier", ColumnType.STRING)),
            List.of(0));
    for (int i = 0; i < 5000; i++) {
      table.row(i, i % 11 == 0 ? null : "tier " + i % 7);
    }
    table.build(directory.resolve("index"));
    AtomicInteger conversions = new AtomicInteger();
    CellConverter<Object> converter =
        bytes -> {
          conversions.incrementAndGet();
          return new StringBuilder(new String(bytes, StandardCharsets.UTF_8));
        };
    try (Index index = Index.open(directory.resolve("index"))) {
      List<CompletableFuture<Set<Object>>> running = new ArrayList<>();
      for (int thread = 0; thread < 2; thread++) {
        running.add(
            CompletableFuture.supplyAsync(
                () -> {
                  IndexLookup<List<Object>, List<@Nullable Object>> lookup =
                      index.lookup(
                          JavaShapes::write,
                          cells -> Collections.singletonList(cells.shared(1, converter)));
                  Set<Object> values = Collections.newSetFromMap(new java.util.IdentityHashMap<>());
                  for (int i = 0; i < 5000; i++) {
                    List<@Nullable Object> row = lookup.find(List.of(i));
                    Object value = row.get(0);
                    if ((value == null) != (i % 11 == 0)
                        || value != null && !value.toString().equals("tier " + i % 7)) {
                      throw new AssertionError(i + " has " + value);
                    }
                    if (value != null) {
                      values.add(value);
                    }
                  }
                  return values;
                }));
      }
      Set<Object> first = running.get(0).get();
      assertThat(first).hasSize(7).isEqualTo(running.get(1).get());
      // Two threads that want the same value at once may both convert it; one of both is kept.
      assertThat(conversions).hasValueBetween(7, 14);
    }
  }

  @Test
  void aKeyThatIsNotWholeOrThatNoColumnCanHoldIsAMiss() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("id", ColumnType.INT),
                new Column("rate", ColumnType.decimal(4, 2)),
                new Column("score", ColumnType.FLOAT),
                new Column("n", ColumnType.INT)),
            List.of(0, 1, 2));
    table.row(1, new BigDecimal("1.50"), 0.5f, 7);
    table.build(directory.resolve("index"));
    try (Index index = Index.open(directory.resolve("index"))) {
      IndexLookup<List<Object>, List<@Nullable Object>> lookup = JavaShapes.lookup(index);
      assertThat(lookup.find(List.of(1, new BigDecimal("1.50"), 0.5)))
          .containsExactly(1, new BigDecimal("1.50"), 0.5f, 7);
      for (List<Object> other :
          List.<List<Object>>of(
              List.of(1L << 32 | 1, new BigDecimal("1.50"), 0.5),
              List.of(1, new BigDecimal("-1001.50"), 0.5),
              List.of(1, new BigDecimal("1.50"), 0.1))) {
        assertThat(lookup.find(other)).isNull();
      }
      List<@Nullable Object> incomplete = new ArrayList<>(List.of(1, new BigDecimal("1.50")));
      incomplete.add(null);
      assertThat(lookup.find(incomplete)).isNull();
      assertThat(lookup.findAll(incomplete, row -> {})).isZero();
      assertThatThrownBy(() -> lookup.find(List.of("1", new BigDecimal("1.50"), 0.5)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("component 0 of the key has the type int");
    }
  }

  @Test
  void shapesAndClassesFindTheSame() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("n", ColumnType.INT),
                new Column("a", ColumnType.STRING),
                new Column("b", ColumnType.INT)),
            List.of(1, 2));
    Random random = new Random(5);
    for (int i = 0; i < 3000; i++) {
      table.row(i, "part-" + random.nextInt(1000), random.nextInt(20) - 10);
    }
    table.build(directory.resolve("index"));
    try (Index index = Index.open(directory.resolve("index"))) {
      IndexLookup<IndexModelTest.TwoPartKey, DimensionRow> classes =
          index.lookup(IndexModelTest.TwoPartKey.class, DimensionRow.class);
      IndexLookup<List<Object>, List<@Nullable Object>> shapes = JavaShapes.lookup(index);
      for (int i = 0; i < 20_000; i++) {
        String a = "part-" + random.nextInt(1100);
        int b = random.nextInt(22) - 11;
        DimensionRow row = classes.find(new IndexModelTest.TwoPartKey(a, b));
        assertThat(shapes.find(List.of(a, b)))
            .isEqualTo(row == null ? null : java.util.Arrays.asList(IndexModelTest.values(row)));
      }
    }
  }
}
