package dev.leat.flink.table;

import dev.leat.DuplicateKeys;
import dev.leat.LeatException;
import dev.leat.flink.table.LeatOptions.IndexColumns;
import dev.leat.internal.engine.ServiceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.types.DataType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The source of a table, as one query uses it: the columns and rows that the query wants. */
final class LeatTableSource implements LookupTableSource, SupportsProjectionPushDown {
  private static final Logger LOG = LoggerFactory.getLogger(LeatTableSource.class);

  private final TableDefinition table;

  /** The positions of the columns that the query uses, in its order. */
  private List<Integer> projected;

  LeatTableSource(TableDefinition table) {
    this(table, IntStream.range(0, table.columns().size()).boxed().toList());
  }

  private LeatTableSource(TableDefinition table, List<Integer> projected) {
    this.table = table;
    this.projected = projected;
  }

  @Override
  public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
    LookupPlan plan = plan(context.getKeys());
    LOG.info(
        "Table '{}' is looked up by {}: columns {}, local index in {}, refresh {}",
        table.name(),
        plan.request().dimension().keyColumns(),
        plan.request().dimension().columns().orElseThrow(),
        plan.request().tiers(),
        plan.request().refresh());
    return table.async()
        ? new AsyncAndSyncLookup(plan)
        : LookupFunctionProvider.of(new LeatLookupFunction(plan));
  }

  private LookupPlan plan(int[][] keys) {
    List<Integer> components = new ArrayList<>();
    for (int[] key : keys) {
      if (key.length != 1) {
        throw new ValidationException(
            "Table "
                + table.name()
                + ": the key "
                + Arrays.deepToString(keys)
                + " has a field inside the column '"
                + table.columns().get(projected.get(key[0])).name()
                + "', and only whole columns can be looked up; make the field a column of its own");
      }
      components.add(projected.get(key[0]));
    }
    if (new LinkedHashSet<>(components).size() != components.size()) {
      throw new ValidationException(
          "Table " + table.name() + ": a column stands twice in the key " + components);
    }
    // In the order of the table, so that queries that name them in another order share an index.
    List<Integer> keyColumns = components.stream().sorted().toList();
    Set<Integer> kept = new TreeSet<>(projected);
    if (table.indexColumns() == IndexColumns.TABLE) {
      IntStream.range(0, table.columns().size()).forEach(kept::add);
    }
    List<Integer> indexColumns = List.copyOf(kept);
    try {
      return new LookupPlan(
          new ServiceRequest<>(
              table.dimension(indexColumns, keyColumns),
              DuplicateKeys.KEEP_ALL,
              table.tiers(),
              table.refresh(),
              table.staleness()),
          components.stream().map(table.types()::get).toList(),
          keyColumns.stream().map(components::indexOf).toList(),
          projected.stream().map(table.types()::get).toList(),
          projected.stream().map(indexColumns::indexOf).toList());
    } catch (LeatException | IllegalArgumentException e) {
      throw new ValidationException("Table " + table.name() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public boolean supportsNestedProjection() {
    return false;
  }

  @Override
  public void applyProjection(int[][] projectedFields, DataType producedDataType) {
    projected = Arrays.stream(projectedFields).map(field -> projected.get(field[0])).toList();
  }

  @Override
  public DynamicTableSource copy() {
    return new LeatTableSource(table, projected);
  }

  @Override
  public String asSummaryString() {
    return "Leat["
        + table.name()
        + ", local index, columns "
        + projected.stream().map(column -> table.columns().get(column).name()).toList()
        + ", refresh "
        + table.refresh()
        + "]";
  }
}
