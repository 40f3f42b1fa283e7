package dev.leat.hive.internal;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import io.trino.hive.thrift.metastore.FieldSchema;
import java.util.ArrayList;
import java.util.List;

/** Hive's types of columns in Leat's terms. */
final class HiveTypes {
  private HiveTypes() {}

  static List<Column> columns(TableName table, List<FieldSchema> fields) {
    List<Column> columns = new ArrayList<>(fields.size());
    for (FieldSchema field : fields) {
      columns.add(new Column(field.getName(), type(table, field)));
    }
    return columns;
  }

  private static ColumnType type(TableName table, FieldSchema field) {
    try {
      return ColumnType.parse(field.getType());
    } catch (IllegalArgumentException e) {
      throw new LeatException(
          ErrorCode.UNSUPPORTED_COLUMN_TYPE,
          "column '"
              + field.getName()
              + "' of the table "
              + table
              + " cannot be read: "
              + e.getMessage(),
          e);
    }
  }
}
