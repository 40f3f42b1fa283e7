package dev.leat.flink.table;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.FunctionContext;
import org.jspecify.annotations.Nullable;

/**
 * Looks the rows of a key up in an index that is mapped into memory, and completes at once. Of use
 * where Flink waits between attempts, as with a retry on a miss: other rows go on meanwhile. Public
 * since Flink calls it from generated code; made by {@link LeatTableFactory} only.
 */
public final class LeatAsyncLookupFunction extends AsyncLookupFunction {
  private static final long serialVersionUID = 1L;

  private final LookupPlan plan;
  private transient @Nullable OpenLookup lookup;

  LeatAsyncLookupFunction(LookupPlan plan) {
    this.plan = plan;
  }

  @Override
  public void open(FunctionContext context) throws Exception {
    lookup = OpenLookup.open(plan, context);
  }

  @Override
  public CompletableFuture<Collection<RowData>> asyncLookup(RowData key) {
    List<RowData> found = new ArrayList<>(1);
    requireNonNull(lookup).find(key, found::add);
    return CompletableFuture.completedFuture(found);
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
    return "LeatAsyncLookup[" + plan.dimensionName() + "]";
  }
}
