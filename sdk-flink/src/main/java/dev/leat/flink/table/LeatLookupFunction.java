package dev.leat.flink.table;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.apache.flink.table.functions.LookupFunction;
import org.jspecify.annotations.Nullable;

/**
 * Looks the rows of a key up in an index that is mapped into memory. Public since Flink calls it
 * from generated code; made by {@link LeatTableFactory} only.
 */
public final class LeatLookupFunction extends LookupFunction {
  private static final long serialVersionUID = 1L;

  private final LookupPlan plan;
  private transient @Nullable OpenLookup lookup;
  private transient @Nullable List<RowData> rows;
  private transient @Nullable Consumer<RowData> receiver;

  LeatLookupFunction(LookupPlan plan) {
    this.plan = plan;
  }

  @Override
  public void open(FunctionContext context) throws Exception {
    lookup = OpenLookup.open(plan, context);
    List<RowData> list = new ArrayList<>();
    rows = list;
    receiver = list::add;
  }

  /**
   * The rows of a key.
   *
   * @return a list that the next call changes: Flink takes the rows out of it before that
   */
  @Override
  public Collection<RowData> lookup(RowData key) {
    List<RowData> found = requireNonNull(rows);
    found.clear();
    requireNonNull(lookup).find(key, requireNonNull(receiver));
    return found;
  }

  @Override
  public void close() {
    if (lookup != null) {
      lookup.close();
    }
  }

  /** The table. */
  @Override
  public String toString() {
    return "LeatLookup[" + plan.dimensionName() + "]";
  }
}
