package dev.leat.hive.catalog;

import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.util.List;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;

/** Flink's types for those of columns. */
final class FlinkTypes {
  /** A Hive timestamp has nanoseconds. */
  private static final int TIMESTAMP_PRECISION = 9;

  private FlinkTypes() {}

  static DataType of(ColumnType type) {
    return switch (type.kind()) {
      case BOOLEAN -> DataTypes.BOOLEAN();
      case TINYINT -> DataTypes.TINYINT();
      case SMALLINT -> DataTypes.SMALLINT();
      case INT -> DataTypes.INT();
      case BIGINT -> DataTypes.BIGINT();
      case FLOAT -> DataTypes.FLOAT();
      case DOUBLE -> DataTypes.DOUBLE();
      case DECIMAL -> DataTypes.DECIMAL(type.precision(), type.scale());
      case STRING -> DataTypes.STRING();
      case CHAR -> DataTypes.CHAR(type.precision());
      case VARCHAR -> DataTypes.VARCHAR(type.precision());
      case DATE -> DataTypes.DATE();
      case TIMESTAMP -> DataTypes.TIMESTAMP(TIMESTAMP_PRECISION);
      case BINARY -> DataTypes.BYTES();
      case ARRAY -> DataTypes.ARRAY(of(type.element()));
      case MAP -> DataTypes.MAP(of(type.key()), of(type.value()));
      case STRUCT -> row(type.fields());
    };
  }

  private static DataType row(List<Column> fields) {
    return DataTypes.ROW(
        fields.stream()
            .map(field -> DataTypes.FIELD(field.name(), of(field.type())))
            .toArray(DataTypes.Field[]::new));
  }
}
