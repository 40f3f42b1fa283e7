package dev.leat.internal.schema;

import dev.leat.Dimension;
import dev.leat.DimensionKey;
import dev.leat.DimensionRow;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.RowFilter;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import dev.leat.internal.filter.BoundFilter;
import dev.leat.spi.PartitionSource;
import dev.leat.spi.RowFormat.DeclaredColumn;
import java.lang.reflect.Member;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One run of {@link TableSchema#resolve}. */
final class SchemaResolution {
  private final Dimension<?, ?> dimension;

  /** Those of the files, then those of the partitions. */
  private final List<DeclaredColumn> fileColumns;

  private final int partitionBegin;
  private final ColumnNames names;

  /** The types of the columns that are kept, by position in the file. */
  private final Map<Integer, ColumnType> kept = new TreeMap<>();

  /**
   * Who decided the type of a column that the source does not type, for the message of a
   * contradiction.
   */
  private final Map<Integer, String> decidedBy = new TreeMap<>();

  /** The columns of a key that asks for no types, by position in the file. */
  private final Set<Integer> untypedKeys = new TreeSet<>();

  SchemaResolution(Dimension<?, ?> dimension, List<DeclaredColumn> fileColumns) {
    this.dimension = dimension;
    SourceColumns source =
        SourceColumns.of(
            fileColumns, dimension.partitions().map(PartitionSource::columns).orElse(List.of()));
    this.fileColumns = source.columns();
    this.partitionBegin = source.partitionBegin();
    this.names = new ColumnNames(this.fileColumns.stream().map(DeclaredColumn::name).toList());
  }

  TableSchema resolve() {
    Optional<List<Column>> named = dimension.columns();
    if (named.isPresent()) {
      return ofNamedColumns(named.get());
    }
    List<TargetComponent> key = keyComponents();
    List<TargetComponent> row = rowComponents();
    untypedKeys.forEach(position -> kept.putIfAbsent(position, ColumnType.STRING));
    if (dimension.rowType() == DimensionRow.class) {
      keepAll();
    }
    List<Integer> filePositions = List.copyOf(kept.keySet());
    List<Column> columns =
        filePositions.stream()
            .map(
                position ->
                    new Column(
                        fileColumns.get(position).name(),
                        kept.getOrDefault(position, ColumnType.STRING)))
            .toList();
    TreeSet<Integer> required = new TreeSet<>();
    row.stream()
        .filter(component -> GenericTypes.rawClass(component.type()).isPrimitive())
        .forEach(component -> required.add(filePositions.indexOf(component.column())));
    return new TableSchema(
        columns,
        key.stream().map(component -> filePositions.indexOf(component.column())).toList(),
        required,
        numbered(row, filePositions),
        numbered(key, filePositions),
        scan(columns, filePositions));
  }

  /** The position among the partitions' columns of a column of the source, or -1. */
  private int partitionColumn(int position) {
    return position < partitionBegin ? -1 : position - partitionBegin;
  }

  /**
   * Adds to the kept columns those that only the filter asks for.
   *
   * @param positions where the kept columns stand in the source; -1 where only its files can tell
   */
  private ScanColumns scan(List<Column> keptColumns, List<Integer> positions) {
    List<Column> columns = new ArrayList<>(keptColumns);
    List<Integer> partitionColumns =
        new ArrayList<>(positions.stream().map(this::partitionColumn).toList());
    Optional<RowFilter> filter = dimension.filter();
    if (filter.isEmpty()) {
      return new ScanColumns(columns, keptColumns.size(), partitionColumns, Optional.empty());
    }
    ColumnNames keptNames = new ColumnNames(keptColumns.stream().map(Column::name).toList());
    Map<String, Integer> numbers = new TreeMap<>();
    for (String name : filter.get().columns()) {
      List<Integer> among = keptNames.positionsOf(name);
      if (among.size() == 1) {
        numbers.put(name, among.get(0));
        continue;
      }
      boolean onlyFilesKnow =
          dimension.columns().isPresent()
              && dimension.format().declaredColumns().isEmpty()
              && names.positionsOf(name).isEmpty();
      int position = onlyFilesKnow ? -1 : positionOf("the filter", name);
      int before = positions.indexOf(position);
      if (position >= 0 && before >= 0) {
        numbers.put(name, before);
        continue;
      }
      ColumnType inferred = BoundFilter.typeFor(filter.get(), name);
      numbers.put(name, columns.size());
      columns.add(
          onlyFilesKnow
              ? new Column(name, inferred)
              : new Column(
                  fileColumns.get(position).name(),
                  fileColumns.get(position).type().orElse(inferred)));
      partitionColumns.add(onlyFilesKnow ? -1 : partitionColumn(position));
    }
    try {
      BoundFilter bound = BoundFilter.bind(filter.get(), columns, numbers::get);
      return new ScanColumns(columns, keptColumns.size(), partitionColumns, Optional.of(bound));
    } catch (IllegalArgumentException e) {
      throw error(ErrorCode.TYPE_MISMATCH, String.valueOf(e.getMessage()));
    }
  }

  /**
   * The columns are those that the definition names, with the types that it says; the source is
   * only asked whether it has them, where its configuration knows.
   */
  private TableSchema ofNamedColumns(List<Column> columns) {
    List<Integer> positions = new ArrayList<>();
    for (Column column : columns) {
      boolean onlyFilesKnow =
          dimension.format().declaredColumns().isEmpty()
              && names.positionsOf(column.name()).isEmpty();
      int position = onlyFilesKnow ? -1 : positionOf("the row", column.name());
      positions.add(position);
      if (position >= partitionBegin) {
        checkPartitionType(column, fileColumns.get(position).type().orElseThrow());
      }
    }
    List<Integer> keyNumbers = new ArrayList<>();
    List<TargetComponent> key = new ArrayList<>();
    Class<?> keyType = dimension.keyType();
    List<String> columnNames = columns.stream().map(Column::name).toList();
    for (int i = 0; i < dimension.keyColumns().size(); i++) {
      int number = columnNames.indexOf(dimension.keyColumns().get(i));
      keyNumbers.add(number);
      Column column = columns.get(number);
      checkKeyColumn(column.name(), column.type());
      if (keyType == DimensionKey.class) {
        key.add(new TargetComponent(column.name(), Object.class, number, Optional.empty()));
        continue;
      }
      RecordComponent part = keyType.isRecord() ? keyType.getRecordComponents()[i] : null;
      Class<?> javaType = part == null ? keyType : part.getType();
      if (!JavaTypes.holds(javaType, column.type())) {
        throw cannotHold(column.name(), column.type(), keyPart(part), javaType);
      }
      key.add(
          new TargetComponent(
              part == null ? column.name() : part.getName(), javaType, number, Optional.empty()));
    }
    return new TableSchema(columns, keyNumbers, Set.of(), List.of(), key, scan(columns, positions));
  }

  private void checkPartitionType(Column column, ColumnType type) {
    if (!column.type().equals(type)) {
      throw error(
          ErrorCode.TYPE_MISMATCH,
          "the row has the partition column '"
              + column.name()
              + "' as "
              + column.type()
              + ", and the partitions have it as "
              + type
              + "; say the same type in both");
    }
  }

  private String keyPart(@Nullable RecordComponent part) {
    String keyType = dimension.keyType().getSimpleName();
    return part == null
        ? "the key type " + keyType
        : "component '" + part.getName() + "' of the key type " + keyType;
  }

  private LeatException cannotHold(String column, ColumnType type, String what, Type javaType) {
    return error(
        ErrorCode.TYPE_MISMATCH,
        "column '"
            + column
            + "' is "
            + type
            + ", which "
            + what
            + " of type "
            + shown(javaType)
            + " cannot hold; "
            + remedy(type));
  }

  /**
   * While columns are still being found, a component's column is the position in the file; here it
   * becomes the number among the columns that are kept.
   */
  private static List<TargetComponent> numbered(
      List<TargetComponent> components, List<Integer> filePositions) {
    return components.stream()
        .map(
            component ->
                new TargetComponent(
                    component.name(),
                    component.type(),
                    filePositions.indexOf(component.column()),
                    component.writer()))
        .toList();
  }

  private List<TargetComponent> keyComponents() {
    Class<?> keyType = dimension.keyType();
    List<String> keyColumns = dimension.keyColumns();
    List<TargetComponent> components = new ArrayList<>();
    if (keyType == DimensionKey.class) {
      for (String column : keyColumns) {
        components.add(untypedKeyComponent(column));
      }
    } else if (keyType.isRecord()) {
      RecordComponent[] parts = keyType.getRecordComponents();
      for (int i = 0; i < parts.length; i++) {
        components.add(
            component(
                keyPart(parts[i]),
                parts[i].getName(),
                keyColumns.get(i),
                parts[i].getGenericType(),
                Optional.empty()));
      }
    } else {
      components.add(
          component(
              keyPart(null), keyColumns.get(0), keyColumns.get(0), keyType, Optional.empty()));
    }
    for (TargetComponent component : components) {
      checkKeyColumn(
          fileColumns.get(component.column()).name(),
          kept.getOrDefault(component.column(), ColumnType.STRING));
    }
    return components;
  }

  private void checkKeyColumn(String column, ColumnType type) {
    if (type.isNested()) {
      throw error(
          ErrorCode.TYPE_MISMATCH,
          "the key's column '"
              + column
              + "' is "
              + type
              + ", and a key has no parts; use a column of another type");
    }
  }

  /**
   * A value of a {@link DimensionKey}, which asks for no type: the column has the one that the
   * source or the row says, and is text where neither does.
   */
  private TargetComponent untypedKeyComponent(String columnName) {
    int position = positionOf("the key", columnName);
    fileColumns.get(position).type().ifPresent(type -> kept.put(position, type));
    untypedKeys.add(position);
    return new TargetComponent(columnName, Object.class, position, Optional.empty());
  }

  private List<TargetComponent> rowComponents() {
    Class<?> rowType = dimension.rowType();
    List<TargetComponent> components = new ArrayList<>();
    for (TargetShape.Part part : TargetShape.of(dimension.name(), rowType)) {
      String what =
          (rowType.isRecord() ? "component '" : "field '")
              + part.name()
              + "' of "
              + rowType.getSimpleName();
      components.add(component(what, part.name(), part.name(), part.type(), part.writer()));
    }
    return components;
  }

  private TargetComponent component(
      String what, String name, String columnName, Type javaType, Optional<Member> writer) {
    int position = positionOf(what, columnName);
    DeclaredColumn declared = fileColumns.get(position);
    if (declared.type().isPresent()) {
      ColumnType type = declared.type().get();
      if (!JavaTypes.holds(javaType, type)) {
        throw cannotHold(declared.name(), type, what, javaType);
      }
      kept.put(position, type);
    } else {
      ColumnType natural =
          JavaTypes.naturalColumnType(javaType)
              .orElseThrow(
                  () ->
                      error(
                          ErrorCode.TYPE_MISMATCH,
                          what
                              + " is a "
                              + javaType.getTypeName()
                              + ", which no column can become; use one of "
                              + JavaTypes.SUPPORTED));
      kept.merge(
          position,
          natural,
          (former, latter) ->
              common(declared.name(), former, decidedBy.get(position), latter, what));
      decidedBy.putIfAbsent(position, what);
    }
    return new TargetComponent(name, javaType, position, writer);
  }

  private static String shown(Type type) {
    return type instanceof Class<?> simple ? simple.getSimpleName() : type.getTypeName();
  }

  private int positionOf(String what, String columnName) {
    List<Integer> positions = names.positionsOf(columnName);
    if (positions.isEmpty()) {
      String suggestion =
          names.nearest(columnName).map(nearest -> "did you mean '" + nearest + "'? ").orElse("");
      throw error(
          ErrorCode.COLUMN_NOT_FOUND,
          what
              + " has no column '"
              + columnName
              + "'; "
              + suggestion
              + "the source has "
              + fileColumns.stream().map(DeclaredColumn::name).toList());
    }
    if (positions.size() > 1) {
      throw error(
          ErrorCode.INVALID_DEFINITION,
          what
              + " could be any of the columns "
              + positions.stream()
                  .map(
                      position ->
                          fileColumns.get(position).name() + " (number " + (position + 1) + ")")
                  .toList()
              + "; give the columns distinct names");
    }
    return positions.get(0);
  }

  /**
   * The one type of a column that two components read: of two integer types the narrower, which the
   * wider can hold.
   */
  private ColumnType common(
      String column,
      ColumnType former,
      @Nullable String formerBy,
      ColumnType latter,
      String latterBy) {
    if (former.equals(latter)) {
      return former;
    }
    if (isInteger(former) && isInteger(latter)) {
      return former.kind().compareTo(latter.kind()) < 0 ? former : latter;
    }
    throw error(
        ErrorCode.TYPE_MISMATCH,
        "column '"
            + column
            + "' cannot be "
            + former
            + " for "
            + formerBy
            + " and "
            + latter
            + " for "
            + latterBy
            + "; give both the same type");
  }

  private static boolean isInteger(ColumnType type) {
    return switch (type.kind()) {
      case TINYINT, SMALLINT, INT, BIGINT -> true;
      default -> false;
    };
  }

  private void keepAll() {
    for (int i = 0; i < fileColumns.size(); i++) {
      ColumnType type = fileColumns.get(i).type().orElse(ColumnType.STRING);
      kept.putIfAbsent(i, type);
    }
  }

  private static String remedy(ColumnType type) {
    return "use "
        + switch (type.kind()) {
          case BOOLEAN -> "boolean or Boolean";
          case TINYINT -> "byte or a wider integer";
          case SMALLINT -> "short or a wider integer";
          case INT -> "int, Integer, long or Long";
          case BIGINT -> "long or Long";
          case FLOAT -> "float or double";
          case DOUBLE -> "double or Double";
          case DECIMAL -> "BigDecimal";
          case STRING, CHAR, VARCHAR -> "String or UUID";
          case DATE -> "LocalDate";
          case TIMESTAMP -> "LocalDateTime or Instant";
          case BINARY -> "byte[]";
          case ARRAY -> "a List with elements that hold " + type.element();
          case MAP ->
              "a Map with keys that hold " + type.key() + " and values that hold " + type.value();
          case STRUCT -> "DimensionRow, or a record without primitive components";
        };
  }

  private LeatException error(ErrorCode code, String message) {
    return new LeatException(code, "Dimension '" + dimension.name() + "': " + message);
  }
}
