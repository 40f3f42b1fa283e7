package dev.leat.internal.index;

import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.internal.schema.GenericTypes;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes method handles of the type {@code (RowCursor, long word) -> value} that read one cell of a
 * row. What they are made of is constant, so that the JIT compiler leaves a shift and a mask.
 */
final class CellReaders {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();
  private static final MethodType NUMBER =
      MethodType.methodType(long.class, RowCursor.class, long.class);

  private final List<Column> columns;
  private final IndexColumns indexColumns;
  private final String[] @Nullable [] texts;

  CellReaders(List<Column> columns, IndexColumns indexColumns) {
    this.columns = columns;
    this.indexColumns = indexColumns;
    this.texts = new String[columns.size()][];
  }

  /** The class that a cell of a column is where the target does not ask for another one. */
  static Class<?> naturalType(Column column) {
    return switch (column.type().kind()) {
      case BOOLEAN -> Boolean.class;
      case TINYINT -> Byte.class;
      case SMALLINT -> Short.class;
      case INT -> Integer.class;
      case BIGINT -> Long.class;
      case FLOAT -> Float.class;
      case DOUBLE -> Double.class;
      case DECIMAL -> BigDecimal.class;
      case STRING, CHAR, VARCHAR -> String.class;
      case DATE -> LocalDate.class;
      case TIMESTAMP -> LocalDateTime.class;
      case BINARY -> byte[].class;
      case ARRAY -> List.class;
      case MAP -> Map.class;
      case STRUCT -> DimensionRow.class;
    };
  }

  /**
   * A reader for a column that is no key column.
   *
   * @throws LeatException {@code TYPE_MISMATCH} if the target cannot hold the column's values
   */
  MethodHandle reader(int position, Type targetType) {
    Class<?> target = GenericTypes.rawClass(targetType);
    Column column = columns.get(position);
    RowLayout.Cell cell = indexColumns.layout().cells().get(position);
    RowField field = RowField.of(cell.requireField(), indexColumns.layout());
    MethodHandle reader =
        switch (column.type().kind()) {
          case BOOLEAN ->
              MethodHandles.filterReturnValue(
                  number(field), handle("isTrue", boolean.class, long.class));
          case TINYINT ->
              MethodHandles.explicitCastArguments(
                  number(field), NUMBER.changeReturnType(byte.class));
          case SMALLINT ->
              MethodHandles.explicitCastArguments(
                  number(field), NUMBER.changeReturnType(short.class));
          case INT ->
              MethodHandles.explicitCastArguments(
                  number(field), NUMBER.changeReturnType(int.class));
          case BIGINT -> number(field);
          case FLOAT ->
              MethodHandles.filterReturnValue(
                  number(field), handle("toFloat", float.class, long.class));
          case DOUBLE ->
              MethodHandles.filterReturnValue(
                  number(field), handle("toDouble", double.class, long.class));
          case DATE ->
              MethodHandles.filterReturnValue(
                  number(field), handle("toDate", LocalDate.class, long.class));
          case TIMESTAMP -> timestamp(field, cell);
          case DECIMAL -> decimal(position, field, cell);
          case STRING, CHAR, VARCHAR -> text(position, field, cell);
          case BINARY -> binary(position, field, cell);
          case ARRAY, MAP, STRUCT ->
              MethodHandles.filterReturnValue(
                  binary(position, field, cell),
                  NestedTarget.of(column, targetType)
                      .reader()
                      .asType(MethodType.methodType(target, byte[].class)));
        };
    MethodHandle converted = convert(reader, column, target);
    boolean readsNull = cell.storage() != RowLayout.Storage.NUMBER;
    if (!field.nullable() || readsNull) {
      return converted;
    }
    if (target.isPrimitive()) {
      throw new LeatException(
          ErrorCode.TYPE_MISMATCH,
          "the column '"
              + column.name()
              + "' has NULLs and cannot become a "
              + target
              + "; use "
              + converted.type().wrap().returnType().getSimpleName());
    }
    MethodHandle isNull =
        bind(
            "isNull",
            MethodType.methodType(boolean.class, RowField.class, RowCursor.class, long.class),
            field);
    MethodHandle absent =
        MethodHandles.dropArguments(
            MethodHandles.constant(target, null), 0, RowCursor.class, long.class);
    return MethodHandles.guardWithTest(isNull, absent, converted);
  }

  private static MethodHandle convert(MethodHandle reader, Column column, Class<?> target) {
    return reader.type().returnType() == target
        ? reader
        : MethodHandles.filterReturnValue(
            reader, Conversions.between(reader.type().returnType(), target, column));
  }

  private static MethodHandle number(RowField field) {
    return bind(
        "number",
        MethodType.methodType(long.class, RowField.class, RowCursor.class, long.class),
        field);
  }

  private static MethodHandle timestamp(RowField seconds, RowLayout.Cell cell) {
    Field nanos = cell.nanos();
    if (nanos == null) {
      throw new IllegalStateException("a timestamp has no nanoseconds");
    }
    Timestamp both =
        new Timestamp(
            seconds,
            new RowField(
                nanos.bit(),
                nanos.width(),
                Bits.mask(nanos.width()),
                nanos.base(),
                false,
                -1,
                seconds.narrow()));
    return bind(
        "timestamp",
        MethodType.methodType(LocalDateTime.class, Timestamp.class, RowCursor.class, long.class),
        both);
  }

  private MethodHandle decimal(int position, RowField field, RowLayout.Cell cell) {
    int scale = columns.get(position).type().scale();
    if (cell.storage() == RowLayout.Storage.NUMBER) {
      return bind(
          "decimal",
          MethodType.methodType(BigDecimal.class, Decimal.class, RowCursor.class, long.class),
          new Decimal(field, scale));
    }
    return bind(
        "wideDecimal",
        MethodType.methodType(BigDecimal.class, WideDecimal.class, RowCursor.class, long.class),
        new WideDecimal(run(indexColumns.layout(), position, field), scale));
  }

  private MethodHandle text(int position, RowField field, RowLayout.Cell cell) {
    if (cell.storage() == RowLayout.Storage.CODE) {
      return bind(
          "coded",
          MethodType.methodType(String.class, Coded.class, RowCursor.class, long.class),
          new Coded(field, texts(position, field)));
    }
    return bind(
        "text",
        MethodType.methodType(String.class, Run.class, RowCursor.class, long.class),
        run(indexColumns.layout(), position, field));
  }

  private MethodHandle binary(int position, RowField field, RowLayout.Cell cell) {
    if (cell.storage() == RowLayout.Storage.CODE) {
      byte[][] values = indexColumns.dictionaries()[position];
      byte[][] shifted = field.zeroIsNull() ? new byte[values.length + 1][] : values;
      if (field.zeroIsNull()) {
        System.arraycopy(values, 0, shifted, 1, values.length);
      }
      return bind(
          "codedBytes",
          MethodType.methodType(byte[].class, CodedBytes.class, RowCursor.class, long.class),
          new CodedBytes(field, shifted));
    }
    return bind(
        "bytes",
        MethodType.methodType(byte[].class, Run.class, RowCursor.class, long.class),
        run(indexColumns.layout(), position, field));
  }

  /** The strings of a dictionary, which all lookups share; null at the code of NULL. */
  private synchronized String[] texts(int position, RowField field) {
    String[] strings = texts[position];
    if (strings == null) {
      int first = field.zeroIsNull() ? 1 : 0;
      byte[][] values = indexColumns.dictionaries()[position];
      strings = new String[values.length + first];
      for (int code = 0; code < values.length; code++) {
        strings[code + first] = new String(values[code], StandardCharsets.UTF_8);
      }
      texts[position] = strings;
    }
    return strings;
  }

  /**
   * Where the bytes of a column stand: behind those of the key, if it stands in the row, and of the
   * columns before it.
   */
  static Run run(RowLayout layout, int position, RowField field) {
    List<RowField> before = new ArrayList<>();
    layout.keyLength().ifPresent(length -> before.add(RowField.of(length, layout)));
    for (int i = 0; i < position; i++) {
      if (layout.cells().get(i).storage() == RowLayout.Storage.BYTES) {
        before.add(RowField.of(layout.cells().get(i).requireField(), layout));
      }
    }
    return new Run(field, before.toArray(RowField[]::new));
  }

  /** All lengths of what stands behind a row's bits. */
  static RowField[] lengths(RowLayout layout) {
    List<RowField> lengths = new ArrayList<>();
    layout.keyLength().ifPresent(length -> lengths.add(RowField.of(length, layout)));
    for (RowLayout.Cell cell : layout.cells()) {
      if (cell.storage() == RowLayout.Storage.BYTES) {
        lengths.add(RowField.of(cell.requireField(), layout));
      }
    }
    return lengths.toArray(RowField[]::new);
  }

  private record Timestamp(RowField seconds, RowField nanos) {}

  private record Decimal(RowField field, int scale) {}

  private record WideDecimal(Run run, int scale) {}

  private record Coded(RowField field, String[] values) {}

  private record CodedBytes(RowField field, byte[][] values) {}

  record Run(RowField length, RowField[] before) {

    long offset(RowCursor cursor, long word) {
      long sum = 0;
      for (RowField field : before) {
        sum += field.length(cursor, word);
      }
      return sum;
    }
  }

  static boolean isNull(RowField field, RowCursor cursor, long word) {
    return field.isNull(cursor, word);
  }

  static long number(RowField field, RowCursor cursor, long word) {
    return field.number(cursor, word);
  }

  static boolean isTrue(long value) {
    return value != 0;
  }

  static float toFloat(long value) {
    return Float.intBitsToFloat((int) value);
  }

  static double toDouble(long value) {
    return Double.longBitsToDouble(value);
  }

  static LocalDate toDate(long value) {
    return LocalDate.ofEpochDay(value);
  }

  static LocalDateTime timestamp(Timestamp fields, RowCursor cursor, long word) {
    return LocalDateTime.ofEpochSecond(
        fields.seconds.number(cursor, word),
        (int) fields.nanos.number(cursor, word),
        ZoneOffset.UTC);
  }

  static BigDecimal decimal(Decimal decimal, RowCursor cursor, long word) {
    return BigDecimal.valueOf(decimal.field.number(cursor, word), decimal.scale);
  }

  static @Nullable BigDecimal wideDecimal(WideDecimal decimal, RowCursor cursor, long word) {
    byte[] unscaled = bytes(decimal.run, cursor, word);
    return unscaled == null ? null : new BigDecimal(new BigInteger(unscaled), decimal.scale);
  }

  static @Nullable String coded(Coded coded, RowCursor cursor, long word) {
    return coded.values[coded.field.index(cursor, word, coded.values.length)];
  }

  static byte @Nullable [] codedBytes(CodedBytes coded, RowCursor cursor, long word) {
    byte[] value = coded.values[coded.field.index(cursor, word, coded.values.length)];
    return value == null ? null : value.clone();
  }

  static @Nullable String text(Run run, RowCursor cursor, long word) {
    if (run.length.isNull(cursor, word)) {
      return null;
    }
    int length = (int) run.length.number(cursor, word);
    // The place is checked before room is made: a damaged length may be any.
    long from = cursor.run(run.offset(cursor, word), length);
    byte[] scratch = cursor.scratch(length);
    Memory.copy(from, scratch, 0, length);
    return new String(scratch, 0, length, StandardCharsets.UTF_8);
  }

  static byte @Nullable [] bytes(Run run, RowCursor cursor, long word) {
    if (run.length.isNull(cursor, word)) {
      return null;
    }
    int length = (int) run.length.number(cursor, word);
    long from = cursor.run(run.offset(cursor, word), length);
    byte[] value = new byte[length];
    Memory.copy(from, value, 0, length);
    return value;
  }

  private static MethodHandle bind(String name, MethodType type, Object first) {
    return find(name, type).bindTo(first);
  }

  private static MethodHandle handle(String name, Class<?> result, Class<?> parameter) {
    return find(name, MethodType.methodType(result, parameter));
  }

  private static MethodHandle find(String name, MethodType type) {
    try {
      return LOOKUP.findStatic(CellReaders.class, name, type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
