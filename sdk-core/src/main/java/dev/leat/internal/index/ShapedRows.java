package dev.leat.internal.index;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.internal.index.RowLayout.Storage;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Lets a {@link RowShape} read the cells of the row at a cursor. Belongs to one thread. */
final class ShapedRows implements RowFactory, Cells {
  private static final VarHandle ELEMENT = MethodHandles.arrayElementVarHandle(Object[].class);

  private final RowShape<?> shape;
  private final Index index;
  private final ColumnType[] types;

  /** The position of a column in the key, or -1. */
  private final int[] components;

  private final Storage[] storages;

  /** The number, code or length of each column that is no key column. */
  private final RowField[] fields;

  private final RowField[] nanos;
  private final CellReaders.@Nullable Run[] runs;

  /** The shared values of a column, from the code 0 on, and the converter that they are of. */
  private final @Nullable Object[] @Nullable [] shared;

  private final @Nullable CellConverter<?>[] converters;
  private KeyBuffer keyCells;
  private Object key;
  private RowCursor cursor;
  private long word;

  ShapedRows(Index index, RowShape<?> shape) {
    this.index = index;
    this.shape = shape;
    this.keyCells = new KeyBuffer(new KeyForm(index.keyTypes()));
    this.key = keyCells;
    this.cursor = new RowCursor();
    List<Column> columns = index.manifest().columns();
    int count = columns.size();
    RowLayout layout = index.columns().layout();
    this.types = columns.stream().map(Column::type).toArray(ColumnType[]::new);
    this.components = new int[count];
    this.storages = layout.cells().stream().map(RowLayout.Cell::storage).toArray(Storage[]::new);
    this.fields = new RowField[count];
    this.nanos = new RowField[count];
    this.runs = new CellReaders.Run[count];
    this.shared = new Object[count][];
    this.converters = new CellConverter<?>[count];
    for (int i = 0; i < count; i++) {
      components[i] = index.manifest().keyColumns().indexOf(i);
      RowLayout.Cell cell = layout.cells().get(i);
      if (cell.storage() == Storage.KEY) {
        continue;
      }
      fields[i] = RowField.of(cell.requireField(), layout);
      if (cell.nanos() != null) {
        nanos[i] = RowField.of(cell.nanos(), layout);
      }
      if (cell.storage() == Storage.BYTES) {
        runs[i] = CellReaders.run(layout, i, fields[i]);
      }
    }
  }

  @Override
  public boolean readsKeyBytes() {
    return true;
  }

  @Override
  public Object row(RowCursor place, long firstBits, KeyBuffer keyBytes, Object keyObject) {
    cursor = place;
    word = firstBits;
    keyCells = keyBytes;
    key = keyObject;
    return shape.row(this);
  }

  @Override
  public Object key() {
    return key;
  }

  @Override
  public boolean isNull(int column) {
    return storages[column] != Storage.KEY && fields[column].isNull(cursor, word);
  }

  @Override
  public long longValue(int column) {
    return storages[column] == Storage.KEY
        ? keyCells.number(components[column])
        : fields[column].number(cursor, word);
  }

  @Override
  public double doubleValue(int column) {
    long bits = longValue(column);
    return types[column].kind() == Kind.FLOAT
        ? Float.intBitsToFloat((int) bits)
        : Double.longBitsToDouble(bits);
  }

  @Override
  public long unscaled(int column) {
    return longValue(column);
  }

  @Override
  public @Nullable BigDecimal decimal(int column) {
    int scale = types[column].scale();
    if (storages[column] == Storage.KEY) {
      int component = components[column];
      return KeyForm.width(types[column]) == 8
          ? BigDecimal.valueOf(keyCells.number(component), scale)
          : new BigDecimal(keyCells.wideNumber(component), scale);
    }
    if (isNull(column)) {
      return null;
    }
    if (storages[column] == Storage.NUMBER) {
      return BigDecimal.valueOf(fields[column].number(cursor, word), scale);
    }
    byte[] unscaled = bytes(column);
    return unscaled == null ? null : new BigDecimal(new BigInteger(unscaled), scale);
  }

  @Override
  public long epochSecond(int column) {
    return longValue(column);
  }

  @Override
  public int nano(int column) {
    return storages[column] == Storage.KEY
        ? keyCells.nano(components[column])
        : (int) nanos[column].number(cursor, word);
  }

  @Override
  public int length(int column) {
    switch (storages[column]) {
      case KEY -> {
        int component = components[column];
        return keyCells.textLength(component, keyCells.textStart(component));
      }
      case CODE -> {
        byte[] value = dictionaryValue(column);
        return value == null ? 0 : value.length;
      }
      default -> {
        return (int) fields[column].length(cursor, word);
      }
    }
  }

  @Override
  public void copy(int column, byte[] target, int offset) {
    switch (storages[column]) {
      case KEY -> {
        int component = components[column];
        int start = keyCells.textStart(component);
        System.arraycopy(
            keyCells.bytes(), start, target, offset, keyCells.textLength(component, start));
      }
      case CODE -> {
        byte[] value = dictionaryValue(column);
        if (value != null) {
          System.arraycopy(value, 0, target, offset, value.length);
        }
      }
      default -> {
        int length = length(column);
        if (length > target.length - offset) {
          throw new IndexOutOfBoundsException(
              length
                  + " bytes do not fit an array of "
                  + target.length
                  + " from "
                  + offset
                  + " on");
        }
        Memory.copy(address(column, length), target, offset, length);
      }
    }
  }

  @Override
  public byte @Nullable [] bytes(int column) {
    if (isNull(column)) {
      return null;
    }
    int length = length(column);
    if (storages[column] == Storage.BYTES) {
      // The place is checked before room is made: a damaged length may be any.
      long from = address(column, length);
      byte[] value = new byte[length];
      Memory.copy(from, value, 0, length);
      return value;
    }
    byte[] value = new byte[length];
    copy(column, value, 0);
    return value;
  }

  @Override
  @SuppressWarnings("unchecked") // What a converter has made has its type.
  public <T> @Nullable T shared(int column, CellConverter<T> converter) {
    if (storages[column] != Storage.CODE) {
      byte[] value = bytes(column);
      return value == null ? null : converter.convert(value);
    }
    RowField field = fields[column];
    @Nullable Object[] values = values(column, converter);
    int code = field.index(cursor, word, values.length);
    // What the converter has made in another thread may be seen whole only through an acquire.
    Object value = ELEMENT.getAcquire(values, code);
    if (value == null && !isNull(column)) {
      value = convert(column, code, values, converter);
    }
    return (T) value;
  }

  private @Nullable Object[] values(int column, CellConverter<?> converter) {
    @Nullable Object[] values = shared[column];
    if (values == null || converters[column] != converter) {
      values = index.sharedValues(column, converter);
      shared[column] = values;
      converters[column] = converter;
    }
    return values;
  }

  private Object convert(
      int column, int code, @Nullable Object[] values, CellConverter<?> converter) {
    Object made = converter.convert(dictionaryValue(column, code));
    Object earlier = ELEMENT.compareAndExchange(values, code, null, made);
    return earlier == null ? made : earlier;
  }

  private byte @Nullable [] dictionaryValue(int column) {
    if (isNull(column)) {
      return null;
    }
    RowField field = fields[column];
    int nullCode = field.zeroIsNull() ? 1 : 0;
    int values = index.columns().dictionaries()[column].length + nullCode;
    return dictionaryValue(column, field.index(cursor, word, values));
  }

  private byte[] dictionaryValue(int column, int code) {
    return index.columns().dictionaries()[column][code - (fields[column].zeroIsNull() ? 1 : 0)];
  }

  private long address(int column, int length) {
    CellReaders.Run run = runs[column];
    if (run == null) {
      throw new IllegalArgumentException(
          "the column " + column + " of type " + types[column] + " has no bytes");
    }
    return cursor.run(run.offset(cursor, word), length);
  }
}
