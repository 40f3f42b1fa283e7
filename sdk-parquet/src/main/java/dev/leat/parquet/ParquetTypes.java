package dev.leat.parquet;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.util.List;
import org.apache.parquet.schema.GroupType;
import org.apache.parquet.schema.LogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DateLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.DecimalLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.IntLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.ListLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapKeyValueTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.MapLogicalTypeAnnotation;
import org.apache.parquet.schema.LogicalTypeAnnotation.TimestampLogicalTypeAnnotation;
import org.apache.parquet.schema.PrimitiveType;
import org.apache.parquet.schema.Type;

/** What Parquet's types are among Hive's, and how lists and maps are recognized. */
final class ParquetTypes {
  private ParquetTypes() {}

  /** The type of a column that a file has. */
  static ColumnType of(Type field) {
    if (field.isRepetition(Type.Repetition.REPEATED)) {
      return ColumnType.array(once(field));
    }
    return once(field);
  }

  private static ColumnType once(Type field) {
    if (field.isPrimitive()) {
      return primitive(field.asPrimitiveType());
    }
    GroupType group = field.asGroupType();
    if (isList(group)) {
      Type element = element(group);
      return ColumnType.array(isWrapped(group) ? of(element) : once(element));
    }
    if (isMap(group)) {
      GroupType entry = group.getType(0).asGroupType();
      ColumnType key = of(entry.getType(0));
      ColumnType value = entry.getFieldCount() > 1 ? of(entry.getType(1)) : ColumnType.BOOLEAN;
      return ColumnType.map(key, value);
    }
    List<Column> fields =
        group.getFields().stream().map(part -> new Column(part.getName(), of(part))).toList();
    return ColumnType.struct(fields);
  }

  private static ColumnType primitive(PrimitiveType type) {
    LogicalTypeAnnotation logical = type.getLogicalTypeAnnotation();
    if (logical instanceof DecimalLogicalTypeAnnotation decimal) {
      return ColumnType.decimal(decimal.getPrecision(), decimal.getScale());
    }
    return switch (type.getPrimitiveTypeName()) {
      case BOOLEAN -> ColumnType.BOOLEAN;
      case INT32 -> int32(logical);
      case INT64 -> {
        if (logical instanceof TimestampLogicalTypeAnnotation) {
          yield ColumnType.TIMESTAMP;
        }
        yield logical instanceof IntLogicalTypeAnnotation whole && !whole.isSigned()
            ? ColumnType.decimal(20, 0)
            : ColumnType.BIGINT;
      }
      case INT96 -> ColumnType.TIMESTAMP;
      case FLOAT -> ColumnType.FLOAT;
      case DOUBLE -> ColumnType.DOUBLE;
      case BINARY -> isText(logical) ? ColumnType.STRING : ColumnType.BINARY;
      case FIXED_LEN_BYTE_ARRAY -> ColumnType.BINARY;
    };
  }

  private static ColumnType int32(LogicalTypeAnnotation logical) {
    if (logical instanceof DateLogicalTypeAnnotation) {
      return ColumnType.DATE;
    }
    if (logical instanceof IntLogicalTypeAnnotation whole) {
      int bits = whole.getBitWidth() * (whole.isSigned() ? 1 : 2);
      return bits <= 8
          ? ColumnType.TINYINT
          : bits <= 16 ? ColumnType.SMALLINT : bits <= 32 ? ColumnType.INT : ColumnType.BIGINT;
    }
    return ColumnType.INT;
  }

  static boolean isText(LogicalTypeAnnotation logical) {
    return logical instanceof LogicalTypeAnnotation.StringLogicalTypeAnnotation
        || logical instanceof LogicalTypeAnnotation.EnumLogicalTypeAnnotation
        || logical instanceof LogicalTypeAnnotation.JsonLogicalTypeAnnotation;
  }

  static boolean isList(GroupType group) {
    return group.getLogicalTypeAnnotation() instanceof ListLogicalTypeAnnotation
        && group.getFieldCount() == 1
        && group.getType(0).isRepetition(Type.Repetition.REPEATED);
  }

  static boolean isMap(GroupType group) {
    LogicalTypeAnnotation logical = group.getLogicalTypeAnnotation();
    return (logical instanceof MapLogicalTypeAnnotation
            || logical instanceof MapKeyValueTypeAnnotation)
        && group.getFieldCount() == 1
        && group.getType(0).isRepetition(Type.Repetition.REPEATED)
        && !group.getType(0).isPrimitive();
  }

  /**
   * The element of a list: what is repeated, or, in the form with three levels, what stands within
   * that (the rules for older files of the format's specification).
   */
  static Type element(GroupType list) {
    return isWrapped(list) ? list.getType(0).asGroupType().getType(0) : list.getType(0);
  }

  /** Whether the repeated group of a list only wraps the element. */
  static boolean isWrapped(GroupType list) {
    Type repeated = list.getType(0);
    if (repeated.isPrimitive() || repeated.asGroupType().getFieldCount() != 1) {
      return false;
    }
    return !repeated.getName().equals("array")
        && !repeated.getName().equals(list.getName() + "_tuple");
  }
}
