package dev.leat.internal.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.DataSize;
import dev.leat.DimensionRow;
import dev.leat.DuplicateKeys;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class IndexModelTest {
  @TempDir private Path directory;
  private int built;

  /** A composite key. */
  record TwoPartKey(String first, int second) {}

  /** A composite key of texts. */
  record TextsKey(String first, String second) {}

  @ParameterizedTest
  @ValueSource(
      ints = {0, 1, 2, 3, 7, 8, 9, 20, 63, 64, 65, 255, 256, 257, 1000, 4095, 4097, 20_000})
  void everyKeyOfATableOfTheSizeIsFoundWithItsRowAndNoOther(int size) {
    for (KeyKind kind : KeyKind.values()) {
      Random random = new Random(size * 31L + kind.ordinal());
      TestTable table =
          new TestTable(
              List.of(
                  new Column("id", kind.type()),
                  new Column("tier", ColumnType.STRING),
                  new Column("n", ColumnType.INT)),
              List.of(0));
      for (int i = 0; i < size; i++) {
        table.row(kind.key(random, i), "tier" + random.nextInt(5), random.nextInt(1000));
      }
      check(table, kind.javaType(), random, kind::key);
    }
  }

  @ParameterizedTest
  @EnumSource(DuplicateKeys.class)
  void rowsOfTheSameKeyAreKeptAsThePolicySays(DuplicateKeys policy) {
    if (policy == DuplicateKeys.FAIL) {
      return;
    }
    for (int distinct : new int[] {1, 2, 50, 3000}) {
      for (boolean wide : new boolean[] {false, true}) {
        Random random = new Random(distinct);
        TestTable table =
            new TestTable(
                List.of(new Column("id", ColumnType.BIGINT), new Column("text", ColumnType.STRING)),
                List.of(0));
        table.duplicates = policy;
        for (int i = 0; i < 5000; i++) {
          table.row(
              random.nextInt(distinct) - distinct / 2L,
              wide ? "row number " + i + " " + random.nextLong() : "v" + i % 7);
        }
        check(table, Long.class, random, (r, i) -> (long) r.nextInt());
      }
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12})
  void randomTablesOfAllTypesMatchAMap(long seed) {
    Random random = new Random(seed);
    List<Column> columns = new ArrayList<>();
    columns.add(new Column("key", ColumnType.STRING));
    int count = 1 + random.nextInt(24);
    for (int i = 0; i < count; i++) {
      columns.add(new Column("c" + i, type(random)));
    }
    TestTable table = new TestTable(columns, List.of(0));
    table.duplicates = DuplicateKeys.values()[random.nextInt(3)];
    table.splits = 1 + random.nextInt(6);
    table.memory = DataSize.ofBytes(random.nextBoolean() ? 1 << 30 : 100_000);
    int rows = random.nextInt(6000);
    double[] nulls =
        random.doubles(columns.size()).map(d -> d < 0.3 ? 0 : d < 0.9 ? 0.1 : 1).toArray();
    int[] variety = random.ints(columns.size(), 0, 5).map(v -> (int) Math.pow(20, v)).toArray();
    for (int i = 0; i < rows; i++) {
      @Nullable Object[] row = new Object[columns.size()];
      row[0] = random.nextInt(50) == 0 ? null : "k" + random.nextInt(rows * 2);
      for (int c = 1; c < row.length; c++) {
        row[c] =
            random.nextDouble() < nulls[c]
                ? null
                : value(columns.get(c).type(), new Random(random.nextInt(variety[c]) * 77L + c));
      }
      table.row(row);
    }
    check(
        table,
        String.class,
        random,
        (r, i) -> "k" + (char) ('0' + r.nextInt(70)) + r.nextInt(rows * 2 + 1));
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 63, 64, 65, 127, 128, 129, 255, 256, 257, 512, 513, 1023, 1024, 1025})
  void tablesOfManySegmentsAndShardsAreFoundWholeAroundTheirLimits(int size) {
    for (KeyKind kind : KeyKind.values()) {
      Random random = new Random(size * 37L + kind.ordinal());
      TestTable table =
          new TestTable(
              List.of(
                  new Column("id", kind.type()),
                  new Column("text", ColumnType.STRING),
                  new Column("n", ColumnType.BIGINT)),
              List.of(0));
      table.limits = new IndexBuilder.Limits(64, 8192, 256, 32_768);
      table.duplicates = random.nextBoolean() ? DuplicateKeys.KEEP_ALL : DuplicateKeys.KEEP_LAST;
      for (int i = 0; i < size; i++) {
        table.row(
            kind.key(random, i),
            random.nextBoolean() ? null : text(random, 60),
            random.nextLong() >> random.nextInt(60));
      }
      check(table, kind.javaType(), random, kind::key);
    }
  }

  @ParameterizedTest
  @ValueSource(
      ints = {ValueDictionary.LIMIT - 1, ValueDictionary.LIMIT, ValueDictionary.LIMIT + 1, 131_073})
  void columnsAroundTheLimitsOfADictionaryAndOfASegmentKeepTheirValues(int distinct) {
    Random random = new Random(distinct);
    TestTable table =
        new TestTable(
            List.of(
                new Column("id", ColumnType.BIGINT),
                new Column("text", ColumnType.STRING),
                new Column("long", ColumnType.STRING)),
            List.of(0));
    String longest = "x".repeat(ValueDictionary.MAX_VALUE_LENGTH);
    for (int i = 0; i < distinct; i++) {
      table.row(
          (long) i * 3,
          i % 1000 == 999 ? null : "value " + i,
          i == 77 && distinct % 2 == 1 ? longest + "y" : i % 5000 == 0 ? longest : "short" + i % 3);
    }
    check(table, Long.class, random, (r, i) -> (long) r.nextInt(distinct * 3));
  }

  /**
   * Random tables of random types, keys, sizes, policies, limits and budgets; more of them with
   * {@code -Dleat.model.tables=1000}, larger ones with {@code -Dleat.model.rows=1000000}.
   */
  @Test
  void anyRandomTableMatchesAMap() {
    int tables = Integer.getInteger("leat.model.tables", 20);
    int maxRows = Integer.getInteger("leat.model.rows", 3000);
    for (long seed = 0; seed < tables; seed++) {
      Random random = new Random(seed);
      KeyKind kind = KeyKind.values()[random.nextInt(KeyKind.values().length)];
      List<Column> columns = new ArrayList<>(List.of(new Column("key", kind.type())));
      for (int i = random.nextInt(10); i > 0; i--) {
        columns.add(new Column("c" + i, type(random)));
      }
      TestTable table = new TestTable(columns, List.of(0));
      table.duplicates = DuplicateKeys.values()[random.nextInt(3)];
      table.threads = 1 + random.nextInt(3);
      table.splits = 1 + random.nextInt(5);
      table.memory = DataSize.ofBytes(random.nextBoolean() ? 1 << 28 : 50_000);
      table.limits =
          new IndexBuilder.Limits(
              1 + random.nextInt(5000),
              1 + random.nextInt(500_000),
              1 + random.nextInt(20_000),
              1 + random.nextInt(2_000_000));
      int rows = random.nextInt(maxRows);
      for (int i = 0; i < rows; i++) {
        @Nullable Object[] row = new Object[columns.size()];
        row[0] = random.nextInt(60) == 0 ? null : kind.key(random, random.nextInt(rows));
        for (int c = 1; c < row.length; c++) {
          row[c] =
              random.nextInt(9) == 0
                  ? null
                  : value(
                      columns.get(c).type(),
                      new Random(random.nextInt(c % 3 == 0 ? 1_000_000 : 30) * 131L + c));
        }
        table.row(row);
      }
      try {
        check(table, kind.javaType(), random, kind::key);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + " with tables of up to " + maxRows + " rows", e);
      }
    }
  }

  @Test
  void compositeKeysAreNotMixedUp() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("a", ColumnType.STRING),
                new Column("b", ColumnType.STRING),
                new Column("n", ColumnType.INT)),
            List.of(0, 1));
    String[] parts = {"", "x", "xy", "xyz", "y", "yz", "z", "\u0000", "x\u0000", "é", "éx"};
    int n = 0;
    for (String a : parts) {
      for (String b : parts) {
        if ((a.length() + b.length()) % 3 != 1) {
          table.row(a, b, n++);
        }
      }
    }
    Map<List<Object>, List<List<@Nullable Object>>> expected = table.expected();
    build(table);
    try (Index index = Index.open(directory.resolve("i" + built))) {
      IndexLookup<TextsKey, DimensionRow> lookup = index.lookup(TextsKey.class, DimensionRow.class);
      for (String a : parts) {
        for (String b : parts) {
          DimensionRow row = lookup.find(new TextsKey(a, b));
          List<List<@Nullable Object>> rows = expected.get(List.of(a, b));
          assertThat(row == null ? null : TestTable.comparable(values(row)))
              .as("%s|%s", a, b)
              .isEqualTo(rows == null ? null : rows.get(0));
        }
      }
    }
  }

  @Test
  void compositeKeysOfTextAndNumber() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("n", ColumnType.INT),
                new Column("a", ColumnType.STRING),
                new Column("b", ColumnType.INT)),
            List.of(1, 2));
    Random random = new Random(5);
    for (int i = 0; i < 10_000; i++) {
      table.row(i, "part-" + random.nextInt(3000), random.nextInt(20) - 10);
    }
    Map<List<Object>, List<List<@Nullable Object>>> expected = table.expected();
    build(table);
    try (Index index = Index.open(directory.resolve("i" + built))) {
      IndexLookup<TwoPartKey, DimensionRow> lookup =
          index.lookup(TwoPartKey.class, DimensionRow.class);
      for (int a = 0; a < 3100; a++) {
        for (int b = -11; b < 11; b++) {
          DimensionRow row = lookup.find(new TwoPartKey("part-" + a, b));
          List<List<@Nullable Object>> rows = expected.get(List.of("part-" + a, b));
          if ((row == null) != (rows == null)
              || (row != null && !TestTable.comparable(values(row)).equals(rows.get(0)))) {
            assertThat(row).as("part-%s|%s", a, b).isEqualTo(rows);
          }
        }
      }
    }
  }

  @Test
  void aMillionRowsAreFound() {
    TestTable table =
        new TestTable(
            List.of(
                new Column("id", ColumnType.STRING),
                new Column("tier", ColumnType.STRING),
                new Column("n", ColumnType.INT)),
            List.of(0));
    table.memory = DataSize.ofMebibytes(8);
    for (int i = 0; i < 1_000_000; i++) {
      table.row(String.format("cust-%08d", i * 7), "tier" + i % 5, i % 200);
    }
    IndexManifest manifest = build(table);
    assertThat(manifest.rows()).isEqualTo(1_000_000);
    assertThat(manifest.shardBytes()).isLessThan(8_000_000);
    try (Index index = Index.open(directory.resolve("i" + built))) {
      IndexLookup<String, DimensionRow> lookup = index.lookup(String.class, DimensionRow.class);
      for (int i = 0; i < 1_000_000; i++) {
        DimensionRow row = lookup.find((String) table.rows.get(i)[0]);
        if (row == null
            || !("tier" + i % 5).equals(row.value(1))
            || !Integer.valueOf(i % 200).equals(row.value(2))) {
          assertThat(row).as("row %s", i).isNull();
          throw new AssertionError("row " + i + " is missing");
        }
        if (lookup.find(String.format("cust-%08d", i * 7 + 1 + i % 6)) != null) {
          throw new AssertionError("there is a row for " + (i * 7 + 1 + i % 6));
        }
      }
    }
  }

  @Test
  void veryLongKeysAreTold() {
    TestTable table =
        new TestTable(
            List.of(new Column("id", ColumnType.STRING), new Column("n", ColumnType.INT)),
            List.of(0));
    String prefix = "long ".repeat(13_107);
    for (int i = 0; i < 50; i++) {
      table.row(prefix + (char) ('A' + i), i);
      table.row((char) ('A' + i) + prefix, -i);
    }
    check(table, String.class, new Random(1), (r, i) -> prefix + (char) ('A' + 60 + i % 5));
  }

  private interface KeySource {
    Object key(Random random, int i);
  }

  private IndexManifest build(TestTable table) {
    built++;
    return table.build(directory.resolve("i" + built));
  }

  private <K> void check(TestTable table, Class<K> keyType, Random random, KeySource others) {
    Map<List<Object>, List<List<@Nullable Object>>> expected = table.expected();
    IndexManifest manifest = build(table);
    long kept = expected.values().stream().mapToLong(List::size).sum();
    long nullKeys = table.rows.stream().filter(row -> row[table.keyColumns.get(0)] == null).count();
    assertThat(manifest.rows()).isEqualTo(kept);
    assertThat(manifest.nullKeyRows()).isEqualTo(nullKeys);
    assertThat(manifest.duplicateKeys()).isEqualTo(table.rows.size() - nullKeys - expected.size());
    assertThat(IndexManifest.parse(manifest.toJson())).isEqualTo(manifest);
    try (Index index = Index.open(directory.resolve("i" + built))) {
      IndexLookup<K, DimensionRow> lookup = index.lookup(keyType, DimensionRow.class);
      Set<Object> keys = new HashSet<>();
      for (@Nullable Object[] row : table.rows) {
        if (row[table.keyColumns.get(0)] != null) {
          keys.add(row[table.keyColumns.get(0)]);
        }
      }
      for (int i = 0; i < 2000; i++) {
        keys.add(others.key(random, i + 1_000_000));
      }
      List<Object> all = new ArrayList<>(keys);
      K[] batch = all.toArray((K[]) java.lang.reflect.Array.newInstance(keyType, 0));
      @Nullable DimensionRow[] found = new DimensionRow[batch.length];
      lookup.findBatch(batch, found, batch.length);
      for (int i = 0; i < batch.length; i++) {
        K key = batch[i];
        List<List<@Nullable Object>> rows =
            expected.getOrDefault(
                List.of(java.util.Objects.requireNonNull(TestTable.comparable(key))), List.of());
        List<List<@Nullable Object>> actual = new ArrayList<>();
        int count = lookup.findAll(key, row -> actual.add(TestTable.comparable(values(row))));
        assertThat(actual).as("rows of %s", key).isEqualTo(rows);
        assertThat(count).isEqualTo(rows.size());
        DimensionRow one = lookup.find(key);
        assertThat(one == null ? null : TestTable.comparable(values(one)))
            .as("row of %s", key)
            .isEqualTo(rows.isEmpty() ? null : rows.get(0));
        assertThat(found[i]).isEqualTo(one);
      }
      ShapedLookupTest.check(index, all.stream().map(List::of).toList(), expected);
    }
  }

  static @Nullable Object[] values(DimensionRow row) {
    @Nullable Object[] values = new Object[row.columns().size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = row.value(i);
    }
    return values;
  }

  static ColumnType type(Random random) {
    ColumnType[] types = {
      ColumnType.BOOLEAN,
      ColumnType.TINYINT,
      ColumnType.SMALLINT,
      ColumnType.INT,
      ColumnType.BIGINT,
      ColumnType.FLOAT,
      ColumnType.DOUBLE,
      ColumnType.decimal(10, 2),
      ColumnType.decimal(38, 18),
      ColumnType.STRING,
      ColumnType.character(4),
      ColumnType.varchar(300),
      ColumnType.DATE,
      ColumnType.TIMESTAMP,
      ColumnType.BINARY
    };
    return types[random.nextInt(types.length)];
  }

  static Object value(ColumnType type, Random random) {
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT -> (byte) random.nextInt();
      case SMALLINT -> (short) random.nextInt();
      case INT -> random.nextInt();
      case BIGINT ->
          random.nextInt(10) == 0
              ? (random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE)
              : random.nextLong() >> random.nextInt(60);
      case FLOAT -> random.nextInt(20) == 0 ? Float.NaN : random.nextFloat();
      case DOUBLE -> random.nextInt(20) == 0 ? Double.NEGATIVE_INFINITY : random.nextGaussian();
      case DECIMAL ->
          new BigDecimal(
              new BigInteger(random.nextInt(type.precision() * 3), random)
                  .mod(BigInteger.TEN.pow(type.precision())),
              type.scale());
      case STRING -> text(random, 40);
      case CHAR -> text(random, 4);
      case VARCHAR -> text(random, 300);
      case DATE -> LocalDate.ofEpochDay(random.nextInt(40_000) - 10_000);
      case TIMESTAMP ->
          LocalDateTime.ofEpochSecond(
              random.nextInt(),
              random.nextBoolean() ? 0 : random.nextInt(1_000_000_000),
              ZoneOffset.UTC);
      case BINARY -> {
        byte[] bytes = new byte[random.nextInt(30)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case ARRAY, MAP, STRUCT -> throw new IllegalArgumentException(type + " is bytes here");
    };
  }

  private static String text(Random random, int max) {
    StringBuilder text = new StringBuilder();
    int length = random.nextInt(max);
    while (text.length() < length) {
      switch (random.nextInt(6)) {
        case 0 -> text.appendCodePoint(0x1f600 + random.nextInt(50));
        case 1 -> text.append((char) (0x4e00 + random.nextInt(500)));
        case 2 -> text.append((char) (0xe0 + random.nextInt(20)));
        default -> text.append((char) ('a' + random.nextInt(26)));
      }
    }
    return text.toString();
  }

  /** Kinds of keys. */
  private enum KeyKind {
    SEQUENCE(ColumnType.STRING, String.class) {
      @Override
      Object key(Random random, int i) {
        return String.format("cust-%08d", i * 3);
      }
    },
    UUID(ColumnType.STRING, String.class) {
      @Override
      Object key(Random random, int i) {
        return new java.util.UUID(random.nextLong(), random.nextLong()).toString();
      }
    },
    UNICODE(ColumnType.STRING, String.class) {
      @Override
      Object key(Random random, int i) {
        return text(random, 12) + (random.nextInt(5) == 0 ? "" : i);
      }
    },
    LONG_TEXT(ColumnType.STRING, String.class) {
      @Override
      Object key(Random random, int i) {
        return "the last byte of this long key differs, since keys of more than 64 bytes are hashed: "
            + i;
      }
    },
    DENSE_LONG(ColumnType.BIGINT, Long.class) {
      @Override
      Object key(Random random, int i) {
        return (long) i;
      }
    },
    RANDOM_LONG(ColumnType.BIGINT, Long.class) {
      @Override
      Object key(Random random, int i) {
        return random.nextLong();
      }
    },
    INT(ColumnType.INT, Integer.class) {
      @Override
      Object key(Random random, int i) {
        return i % 2 == 0 ? i : -i;
      }
    },
    DECIMAL(ColumnType.decimal(30, 3), BigDecimal.class) {
      @Override
      Object key(Random random, int i) {
        return new BigDecimal(
            new BigInteger(90, random).multiply(BigInteger.valueOf(random.nextBoolean() ? 1 : -1)),
            3);
      }
    },
    DATE(ColumnType.DATE, LocalDate.class) {
      @Override
      Object key(Random random, int i) {
        return LocalDate.ofEpochDay(i - 1000);
      }
    },
    TIMESTAMP(ColumnType.TIMESTAMP, LocalDateTime.class) {
      @Override
      Object key(Random random, int i) {
        return LocalDateTime.ofEpochSecond(i * 7L - 3000, random.nextInt(3), ZoneOffset.UTC);
      }
    },
    BINARY(ColumnType.BINARY, byte[].class) {
      @Override
      Object key(Random random, int i) {
        byte[] key = new byte[random.nextInt(20)];
        random.nextBytes(key);
        return key;
      }
    };

    private final ColumnType type;
    private final Class<?> javaType;

    KeyKind(ColumnType type, Class<?> javaType) {
      this.type = type;
      this.javaType = javaType;
    }

    ColumnType type() {
      return type;
    }

    Class<?> javaType() {
      return javaType;
    }

    abstract Object key(Random random, int i);
  }
}
