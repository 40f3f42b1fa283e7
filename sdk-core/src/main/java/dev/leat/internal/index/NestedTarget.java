package dev.leat.internal.index;

import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.NestedCellReader;
import dev.leat.internal.schema.ColumnNames;
import dev.leat.internal.schema.GenericTypes;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes what the user's type asks for out of a nested cell: a {@code List}, a {@code Map}, a record
 * or a {@link DimensionRow}. Thread-safe.
 */
final class NestedTarget {
  private static final MethodHandles.Lookup LOOKUP = MethodHandles.lookup();

  /** Makes the next value, which is not NULL. */
  private interface Part {
    Object read(NestedCellReader in);
  }

  private final ColumnType type;
  private final Part root;

  private NestedTarget(ColumnType type, Part root) {
    this.type = type;
    this.root = root;
  }

  /**
   * Brings a column and a Java type together.
   *
   * @throws LeatException {@code TYPE_MISMATCH} where the type cannot hold the column's values
   */
  static NestedTarget of(Column column, Type javaType) {
    return new NestedTarget(column.type(), part(column, column.type(), javaType));
  }

  /** A handle {@code (byte[] cell) -> value}; null for null. */
  MethodHandle reader() {
    try {
      return LOOKUP
          .findVirtual(
              NestedTarget.class, "read", MethodType.methodType(Object.class, byte[].class))
          .bindTo(this);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  @Nullable Object read(byte @Nullable [] cell) {
    if (cell == null) {
      return null;
    }
    NestedCellReader in = new NestedCellReader(type);
    in.read(cell, 0, cell.length);
    return root.read(in);
  }

  private static Part part(Column column, ColumnType type, Type javaType) {
    Class<?> target = GenericTypes.rawClass(javaType);
    boolean any = target == Object.class;
    switch (type.kind()) {
      case ARRAY -> {
        if (any || target == List.class || target == Collection.class) {
          return list(type, part(column, type.element(), GenericTypes.argument(javaType, 0)));
        }
      }
      case MAP -> {
        if (any || target == Map.class) {
          return map(
              type,
              part(column, type.key(), GenericTypes.argument(javaType, 0)),
              part(column, type.value(), GenericTypes.argument(javaType, 1)));
        }
      }
      case STRUCT -> {
        if (any || target == DimensionRow.class) {
          return in -> in.value(type);
        }
        if (target.isRecord()) {
          return record(column, type, target);
        }
      }
      default -> {
        return scalar(column, type, target);
      }
    }
    throw mismatch(column, type, javaType);
  }

  private static Part scalar(Column column, ColumnType type, Class<?> target) {
    Class<?> natural = CellReaders.naturalType(new Column(column.name(), type));
    if (target == Object.class || target == natural) {
      return in -> in.value(type);
    }
    if (target.isPrimitive()) {
      throw mismatch(column, type, target);
    }
    MethodHandle conversion =
        Conversions.between(natural, target, new Column(column.name(), type))
            .asType(MethodType.methodType(Object.class, Object.class));
    return in -> {
      try {
        return (Object) conversion.invokeExact(in.value(type));
      } catch (Throwable e) {
        throw HiddenClasses.unchecked(e);
      }
    };
  }

  private static Part list(ColumnType type, Part element) {
    return in -> {
      int count = in.enter(type);
      List<@Nullable Object> list = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        list.add(in.isNull() ? null : element.read(in));
      }
      in.leave();
      return Collections.unmodifiableList(list);
    };
  }

  private static Part map(ColumnType type, Part key, Part value) {
    return in -> {
      int count = in.enter(type);
      Map<Object, @Nullable Object> map = new LinkedHashMap<>();
      for (int i = 0; i < count; i++) {
        Object entryKey = key.read(in);
        map.put(entryKey, in.isNull() ? null : value.read(in));
      }
      in.leave();
      return Collections.unmodifiableMap(map);
    };
  }

  private static Part record(Column column, ColumnType type, Class<?> target) {
    RecordComponent[] components = target.getRecordComponents();
    List<Column> fields = type.fields();
    ColumnNames names = new ColumnNames(fields.stream().map(Column::name).toList());
    // A field is read where it stands; a component that reads the same one as another shares it.
    @Nullable Part[] parts = new Part[fields.size()];
    int[] fieldOf = new int[components.length];
    for (int i = 0; i < components.length; i++) {
      List<Integer> positions = names.positionsOf(components[i].getName());
      if (positions.size() != 1) {
        throw mismatch(column, type, target);
      }
      fieldOf[i] = positions.get(0);
      Column field = fields.get(fieldOf[i]);
      parts[fieldOf[i]] =
          part(
              new Column(column.name() + "." + field.name(), field.type()),
              field.type(),
              components[i].getGenericType());
    }
    Part[] all = new Part[fields.size()];
    for (int i = 0; i < all.length; i++) {
      ColumnType fieldType = fields.get(i).type();
      Part wanted = parts[i];
      all[i] = wanted == null ? in -> in.value(fieldType) : wanted;
    }
    MethodHandle create = constructor(target, components);
    return in -> {
      int count = in.enter(type);
      @Nullable Object[] values = new Object[count];
      for (int i = 0; i < count; i++) {
        values[i] = in.isNull() ? null : all[i].read(in);
      }
      in.leave();
      @Nullable Object[] arguments = new Object[fieldOf.length];
      for (int i = 0; i < arguments.length; i++) {
        arguments[i] = values[fieldOf[i]];
      }
      try {
        return (Object) create.invokeExact(arguments);
      } catch (Throwable e) {
        throw HiddenClasses.unchecked(e);
      }
    };
  }

  private static MethodHandle constructor(Class<?> target, RecordComponent[] components) {
    Class<?>[] types =
        Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
    try {
      return MethodHandles.privateLookupIn(target, LOOKUP)
          .findConstructor(target, MethodType.methodType(void.class, types))
          .asSpreader(Object[].class, types.length)
          .asType(MethodType.methodType(Object.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new LeatException(
          ErrorCode.INVALID_DEFINITION,
          "the record " + target.getName() + " cannot be made: " + e.getMessage(),
          e);
    }
  }

  private static LeatException mismatch(Column column, ColumnType type, Type javaType) {
    return new LeatException(
        ErrorCode.TYPE_MISMATCH,
        "the column '"
            + column.name()
            + "' of type "
            + type
            + " cannot become a "
            + javaType.getTypeName()
            + "; use "
            + CellReaders.naturalType(new Column(column.name(), type)).getSimpleName()
            + (type.kind() == ColumnType.Kind.STRUCT
                ? ", or a record with components for fields of it, none of them primitive"
                : ""));
  }
}
