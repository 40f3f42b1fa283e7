package dev.leat.flink.table;

import org.apache.flink.table.connector.source.lookup.AsyncLookupFunctionProvider;
import org.apache.flink.table.connector.source.lookup.LookupFunctionProvider;
import org.apache.flink.table.functions.AsyncLookupFunction;
import org.apache.flink.table.functions.LookupFunction;

/** Offers both lookups; Flink takes the asynchronous one unless a hint or its strategy says no. */
record AsyncAndSyncLookup(LookupPlan plan)
    implements LookupFunctionProvider, AsyncLookupFunctionProvider {

  @Override
  public LookupFunction createLookupFunction() {
    return new LeatLookupFunction(plan);
  }

  @Override
  public AsyncLookupFunction createAsyncLookupFunction() {
    return new LeatAsyncLookupFunction(plan);
  }
}
