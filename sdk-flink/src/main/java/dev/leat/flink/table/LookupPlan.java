package dev.leat.flink.table;

import static java.util.Objects.requireNonNull;

import dev.leat.internal.engine.ServiceRequest;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Everything that a task must know to look rows up: what travels with the job. Configuration only;
 * no live client, no secret.
 *
 * @param request what is asked of the engine
 * @param keyTypes the types of the key's components, in the order in which Flink gives them
 * @param keyPositions for each column of the index's key, the position of its component
 * @param rowTypes the types of the fields of a row
 * @param rowColumns for each field, the position of its column in the index
 * @param rowComponents for each field, the position of its component in the key, or -1
 */
record LookupPlan(
    ServiceRequest<?, ?> request,
    List<LogicalType> keyTypes,
    List<Integer> keyPositions,
    List<LogicalType> rowTypes,
    List<Integer> rowColumns,
    List<Integer> rowComponents)
    implements Serializable {

  /** Copies the lists. */
  LookupPlan {
    requireNonNull(request, "request");
    keyTypes = List.copyOf(keyTypes);
    keyPositions = List.copyOf(keyPositions);
    rowTypes = List.copyOf(rowTypes);
    rowColumns = List.copyOf(rowColumns);
    rowComponents = List.copyOf(rowComponents);
  }

  /** The name of the dimension. */
  String dimensionName() {
    return request.dimension().name();
  }

  KeyRows keys() {
    return new KeyRows(keyTypes, array(keyPositions));
  }

  RowDatas rows() {
    return new RowDatas(rowTypes, array(rowColumns), array(rowComponents));
  }

  private static int[] array(List<Integer> positions) {
    return positions.stream().mapToInt(Integer::intValue).toArray();
  }
}
