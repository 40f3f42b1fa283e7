package dev.leat.flink.table;

import dev.leat.LeatException;
import dev.leat.RowFilter;
import dev.leat.flink.table.LeatOptions.IndexColumns;
import dev.leat.format.Column;
import dev.leat.internal.engine.ServiceRequest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.LookupTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.connector.source.abilities.SupportsFilterPushDown;
import org.apache.flink.table.connector.source.abilities.SupportsProjectionPushDown;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.expressions.ResolvedExpression;
import org.apache.flink.table.types.DataType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The source of a table, as one query uses it: the columns and rows that the query wants.
 *
 * <p>Conditions that are pushed down stay in Flink as well. Flink takes two lookup joins of one
 * statement for the same if they differ in nothing but what was pushed into their tables, and would
 * give the rows of one for both; and {@code EXPLAIN} would show no condition.
 */
final class LeatTableSource
    implements LookupTableSource,
        ScanTableSource,
        SupportsProjectionPushDown,
        SupportsFilterPushDown {
  private static final Logger LOG = LoggerFactory.getLogger(LeatTableSource.class);

  private final TableDefinition table;

  /** The positions of the columns that the query uses, in its order. */
  private List<Integer> projected;

  /** Which rows the query uses, as far as an index can say it. */
  private Optional<RowFilter> filter;

  LeatTableSource(TableDefinition table) {
    this(table, IntStream.range(0, table.columns().size()).boxed().toList(), Optional.empty());
  }

  private LeatTableSource(
      TableDefinition table, List<Integer> projected, Optional<RowFilter> filter) {
    this.table = table;
    this.projected = projected;
    this.filter = filter;
  }

  @Override
  public LookupRuntimeProvider getLookupRuntimeProvider(LookupContext context) {
    LookupPlan plan = plan(context.getKeys());
    LOG.info("Table '{}' is looked up: {}", table.name(), description(plan.request()));
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
    for (int component : components) {
      if (table.columns().get(component).type().isNested()) {
        throw new ValidationException(
            "Table "
                + table.name()
                + ": the column '"
                + table.columns().get(component).name()
                + "' is "
                + table.types().get(component).asSummaryString()
                + " and cannot be looked up; join by a column that is no ARRAY, MAP or ROW");
      }
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
          table.request(
              table.dimension(
                  indexColumns,
                  keyColumns,
                  table.indexColumns() == IndexColumns.TABLE ? Optional.empty() : filter)),
          components.stream().map(table.types()::get).toList(),
          keyColumns.stream().map(components::indexOf).toList(),
          projected.stream().map(table.types()::get).toList(),
          projected.stream().map(indexColumns::indexOf).toList(),
          projected.stream().map(components::indexOf).toList());
    } catch (LeatException | IllegalArgumentException e) {
      throw new ValidationException("Table " + table.name() + ": " + e.getMessage(), e);
    }
  }

  @Override
  public ChangelogMode getChangelogMode() {
    return ChangelogMode.insertOnly();
  }

  @Override
  public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
    try {
      int key = keyOfScan();
      // Also for a query that only counts rows and uses no column: a format reads at least one.
      List<Integer> read =
          Stream.concat(projected.stream(), Stream.of(key)).distinct().sorted().toList();
      return SourceProvider.of(
          new ScanSource(
              new ScanPlan(
                  table.request(table.dimension(read, List.of(key), filter)),
                  read.stream().map(table.types()::get).toList(),
                  projected.stream().map(read::indexOf).toList())));
    } catch (LeatException | IllegalArgumentException e) {
      throw new ValidationException("Table " + table.name() + ": " + e.getMessage(), e);
    }
  }

  /**
   * A dimension has a key, though a scan asks for none: a column that is read anyway, or else any,
   * but none with parts, which no key can have.
   */
  private int keyOfScan() {
    return Stream.concat(projected.stream(), IntStream.range(0, table.types().size()).boxed())
        .filter(column -> !table.columns().get(column).type().isNested())
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "all columns are nested; a table needs one that is not"));
  }

  @Override
  public Result applyFilters(List<ResolvedExpression> filters) {
    RowFilters translation = new RowFilters(table);
    List<ResolvedExpression> accepted = new ArrayList<>();
    for (ResolvedExpression expression : filters) {
      Optional<RowFilter> translated = translation.of(expression);
      if (translated.isPresent()) {
        accepted.add(expression);
        filter = filter.map(former -> former.and(translated.get())).or(() -> translated);
      }
    }
    return Result.of(accepted, filters);
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
    return new LeatTableSource(table, projected, filter);
  }

  @Override
  public String asSummaryString() {
    return "Leat["
        + table.name()
        + ": local index, columns="
        + projected.stream().map(column -> table.columns().get(column).name()).toList()
        + filter.map(rows -> ", filter=[" + rows + "]").orElse("")
        + "]";
  }

  private static String description(ServiceRequest<?, ?> request) {
    return "local index by "
        + request.dimension().keyColumns()
        + " of the columns "
        + request.dimension().columns().orElse(List.of()).stream().map(Column::name).toList()
        + request.dimension().filter().map(where -> " of rows where " + where).orElse("")
        + ", cached in "
        + request.tiers()
        + ", refresh "
        + request.refresh();
  }
}
