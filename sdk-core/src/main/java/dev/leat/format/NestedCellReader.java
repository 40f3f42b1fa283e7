package dev.leat.format;

import dev.leat.DimensionRow;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cells that {@link NestedCellWriter} writes: as objects ({@link #value()}), or part by
 * part in the order of the bytes, for those that make objects of their own.
 *
 * <p>Part by part: {@link #enter} a container, then for each element or field ask {@link #isNull()}
 * and read it if it is not, as {@link #longValue} or another or by entering it, then {@link
 * #leave()}. Of an entry of a map first the key is read, then {@code isNull()} is asked for the
 * value.
 *
 * <p>Belongs to one thread. Every count is checked against the bytes that there are, so that
 * damaged bytes end in an {@link IllegalArgumentException} and never in an allocation beyond their
 * size.
 */
public final class NestedCellReader {
  private final ColumnType type;
  private byte[] bytes = new byte[0];
  private ByteBuffer numbers = ByteBuffer.wrap(bytes);
  private int position;
  private int end;

  /** The containers that are open; the innermost at {@code depth - 1}. */
  private Container[] open = new Container[4];

  private int depth;

  /**
   * Creates a reader without a cell.
   *
   * @param type an ARRAY, MAP or STRUCT
   */
  public NestedCellReader(ColumnType type) {
    if (!type.isNested()) {
      throw new IllegalArgumentException(type + " has no parts");
    }
    this.type = type;
  }

  /** Goes to the beginning of a cell. The bytes are not copied. */
  public void read(byte[] cell, int offset, int length) {
    if (cell != bytes) {
      bytes = cell;
      numbers = ByteBuffer.wrap(cell).order(ByteOrder.LITTLE_ENDIAN);
    }
    position = offset;
    end = offset + length;
    depth = 0;
  }

  /**
   * The whole cell: a {@link List} for an ARRAY, a {@link Map} in the order of the source for a
   * MAP, a {@link DimensionRow} for a STRUCT, other values as in {@link DimensionRow}.
   * Unmodifiable; elements and values may be null.
   */
  public Object value() {
    Object value = value(type);
    if (position != end) {
      throw damaged((end - position) + " bytes are left");
    }
    return value;
  }

  /** The next value, of a type, which is not NULL: as in {@link #value()}. */
  public Object value(ColumnType valueType) {
    return switch (valueType.kind()) {
      case BOOLEAN -> longValue(valueType) != 0;
      case TINYINT -> (byte) longValue(valueType);
      case SMALLINT -> (short) longValue(valueType);
      case INT -> (int) longValue(valueType);
      case BIGINT -> longValue(valueType);
      case FLOAT -> (float) doubleValue(valueType);
      case DOUBLE -> doubleValue(valueType);
      case DECIMAL -> new BigDecimal(new BigInteger(bytesValue()), valueType.scale());
      case STRING, CHAR, VARCHAR -> {
        int length = run();
        yield new String(bytes, position - length, length, StandardCharsets.UTF_8);
      }
      case DATE -> LocalDate.ofEpochDay(longValue(valueType));
      case TIMESTAMP -> {
        long seconds = longValue(valueType);
        yield LocalDateTime.ofEpochSecond(seconds, nanos(), ZoneOffset.UTC);
      }
      case BINARY -> bytesValue();
      case ARRAY -> {
        int count = enter(valueType);
        List<@Nullable Object> elements = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
          elements.add(isNull() ? null : value(valueType.element()));
        }
        leave();
        yield Collections.unmodifiableList(elements);
      }
      case MAP -> {
        int count = enter(valueType);
        Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
          Object key = value(valueType.key());
          entries.put(key, isNull() ? null : value(valueType.value()));
        }
        leave();
        yield Collections.unmodifiableMap(entries);
      }
      case STRUCT -> {
        int count = enter(valueType);
        @Nullable Object[] values = new Object[count];
        for (int i = 0; i < count; i++) {
          values[i] = isNull() ? null : value(valueType.fields().get(i).type());
        }
        leave();
        yield new StructValue(valueType.fields(), values);
      }
    };
  }

  /**
   * Goes into the next value, which is an ARRAY, MAP or STRUCT and not NULL.
   *
   * @return how many elements, entries or fields it has
   */
  public int enter(ColumnType containerType) {
    boolean struct = containerType.kind() == ColumnType.Kind.STRUCT;
    long count = struct ? containerType.fields().size() : count();
    long bits = (count + 7) >>> 3;
    if (count < 0 || bits > end - position) {
      throw damaged("there are " + count + " parts in " + (end - position) + " bytes");
    }
    if (depth == open.length) {
      open = Arrays.copyOf(open, 2 * depth);
    }
    Container container = open[depth];
    if (container == null) {
      container = new Container();
      open[depth] = container;
    }
    depth++;
    container.nulls = position;
    container.count = (int) count;
    container.next = 0;
    position += (int) bits;
    return (int) count;
  }

  /**
   * Whether the next element, field, or value of an entry is NULL, so that it is not to be read.
   * Asked once for each; not for the key of an entry, which stands before its value and is never
   * NULL.
   */
  public boolean isNull() {
    Container container = open[depth - 1];
    int i = container.next++;
    if (i >= container.count) {
      throw new IllegalStateException("all " + container.count + " parts were read");
    }
    return (bytes[container.nulls + (i >>> 3)] >>> (i & 7) & 1) != 0;
  }

  /** Goes out of a value of which all parts were read. */
  public void leave() {
    Container container = open[--depth];
    if (container.next != container.count) {
      throw new IllegalStateException(
          "only " + container.next + " of " + container.count + " parts were read");
    }
  }

  /**
   * The next value: a BOOLEAN as 0 or 1, an integer, the days of a DATE, or the seconds of a
   * TIMESTAMP, after which {@link #nanos()} is to be read.
   */
  public long longValue(ColumnType valueType) {
    if (valueType.kind() == ColumnType.Kind.BOOLEAN) {
      return next();
    }
    long zigzag = count();
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  /** The nanoseconds of the TIMESTAMP of which the seconds were read. */
  public int nanos() {
    long nanos = count();
    if (nanos < 0 || nanos > 999_999_999) {
      throw damaged("a second has " + nanos + " nanoseconds");
    }
    return (int) nanos;
  }

  /** The next value, a FLOAT or DOUBLE. */
  public double doubleValue(ColumnType valueType) {
    int width = valueType.kind() == ColumnType.Kind.FLOAT ? Float.BYTES : Double.BYTES;
    int at = position;
    advance(width);
    return width == Float.BYTES ? numbers.getFloat(at) : numbers.getDouble(at);
  }

  /**
   * The next value as an array of its own: text as UTF-8, BINARY, or the unscaled value of a
   * DECIMAL, big-endian two's complement.
   */
  public byte[] bytesValue() {
    int length = run();
    return Arrays.copyOfRange(bytes, position - length, position);
  }

  /** Reads a count of bytes and goes behind the bytes. */
  private int run() {
    long length = count();
    if (length < 0 || length > end - position) {
      throw damaged("a value has " + length + " bytes of " + (end - position));
    }
    position += (int) length;
    return (int) length;
  }

  private long count() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      byte next = next();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw damaged("a number does not end");
  }

  private byte next() {
    int at = position;
    advance(1);
    return bytes[at];
  }

  private void advance(int count) {
    if (count > end - position) {
      throw damaged("it ends within a value");
    }
    position += count;
  }

  private IllegalArgumentException damaged(String why) {
    return new IllegalArgumentException("the cell is no " + type + ": " + why);
  }

  private static final class Container {
    private int nulls;
    private int count;
    private int next;
  }
}
