package dev.leat.flink.table;

import dev.leat.ErrorCode;
import dev.leat.format.Column;
import dev.leat.format.ColumnType;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.jspecify.annotations.Nullable;

/** Brings Flink's types and those of columns together. */
final class ColumnTypes {
  private static final int LONGEST_BOUNDED_TEXT = 65_535;

  private ColumnTypes() {}

  /**
   * The type of a column that Flink declares.
   *
   * @throws ValidationException if files have no such values
   */
  static ColumnType of(String column, LogicalType type) {
    return find(type)
        .orElseThrow(
            () ->
                new ValidationException(
                    ErrorCode.TYPE_MISMATCH.code()
                        + ": the column '"
                        + column
                        + "' is "
                        + type.asSummaryString()
                        + ", which no file holds"
                        + (type.getTypeRoot().name().contains("ZONE")
                            ? "; declare it as TIMESTAMP and cast it in the query"
                            : "; use BOOLEAN, TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE,"
                                + " DECIMAL, STRING, CHAR, VARCHAR, DATE, TIMESTAMP, BYTES, ARRAY, MAP or ROW")));
  }

  /** The type of a column that Flink declares, if files have such values. */
  static Optional<ColumnType> find(LogicalType type) {
    return Optional.ofNullable(
        switch (type.getTypeRoot()) {
          case BOOLEAN -> ColumnType.BOOLEAN;
          case TINYINT -> ColumnType.TINYINT;
          case SMALLINT -> ColumnType.SMALLINT;
          case INTEGER -> ColumnType.INT;
          case BIGINT -> ColumnType.BIGINT;
          case FLOAT -> ColumnType.FLOAT;
          case DOUBLE -> ColumnType.DOUBLE;
          case DECIMAL -> {
            DecimalType decimal = (DecimalType) type;
            yield ColumnType.decimal(decimal.getPrecision(), decimal.getScale());
          }
          case VARCHAR -> {
            int length = ((VarCharType) type).getLength();
            yield length > LONGEST_BOUNDED_TEXT ? ColumnType.STRING : ColumnType.varchar(length);
          }
          case CHAR -> {
            int length = ((CharType) type).getLength();
            yield length < 1 || length > LONGEST_BOUNDED_TEXT ? null : ColumnType.character(length);
          }
          case BINARY, VARBINARY -> ColumnType.BINARY;
          case DATE -> ColumnType.DATE;
          case TIMESTAMP_WITHOUT_TIME_ZONE -> ColumnType.TIMESTAMP;
          case ARRAY -> find(type.getChildren().get(0)).map(ColumnType::array).orElse(null);
          case MAP -> map((MapType) type);
          case ROW -> struct((RowType) type);
          default -> null;
        });
  }

  private static @Nullable ColumnType map(MapType type) {
    Optional<ColumnType> key = find(type.getKeyType()).filter(found -> !found.isNested());
    Optional<ColumnType> value = find(type.getValueType());
    return key.isPresent() && value.isPresent() ? ColumnType.map(key.get(), value.get()) : null;
  }

  private static @Nullable ColumnType struct(RowType type) {
    List<Column> fields = new ArrayList<>();
    for (RowType.RowField field : type.getFields()) {
      Optional<ColumnType> found = find(field.getType());
      if (found.isEmpty()) {
        return null;
      }
      fields.add(new Column(field.getName(), found.get()));
    }
    return fields.isEmpty() ? null : ColumnType.struct(fields);
  }
}
