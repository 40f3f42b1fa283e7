package dev.leat.flink.table;

import dev.leat.internal.engine.ServiceRequest;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.table.types.logical.LogicalType;

/**
 * Everything that a task must know to read a table: what travels with the job. Configuration only;
 * no live client, no secret.
 *
 * @param request whose dimension says what is read
 * @param types the types of the columns that are read
 * @param fields for each field of a row, the position of its column among those
 */
record ScanPlan(ServiceRequest<?, ?> request, List<LogicalType> types, List<Integer> fields)
    implements Serializable {

  /** Copies the lists. */
  ScanPlan {
    types = List.copyOf(types);
    fields = List.copyOf(fields);
  }

  /** The name of the dimension. */
  String dimensionName() {
    return request.dimension().name();
  }
}
