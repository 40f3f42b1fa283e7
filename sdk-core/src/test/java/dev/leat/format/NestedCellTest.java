package dev.leat.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.DimensionRow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class NestedCellTest {
  private static final long SEED = Long.getLong("leat.nested.seed", 20_261_129L);

  @Test
  void everyValueComesBackAsItWasWritten() {
    for (long seed = SEED; seed < SEED + 2_000; seed++) {
      Random random = new Random(seed);
      ColumnType type = nestedType(random, 3);
      Object value = value(random, type);
      byte[] cell = new NestedCellWriter(type).bytes(value);
      assertThat(comparable(read(type, cell)))
          .as("seed %d, %s", seed, type)
          .isEqualTo(comparable(value));
      byte[] again = new NestedCellWriter(type).bytes(read(type, cell));
      assertThat(again).as("seed %d, %s", seed, type).isEqualTo(cell);
    }
  }

  @Test
  void damagedBytesAreRefusedOrReadWithinTheirBounds() {
    int refused = 0;
    for (long seed = SEED; seed < SEED + 2_000; seed++) {
      Random random = new Random(seed);
      ColumnType type = nestedType(random, 3);
      byte[] cell = new NestedCellWriter(type).bytes(value(random, type));
      byte[] damaged =
          random.nextBoolean() ? Arrays.copyOf(cell, random.nextInt(cell.length)) : cell.clone();
      for (int i = random.nextInt(4); i > 0 && damaged.length > 0; i--) {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
      try {
        read(type, damaged);
      } catch (IllegalArgumentException | java.time.DateTimeException e) {
        refused++;
      }
    }
    assertThat(refused).isGreaterThan(1_000);
  }

  @Test
  void aCountBeyondTheBytesAllocatesNothing() {
    byte[] cell = {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 7, 0};
    assertThatThrownBy(() -> read(ColumnType.array(ColumnType.INT), cell))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("the cell is no array<int>: there are 2147483647 parts in 1 bytes");
  }

  @Test
  void theEncodingIsTheOneOfTheDocumentation() {
    ColumnType type = ColumnType.parse("struct<a:array<int>,b:map<string,boolean>,c:string>");
    Map<Object, @Nullable Object> map = new LinkedHashMap<>();
    map.put("k", true);
    map.put("", null);
    List<@Nullable Object> value = Arrays.asList(Arrays.asList(1, null, -300), map, null);
    assertThat(HexFormat.ofDelimiter(" ").formatHex(new NestedCellWriter(type).bytes(value)))
        .isEqualTo("04 03 02 02 d7 04 02 02 01 6b 01 00");
  }

  @Test
  void partsAreReadOneByOneWithoutObjects() {
    ColumnType type =
        ColumnType.parse("struct<t:timestamp,d:decimal(5,2),n:string,x:array<float>>");
    LocalDateTime time = LocalDateTime.of(1969, 12, 31, 23, 59, 59, 1);
    List<@Nullable Object> value =
        Arrays.asList(time, new BigDecimal("1.50"), null, List.of(1.5f, 2.5f));
    NestedCellReader in = new NestedCellReader(type);
    byte[] cell = new NestedCellWriter(type).bytes(value);
    byte[] padded = new byte[cell.length + 2];
    System.arraycopy(cell, 0, padded, 1, cell.length);
    in.read(padded, 1, cell.length);
    assertThat(in.enter(type)).isEqualTo(4);
    assertThat(in.isNull()).isFalse();
    assertThat(in.longValue(ColumnType.TIMESTAMP)).isEqualTo(time.toEpochSecond(ZoneOffset.UTC));
    assertThat(in.nanos()).isEqualTo(1);
    assertThat(in.isNull()).isFalse();
    assertThat(new BigInteger(in.bytesValue())).isEqualTo(150);
    assertThat(in.isNull()).isTrue();
    assertThat(in.isNull()).isFalse();
    ColumnType floats = type.fields().get(3).type();
    assertThat(in.enter(floats)).isEqualTo(2);
    for (double expected : new double[] {1.5, 2.5}) {
      assertThat(in.isNull()).isFalse();
      assertThat(in.doubleValue(ColumnType.FLOAT)).isEqualTo(expected);
    }
    in.leave();
    in.leave();
  }

  @Test
  void whatDoesNotFitTheTypeIsRefused() {
    assertThatThrownBy(() -> write("array<int>", List.of("x")))
        .hasMessage("a java.lang.String cannot be a value of the type int");
    assertThatThrownBy(() -> write("array<tinyint>", List.of(128)))
        .hasMessage("128 does not fit the type tinyint");
    assertThatThrownBy(() -> write("array<decimal(3,1)>", List.of(new BigDecimal("1.25"))))
        .hasMessageContaining("more digits after the point");
    assertThatThrownBy(() -> write("array<decimal(3,1)>", List.of(new BigDecimal("123.4"))))
        .hasMessage("123.4 does not fit the type decimal(3,1)");
    assertThatThrownBy(() -> write("struct<a:int>", List.of(1, 2)))
        .hasMessage("there are 2 values for a struct<a:int>");
    Map<Object, Object> nullKey = new LinkedHashMap<>();
    nullKey.put(null, 1);
    assertThatThrownBy(() -> write("map<string,int>", nullKey)).hasMessageContaining("is null");
    assertThatThrownBy(() -> new NestedCellWriter(ColumnType.INT))
        .hasMessageContaining("has no parts");
  }

  @Test
  void aStructSaysWhichFieldsItHas() {
    ColumnType type = ColumnType.parse("struct<a:int,b:string>");
    DimensionRow row =
        (DimensionRow) read(type, new NestedCellWriter(type).bytes(Arrays.asList(7, null)));
    assertThat(row.value("a")).isEqualTo(7);
    assertThat(row.value(1)).isNull();
    assertThat(row).hasToString("{a=7, b=null}");
    assertThatThrownBy(() -> row.value("c")).hasMessage("there is no field 'c'; there are [a, b]");
  }

  private static byte[] write(String type, Object value) {
    return new NestedCellWriter(ColumnType.parse(type)).bytes(value);
  }

  private static Object read(ColumnType type, byte[] cell) {
    NestedCellReader in = new NestedCellReader(type);
    in.read(cell, 0, cell.length);
    return in.value();
  }

  private static ColumnType nestedType(Random random, int depth) {
    return switch (random.nextInt(3)) {
      case 0 -> ColumnType.array(type(random, depth - 1));
      case 1 -> ColumnType.map(type(random, 0), type(random, depth - 1));
      default -> {
        List<Column> fields = new ArrayList<>();
        for (int i = random.nextInt(10); i >= 0; i--) {
          fields.add(new Column("f" + i, type(random, depth - 1)));
        }
        yield ColumnType.struct(fields);
      }
    };
  }

  private static ColumnType type(Random random, int depth) {
    if (depth > 0 && random.nextInt(3) == 0) {
      return nestedType(random, depth);
    }
    int precision = 1 + random.nextInt(38);
    List<ColumnType> types =
        List.of(
            ColumnType.BOOLEAN,
            ColumnType.TINYINT,
            ColumnType.SMALLINT,
            ColumnType.INT,
            ColumnType.BIGINT,
            ColumnType.FLOAT,
            ColumnType.DOUBLE,
            ColumnType.STRING,
            ColumnType.DATE,
            ColumnType.TIMESTAMP,
            ColumnType.BINARY,
            ColumnType.varchar(10),
            ColumnType.character(10),
            ColumnType.decimal(precision, random.nextInt(precision + 1)));
    return types.get(random.nextInt(types.size()));
  }

  private static Object value(Random random, ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> random.nextBoolean();
      case TINYINT -> (byte) random.nextInt();
      case SMALLINT -> (short) random.nextInt();
      case INT -> random.nextInt() >> random.nextInt(32);
      case BIGINT -> random.nextLong() >> random.nextInt(64);
      case FLOAT -> random.nextInt(20) == 0 ? Float.NaN : random.nextFloat();
      case DOUBLE -> Double.longBitsToDouble(random.nextLong());
      case DECIMAL -> {
        BigInteger limit = BigInteger.TEN.pow(type.precision());
        yield new BigDecimal(
            new BigInteger(1 + random.nextInt(130), random).mod(limit), type.scale());
      }
      case STRING, CHAR, VARCHAR -> "ü€".repeat(random.nextInt(80)) + random.nextInt();
      case DATE -> LocalDate.ofEpochDay(random.nextInt() >> 8);
      case TIMESTAMP ->
          LocalDateTime.ofEpochSecond(
              random.nextInt(), random.nextInt(1_000_000_000), ZoneOffset.UTC);
      case BINARY -> {
        byte[] bytes = new byte[random.nextInt(200)];
        random.nextBytes(bytes);
        yield bytes;
      }
      case ARRAY -> {
        List<@Nullable Object> list = new ArrayList<>();
        for (int i = random.nextInt(20); i > 0; i--) {
          list.add(part(random, type.element()));
        }
        yield list;
      }
      case MAP -> {
        Map<Object, @Nullable Object> map = new LinkedHashMap<>();
        for (int i = random.nextInt(20); i > 0; i--) {
          map.put(value(random, type.key()), part(random, type.value()));
        }
        yield map;
      }
      case STRUCT -> {
        List<@Nullable Object> fields = new ArrayList<>();
        type.fields().forEach(field -> fields.add(part(random, field.type())));
        yield fields;
      }
    };
  }

  private static @Nullable Object part(Random random, ColumnType type) {
    return random.nextInt(5) == 0 ? null : value(random, type);
  }

  /** With lists for structs and the entries of maps, and text for arrays of bytes and numbers. */
  private static @Nullable Object comparable(@Nullable Object value) {
    if (value instanceof byte[] bytes) {
      return "bytes " + HexFormat.of().formatHex(bytes);
    }
    if (value instanceof List<?> list) {
      return list.stream()
          .map(NestedCellTest::comparable)
          .collect(ArrayList::new, List::add, List::addAll);
    }
    if (value instanceof Map<?, ?> map) {
      List<@Nullable Object> entries = new ArrayList<>();
      map.forEach((key, entry) -> Collections.addAll(entries, comparable(key), comparable(entry)));
      return entries;
    }
    if (value instanceof DimensionRow row) {
      List<@Nullable Object> fields = new ArrayList<>();
      for (int i = 0; i < row.columns().size(); i++) {
        fields.add(comparable(row.value(i)));
      }
      return fields;
    }
    return value;
  }
}
