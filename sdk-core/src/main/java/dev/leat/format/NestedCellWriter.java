package dev.leat.format;

import static java.util.Objects.requireNonNull;

import dev.leat.DimensionRow;
import dev.leat.spi.RowSink;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes the cells of an ARRAY, MAP or STRUCT column: one string of bytes each, which a {@link
 * RowSink} takes by {@code setBytes} and {@link NestedCellReader} reads.
 *
 * <p>The encoding follows the type, which stands elsewhere. A count is a number of seven bits per
 * byte, the lowest first, where all bytes but the last have the highest bit set; an integer is a
 * count after zigzag ({@code n << 1 ^ n >> 63}).
 *
 * <ul>
 *   <li>ARRAY: the count of its elements, a bit for each (the lowest of a byte first; set for
 *       NULL), then those that are not NULL.
 *   <li>MAP: the count of its entries, a bit for each (set if the value is NULL), then for each
 *       entry the key and, if it is not NULL, the value.
 *   <li>STRUCT: a bit for each field (set for NULL), then those that are not NULL.
 *   <li>BOOLEAN: a byte, 0 or 1. TINYINT to BIGINT, and DATE as days since 1970-01-01: an integer.
 *   <li>FLOAT and DOUBLE: 4 and 8 bytes, little-endian. TIMESTAMP: an integer of seconds since
 *       1970-01-01T00:00:00 and a count of nanoseconds.
 *   <li>DECIMAL: a count of bytes and the unscaled value, big-endian two's complement. STRING,
 *       CHAR, VARCHAR (UTF-8) and BINARY: a count of bytes and the bytes.
 * </ul>
 *
 * <p>Belongs to one thread.
 */
public final class NestedCellWriter {
  private final ColumnType type;
  private byte[] bytes = new byte[64];
  private int length;

  /**
   * Creates a writer.
   *
   * @param type an ARRAY, MAP or STRUCT
   */
  public NestedCellWriter(ColumnType type) {
    if (!type.isNested()) {
      throw new IllegalArgumentException(type + " has no parts; give it to the sink as it is");
    }
    this.type = type;
  }

  /**
   * Sets a cell.
   *
   * @param value for an ARRAY a {@link Collection}, for a MAP a {@link Map} without a null key, for
   *     a STRUCT a {@link DimensionRow} or a {@link List} with a value for each field in order;
   *     other values as {@link DimensionRow} has them, where text may also be a {@code byte[]} of
   *     UTF-8, an integer any {@link Number}, and a DATE a {@link Number} of days since 1970-01-01
   * @throws IllegalArgumentException if a value is of another class, or does not fit its type
   */
  public void write(Object value, RowSink sink, int column) {
    length = 0;
    put(type, requireNonNull(value, "value"));
    sink.setBytes(column, bytes, 0, length);
  }

  /** A cell as an array of its own; see {@link #write}. */
  public byte[] bytes(Object value) {
    length = 0;
    put(type, requireNonNull(value, "value"));
    return Arrays.copyOf(bytes, length);
  }

  private void put(ColumnType valueType, Object value) {
    switch (valueType.kind()) {
      case BOOLEAN -> putByte(expect(Boolean.class, value, valueType) ? 1 : 0);
      case TINYINT -> putInteger(value, valueType, Byte.MIN_VALUE, Byte.MAX_VALUE);
      case SMALLINT -> putInteger(value, valueType, Short.MIN_VALUE, Short.MAX_VALUE);
      case INT -> putInteger(value, valueType, Integer.MIN_VALUE, Integer.MAX_VALUE);
      case BIGINT -> putInteger(value, valueType, Long.MIN_VALUE, Long.MAX_VALUE);
      case FLOAT -> {
        int at = reserve(Float.BYTES);
        float number = expect(Number.class, value, valueType).floatValue();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putFloat(at, number);
      }
      case DOUBLE -> {
        int at = reserve(Double.BYTES);
        double number = expect(Number.class, value, valueType).doubleValue();
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putDouble(at, number);
      }
      case DECIMAL -> putRun(unscaled(expect(BigDecimal.class, value, valueType), valueType));
      case STRING, CHAR, VARCHAR ->
          putRun(
              value instanceof byte[] utf8
                  ? utf8
                  : expect(String.class, value, valueType).getBytes(StandardCharsets.UTF_8));
      case BINARY -> putRun(expect(byte[].class, value, valueType));
      case DATE -> {
        if (value instanceof LocalDate date) {
          putInteger(date.toEpochDay(), valueType, Integer.MIN_VALUE, Integer.MAX_VALUE);
        } else {
          putInteger(value, valueType, Integer.MIN_VALUE, Integer.MAX_VALUE);
        }
      }
      case TIMESTAMP -> {
        LocalDateTime time = expect(LocalDateTime.class, value, valueType);
        putZigzag(time.toEpochSecond(ZoneOffset.UTC));
        putCount(time.getNano());
      }
      case ARRAY -> putArray(valueType, expect(Collection.class, value, valueType));
      case MAP -> putMap(valueType, expect(Map.class, value, valueType));
      case STRUCT -> putStruct(valueType, value);
    }
  }

  private void putArray(ColumnType arrayType, Collection<?> elements) {
    int count = elements.size();
    putCount(count);
    int nulls = reserveBits(count);
    int i = 0;
    for (Object element : elements) {
      putPart(arrayType.element(), element, nulls, i++);
    }
  }

  private void putMap(ColumnType mapType, Map<?, ?> map) {
    int count = map.size();
    putCount(count);
    int nulls = reserveBits(count);
    int i = 0;
    for (Map.Entry<?, ?> entry : map.entrySet()) {
      if (entry.getKey() == null) {
        throw new IllegalArgumentException(
            "the key of an entry of a " + mapType + " is null; leave the entry out");
      }
      put(mapType.key(), entry.getKey());
      putPart(mapType.value(), entry.getValue(), nulls, i++);
    }
  }

  private void putStruct(ColumnType structType, Object value) {
    int count = structType.fields().size();
    int nulls = reserveBits(count);
    if (value instanceof DimensionRow row) {
      checkCount(structType, row.columns().size());
      for (int i = 0; i < count; i++) {
        putPart(structType.fields().get(i).type(), row.value(i), nulls, i);
      }
      return;
    }
    List<?> values = expect(List.class, value, structType);
    checkCount(structType, values.size());
    Iterator<?> next = values.iterator();
    for (int i = 0; i < count; i++) {
      putPart(structType.fields().get(i).type(), next.next(), nulls, i);
    }
  }

  private static void checkCount(ColumnType structType, int count) {
    if (count != structType.fields().size()) {
      throw new IllegalArgumentException("there are " + count + " values for a " + structType);
    }
  }

  private void putPart(ColumnType partType, @Nullable Object part, int nulls, int i) {
    if (part == null) {
      bytes[nulls + (i >>> 3)] |= (byte) (1 << (i & 7));
    } else {
      put(partType, part);
    }
  }

  private void putInteger(Object value, ColumnType valueType, long min, long max) {
    Number number = expect(Number.class, value, valueType);
    long whole = number.longValue();
    boolean real = number instanceof Double || number instanceof Float;
    if (real || number instanceof BigDecimal || whole < min || whole > max) {
      throw new IllegalArgumentException(value + " does not fit the type " + valueType);
    }
    putZigzag(whole);
  }

  private static byte[] unscaled(BigDecimal value, ColumnType decimalType) {
    try {
      BigDecimal scaled = value.setScale(decimalType.scale(), RoundingMode.UNNECESSARY);
      if (scaled.precision() <= decimalType.precision() || scaled.signum() == 0) {
        return scaled.unscaledValue().toByteArray();
      }
    } catch (ArithmeticException e) {
      throw new IllegalArgumentException(
          value + " has more digits after the point than the type " + decimalType, e);
    }
    throw new IllegalArgumentException(value + " does not fit the type " + decimalType);
  }

  private static <T> T expect(Class<T> expected, Object value, ColumnType valueType) {
    if (!expected.isInstance(value)) {
      throw new IllegalArgumentException(
          "a " + value.getClass().getName() + " cannot be a value of the type " + valueType);
    }
    return expected.cast(value);
  }

  private void putRun(byte[] run) {
    putCount(run.length);
    int at = reserve(run.length);
    System.arraycopy(run, 0, bytes, at, run.length);
  }

  private void putZigzag(long value) {
    putCount(value << 1 ^ value >> 63);
  }

  private void putCount(long count) {
    long left = count;
    while ((left & ~0x7fL) != 0) {
      putByte((int) left | 0x80);
      left >>>= 7;
    }
    putByte((int) left);
  }

  private void putByte(int value) {
    int at = reserve(1);
    bytes[at] = (byte) value;
  }

  private int reserveBits(int count) {
    int size = (count + 7) >>> 3;
    int at = reserve(size);
    Arrays.fill(bytes, at, at + size, (byte) 0);
    return at;
  }

  private int reserve(int count) {
    int at = length;
    int end = Math.addExact(at, count);
    if (end > bytes.length) {
      bytes =
          Arrays.copyOf(
              bytes, (int) Math.min(Integer.MAX_VALUE - 8L, Math.max(end, 2L * bytes.length)));
    }
    length = end;
    return at;
  }
}
