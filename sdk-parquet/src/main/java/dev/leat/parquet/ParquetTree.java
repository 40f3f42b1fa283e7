package dev.leat.parquet;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.format.ColumnType.Kind;
import dev.leat.spi.Blob;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.parquet.hadoop.metadata.FileMetaData;
import org.apache.parquet.io.api.Converter;
import org.apache.parquet.io.api.GroupConverter;
import org.apache.parquet.io.api.RecordMaterializer;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.MessageType;
import org.apache.parquet.schema.Type;
import org.jspecify.annotations.Nullable;

/**
 * What is read of a file, and the objects that its records become: for each column the value as
 * {@link dev.leat.internal.cell.ObjectCells} takes it. Belongs to one thread.
 */
final class ParquetTree {
  /** Stands for a value that does not fit its column. */
  static final Object MISFIT = new Object();

  private final Blob file;
  private final List<Column> columns;
  private final ParquetValues values;
  private final MessageType projection;

  /** For each field of the projection the number of its column. */
  private final int[] columnOf;

  ParquetTree(Blob file, FileMetaData metadata, List<Column> columns, ZoneId zone) {
    this.file = file;
    this.columns = columns;
    this.values = new ParquetValues(metadata, zone);
    MessageType schema = metadata.getSchema();
    List<Type> fields = new ArrayList<>();
    List<Integer> numbers = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      Type field = find(schema, columns.get(i).name());
      if (field != null) {
        fields.add(projected(field, columns.get(i).type()));
        numbers.add(i);
      }
    }
    projection = new MessageType(schema.getName(), fields);
    columnOf = numbers.stream().mapToInt(Integer::intValue).toArray();
  }

  /** The field of a name: of exactly this one, else of one that differs in case. */
  private static @Nullable Type find(GroupType group, String name) {
    if (group.containsField(name)) {
      return group.getType(name);
    }
    return group.getFields().stream()
        .filter(field -> field.getName().equalsIgnoreCase(name))
        .findFirst()
        .orElse(null);
  }

  /** The field without the parts of structs that the column does not have. */
  private static Type projected(Type field, ColumnType type) {
    if (field.isPrimitive() || type.kind() != Kind.STRUCT) {
      return field;
    }
    GroupType group = field.asGroupType();
    List<Type> parts = new ArrayList<>();
    for (Column part : type.fields()) {
      Type found = find(group, part.name());
      if (found != null) {
        parts.add(projected(found, part.type()));
      }
    }
    return parts.isEmpty() ? field : group.withNewFields(parts);
  }

  /** The columns of the file that are read. */
  MessageType projection() {
    return projection;
  }

  RecordMaterializer<Object[]> materializer() {
    return new Rows();
  }

  /** Makes rows. */
  private final class Rows extends RecordMaterializer<Object[]> {
    private @Nullable Object[] row = new Object[columns.size()];
    private final Group root;

    Rows() {
      Converter[] converters = new Converter[columnOf.length];
      for (int i = 0; i < converters.length; i++) {
        int column = columnOf[i];
        converters[i] =
            converter(
                columns.get(column),
                projection.getType(i),
                columns.get(column).type(),
                value -> row[column] = value);
      }
      root = new Group(converters, () -> row = new Object[columns.size()], () -> {});
    }

    @Override
    public @Nullable Object[] getCurrentRecord() {
      return row;
    }

    @Override
    public GroupConverter getRootConverter() {
      return root;
    }
  }

  private Converter converter(
      Column column, Type field, ColumnType type, Consumer<@Nullable Object> out) {
    if (field.isRepetition(Type.Repetition.REPEATED)) {
      throw ParquetRows.mismatch(file, column, field);
    }
    return once(column, field, type, out);
  }

  private Converter once(
      Column column, Type field, ColumnType type, Consumer<@Nullable Object> out) {
    if (!type.isNested()) {
      if (!field.isPrimitive()) {
        throw ParquetRows.mismatch(file, column, field);
      }
      return values.converter(column, file, field.asPrimitiveType(), type, out);
    }
    if (field.isPrimitive()) {
      throw ParquetRows.mismatch(file, column, field);
    }
    GroupType group = field.asGroupType();
    return switch (type.kind()) {
      case ARRAY -> {
        if (!ParquetTypes.isList(group)) {
          throw ParquetRows.mismatch(file, column, field);
        }
        yield list(column, group, type, out);
      }
      case MAP -> {
        if (!ParquetTypes.isMap(group)) {
          throw ParquetRows.mismatch(file, column, field);
        }
        yield map(column, group, type, out);
      }
      default -> struct(column, group, type, out);
    };
  }

  private Converter list(
      Column column, GroupType group, ColumnType type, Consumer<@Nullable Object> out) {
    List<@Nullable Object> elements = new ArrayList<>();
    Converter repeated;
    if (ParquetTypes.isWrapped(group)) {
      @Nullable Object[] element = new Object[1];
      Converter inner =
          converter(
              column,
              ParquetTypes.element(group),
              type.element(),
              value -> element[0] = part(value));
      repeated =
          new Group(
              new Converter[] {inner}, () -> element[0] = null, () -> elements.add(element[0]));
    } else {
      repeated = once(column, group.getType(0), type.element(), value -> elements.add(part(value)));
    }
    return new Group(
        new Converter[] {repeated}, elements::clear, () -> out.accept(new ArrayList<>(elements)));
  }

  private Converter map(
      Column column, GroupType group, ColumnType type, Consumer<@Nullable Object> out) {
    GroupType entry = group.getType(0).asGroupType();
    Map<Object, @Nullable Object> entries = new LinkedHashMap<>();
    @Nullable Object[] pair = new Object[2];
    Converter[] converters = new Converter[entry.getFieldCount()];
    converters[0] = converter(column, entry.getType(0), type.key(), value -> pair[0] = part(value));
    if (converters.length > 1) {
      converters[1] =
          converter(column, entry.getType(1), type.value(), value -> pair[1] = part(value));
    }
    Group repeated =
        new Group(
            converters,
            () -> Arrays.fill(pair, null),
            () -> {
              if (pair[0] != null) {
                entries.put(pair[0], pair[1]);
              }
            });
    return new Group(
        new Converter[] {repeated}, entries::clear, () -> out.accept(new LinkedHashMap<>(entries)));
  }

  private Converter struct(
      Column column, GroupType group, ColumnType type, Consumer<@Nullable Object> out) {
    @Nullable Object[] parts = new Object[type.fields().size()];
    Converter[] converters = new Converter[group.getFieldCount()];
    for (int i = 0; i < converters.length; i++) {
      Type field = group.getType(i);
      int position = positionOf(type, field.getName());
      converters[i] =
          position < 0
              ? Ignored.of(field)
              : converter(
                  column,
                  field,
                  type.fields().get(position).type(),
                  value -> parts[position] = part(value));
    }
    return new Group(
        converters, () -> Arrays.fill(parts, null), () -> out.accept(Arrays.asList(parts.clone())));
  }

  private static int positionOf(ColumnType struct, String name) {
    for (int i = 0; i < struct.fields().size(); i++) {
      if (struct.fields().get(i).name().equalsIgnoreCase(name)) {
        return i;
      }
    }
    return -1;
  }

  /** A part that does not fit is NULL within its container. */
  private static @Nullable Object part(@Nullable Object value) {
    return value == MISFIT ? null : value;
  }

  /** A group with something to do when it begins and ends. */
  private static final class Group extends GroupConverter {
    private final Converter[] converters;
    private final Runnable begin;
    private final Runnable finish;

    Group(Converter[] converters, Runnable begin, Runnable finish) {
      this.converters = converters;
      this.begin = begin;
      this.finish = finish;
    }

    @Override
    public Converter getConverter(int field) {
      return converters[field];
    }

    @Override
    public void start() {
      begin.run();
    }

    @Override
    public void end() {
      finish.run();
    }
  }
}
