package dev.leat.internal.index;

import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.internal.schema.ColumnNames;
import dev.leat.internal.schema.GenericTypes;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Brings the user's row type together with the columns of an index: makes the method handle {@code
 * (RowCursor, long, Object key) -> row}.
 */
final class RowTarget {
  private static final MethodType ROW =
      MethodType.methodType(Object.class, RowCursor.class, long.class, Object.class);
  private static final int MAX_COLLECTED = 120;

  private final List<Column> columns;
  private final ColumnNames names;
  private final CellReaders readers;
  private final KeyAccess keys;

  RowTarget(List<Column> columns, CellReaders readers, KeyAccess keys) {
    this.columns = columns;
    this.names = new ColumnNames(columns.stream().map(Column::name).toList());
    this.readers = readers;
    this.keys = keys;
  }

  RowFactory factory(Class<?> rowType) {
    if (rowType == DimensionRow.class) {
      return dimensionRows();
    }
    try {
      MethodHandles.Lookup lookup = MethodHandles.privateLookupIn(rowType, MethodHandles.lookup());
      MethodHandle handle =
          rowType.isRecord() ? recordHandle(rowType, lookup) : pojoHandle(rowType, lookup);
      return HiddenClasses.rowFactory(handle.asType(ROW));
    } catch (ReflectiveOperationException e) {
      throw new LeatException(
          ErrorCode.INVALID_DEFINITION,
          "the row type "
              + rowType.getName()
              + " cannot be made: "
              + e.getMessage()
              + "; use a record, or a class with a constructor without parameters",
          e);
    }
  }

  private MethodHandle recordHandle(Class<?> rowType, MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    RecordComponent[] components = rowType.getRecordComponents();
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    MethodHandle handle = lookup.findConstructor(rowType, MethodType.methodType(void.class, types));
    handle = MethodHandles.dropArguments(handle, types.length, ROW.parameterList());
    for (int i = types.length - 1; i >= 0; i--) {
      // A fold leaves cursor, word and key as the last parameters, so their number stays small
      // however many components there are.
      handle =
          MethodHandles.foldArguments(
              handle,
              i,
              cell(columnOf(rowType, components[i].getName()), components[i].getGenericType()));
    }
    return handle;
  }

  private MethodHandle pojoHandle(Class<?> rowType, MethodHandles.Lookup lookup)
      throws ReflectiveOperationException {
    MethodHandle create =
        lookup
            .findConstructor(rowType, MethodType.methodType(void.class))
            .asType(MethodType.methodType(Object.class));
    MethodHandle fill =
        MethodHandles.dropArguments(MethodHandles.identity(Object.class), 1, ROW.parameterList());
    for (Class<?> declaring = rowType;
        declaring != null && declaring != Object.class;
        declaring = declaring.getSuperclass()) {
      MethodHandles.Lookup own =
          declaring == rowType
              ? lookup
              : MethodHandles.privateLookupIn(declaring, MethodHandles.lookup());
      Field[] fields = declaring.getDeclaredFields();
      Arrays.sort(fields, Comparator.comparing(Field::getName));
      for (Field field : fields) {
        if (Modifier.isStatic(field.getModifiers())
            || Modifier.isTransient(field.getModifiers())
            || field.isSynthetic()) {
          continue;
        }
        Method setter = setter(rowType, field);
        MethodHandle set = setter == null ? own.unreflectSetter(field) : lookup.unreflect(setter);
        set = MethodHandles.dropReturn(set.asType(set.type().changeParameterType(0, Object.class)));
        MethodHandle cell =
            MethodHandles.dropArguments(
                cell(columnOf(rowType, field.getName()), field.getGenericType()), 0, Object.class);
        // (Object row, RowCursor, long, Object key) -> void
        MethodHandle setCell =
            MethodHandles.foldArguments(
                MethodHandles.permuteArguments(
                    MethodHandles.dropArguments(set, 2, ROW.parameterList()),
                    MethodType.methodType(
                        void.class,
                        field.getType(),
                        Object.class,
                        RowCursor.class,
                        long.class,
                        Object.class),
                    1,
                    0,
                    2,
                    3,
                    4),
                cell);
        fill = MethodHandles.foldArguments(fill, setCell);
      }
    }
    return MethodHandles.foldArguments(
        fill, MethodHandles.dropArguments(create, 0, ROW.parameterList()));
  }

  private static @Nullable Method setter(Class<?> rowType, Field field) {
    String name =
        "set"
            + field.getName().substring(0, 1).toUpperCase(Locale.ROOT)
            + field.getName().substring(1);
    try {
      Method method = rowType.getMethod(name, field.getType());
      return Modifier.isStatic(method.getModifiers()) ? null : method;
    } catch (NoSuchMethodException e) {
      return null;
    }
  }

  private RowFactory dimensionRows() {
    int count = columns.size();
    List<MethodHandle> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cells.add(cell(i, CellReaders.naturalType(columns.get(i))).asType(ROW));
    }
    if (count > MAX_COLLECTED) {
      return new WideRows(columns, cells);
    }
    MethodHandle handle =
        MethodHandles.dropArguments(
            MethodHandles.identity(Object[].class).asCollector(Object[].class, count),
            count,
            ROW.parameterList());
    for (int i = count - 1; i >= 0; i--) {
      handle = MethodHandles.foldArguments(handle, i, cells.get(i));
    }
    try {
      MethodHandle make =
          MethodHandles.lookup()
              .findConstructor(
                  StoredRow.class, MethodType.methodType(void.class, List.class, Object[].class))
              .bindTo(columns);
      return HiddenClasses.rowFactory(MethodHandles.filterReturnValue(handle, make).asType(ROW));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Makes rows of more columns than a method handle takes. */
  private record WideRows(List<Column> columns, List<MethodHandle> cells) implements RowFactory {

    @Override
    public boolean readsKeyBytes() {
      return false;
    }

    @Override
    public Object row(RowCursor cursor, long word, KeyBuffer keyBytes, Object key) {
      @Nullable Object[] values = new Object[cells.size()];
      try {
        for (int i = 0; i < values.length; i++) {
          values[i] = (Object) cells.get(i).invokeExact(cursor, word, key);
        }
      } catch (Throwable e) {
        throw HiddenClasses.unchecked(e);
      }
      return new StoredRow(columns, values);
    }
  }

  /** A handle {@code (RowCursor, long, Object key) -> value}. */
  private MethodHandle cell(int position, Type type) {
    int keyComponent = keys.componentOf(position);
    if (keyComponent >= 0) {
      return MethodHandles.dropArguments(
          keys.reader(keyComponent, GenericTypes.rawClass(type)), 0, RowCursor.class, long.class);
    }
    return MethodHandles.dropArguments(readers.reader(position, type), 2, Object.class);
  }

  private int columnOf(Class<?> rowType, String name) {
    List<Integer> positions = names.positionsOf(name);
    if (positions.size() != 1) {
      throw new LeatException(
          ErrorCode.COLUMN_NOT_FOUND,
          "the row type "
              + rowType.getName()
              + " has '"
              + name
              + "', and the index has "
              + (positions.isEmpty() ? "no such column" : "several such columns")
              + "; it has "
              + columns.stream().map(Column::name).toList());
    }
    return positions.get(0);
  }
}
