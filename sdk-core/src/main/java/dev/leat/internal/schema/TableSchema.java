package dev.leat.internal.schema;

import dev.leat.Dimension;
import dev.leat.LeatException;
import dev.leat.format.Column;
import dev.leat.spi.RowFormat.DeclaredColumn;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What is kept of a dimension's source, and what it becomes. A column's number is its position in
 * {@link #columns()}; it is the one that {@link dev.leat.spi.RowSink} gets.
 *
 * <p>Each component of the target meets the column of the same name, where {@code customer_id},
 * {@code customerId} and {@code CUSTOMER_ID} are the same name. A column has the type that the
 * source says, and where the source says none (text), the one that the component asks for.
 *
 * @param columns the columns that are kept, in the order of the source: those that the target has a
 *     component for and those of the key
 * @param keyColumns the numbers of the key's columns, in the order of the key
 * @param requiredColumns the numbers of the columns that a primitive component reads: a row with a
 *     NULL there is malformed
 * @param rowComponents the components of the row type: of a record all, in the order of its
 *     canonical constructor; of a POJO all that are set; of {@link dev.leat.DimensionRow} none,
 *     since it has every column
 * @param keyComponents one for each of {@code keyColumns}: the components of a key record, or one
 *     for a scalar key
 * @param scan what is read to get these columns: also those of the filter
 */
public record TableSchema(
    List<Column> columns,
    List<Integer> keyColumns,
    Set<Integer> requiredColumns,
    List<TargetComponent> rowComponents,
    List<TargetComponent> keyComponents,
    ScanColumns scan) {

  /** Takes unmodifiable copies. */
  public TableSchema {
    columns = List.copyOf(columns);
    keyColumns = List.copyOf(keyColumns);
    requiredColumns = Set.copyOf(requiredColumns);
    rowComponents = List.copyOf(rowComponents);
    keyComponents = List.copyOf(keyComponents);
  }

  /**
   * Brings a dimension's row type and key together with the columns of its source.
   *
   * @param fileColumns reads the columns from a file of the source; called only where the format's
   *     configuration does not say them
   * @throws LeatException {@code COLUMN_NOT_FOUND}, {@code TYPE_MISMATCH} or {@code
   *     INVALID_DEFINITION}
   */
  public static TableSchema resolve(
      Dimension<?, ?> dimension, Supplier<List<DeclaredColumn>> fileColumns) {
    Optional<List<DeclaredColumn>> declared = dimension.format().declaredColumns();
    List<DeclaredColumn> columns =
        declared.orElseGet(() -> dimension.columns().isPresent() ? List.of() : fileColumns.get());
    return new SchemaResolution(dimension, columns).resolve();
  }
}
