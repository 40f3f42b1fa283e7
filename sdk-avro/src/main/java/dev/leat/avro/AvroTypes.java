package dev.leat.avro;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.util.List;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;

/** What Avro's types are among Hive's. */
final class AvroTypes {
  private AvroTypes() {}

  /**
   * The type of a schema.
   *
   * @throws IllegalArgumentException if Hive has none
   */
  static ColumnType of(Schema schema) {
    LogicalType logical = schema.getLogicalType();
    return switch (schema.getType()) {
      case BOOLEAN -> ColumnType.BOOLEAN;
      case INT -> logical instanceof LogicalTypes.Date ? ColumnType.DATE : ColumnType.INT;
      case LONG ->
          logical != null && isTimestamp(logical.getName())
              ? ColumnType.TIMESTAMP
              : ColumnType.BIGINT;
      case FLOAT -> ColumnType.FLOAT;
      case DOUBLE -> ColumnType.DOUBLE;
      case STRING -> text(schema);
      case ENUM -> ColumnType.STRING;
      case BYTES, FIXED ->
          logical instanceof LogicalTypes.Decimal decimal
              ? ColumnType.decimal(decimal.getPrecision(), decimal.getScale())
              : ColumnType.BINARY;
      case ARRAY -> ColumnType.array(of(schema.getElementType()));
      case MAP -> ColumnType.map(ColumnType.STRING, of(schema.getValueType()));
      case RECORD -> {
        List<Column> fields =
            schema.getFields().stream()
                .map(field -> new Column(field.name(), of(field.schema())))
                .toList();
        yield ColumnType.struct(fields);
      }
      case UNION -> {
        List<Schema> branches =
            schema.getTypes().stream()
                .filter(branch -> branch.getType() != Schema.Type.NULL)
                .toList();
        if (branches.size() != 1) {
          throw new IllegalArgumentException(
              "a union of several types (" + schema + ") is no type of a column");
        }
        yield of(branches.get(0));
      }
      case NULL -> throw new IllegalArgumentException("null is no type of a column");
    };
  }

  static boolean isTimestamp(String logicalType) {
    return logicalType.startsWith("timestamp-") || logicalType.startsWith("local-timestamp-");
  }

  /** Hive writes CHAR and VARCHAR as texts with these properties. */
  private static ColumnType text(Schema schema) {
    String logical = schema.getProp("logicalType");
    Object length = schema.getObjectProp("maxLength");
    if (logical != null && length instanceof Number characters) {
      if (logical.equals("char")) {
        return ColumnType.character(characters.intValue());
      }
      if (logical.equals("varchar")) {
        return ColumnType.varchar(characters.intValue());
      }
    }
    return ColumnType.STRING;
  }
}
