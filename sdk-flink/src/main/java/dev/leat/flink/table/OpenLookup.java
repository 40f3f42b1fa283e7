package dev.leat.flink.table;

import dev.leat.flink.internal.JoinMetrics;
import dev.leat.internal.engine.DimensionReader;
import dev.leat.internal.engine.DimensionService;
import dev.leat.internal.engine.DimensionServices;
import java.time.Duration;
import java.util.function.Consumer;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.functions.FunctionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lookups of one subtask at work: a handle to the service that all subtasks of the TaskManager
 * share, and a reader of its own. Belongs to the task's thread.
 */
final class OpenLookup implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OpenLookup.class);

  private final KeyRows keys;
  private final DimensionService<?, ?> service;
  private final DimensionReader<RowData, RowData> reader;
  private final JoinMetrics metrics;

  private OpenLookup(
      KeyRows keys,
      DimensionService<?, ?> service,
      DimensionReader<RowData, RowData> reader,
      JoinMetrics metrics) {
    this.keys = keys;
    this.service = service;
    this.reader = reader;
    this.metrics = metrics;
  }

  /** Opens the service of a plan and waits for its first version. */
  static OpenLookup open(LookupPlan plan, FunctionContext context) throws InterruptedException {
    DimensionService<?, ?> service =
        DimensionServices.acquire(plan.request(), TaskEnvironments.of(context));
    try {
      long start = System.nanoTime();
      LOG.info(
          "A lookup waits for the first version of dimension '{}' at {}",
          plan.dimensionName(),
          plan.request().dimension().location());
      service.awaitFirstVersion();
      LOG.info(
          "A lookup has dimension '{}' after {} ms: {}",
          plan.dimensionName(),
          Duration.ofNanos(System.nanoTime() - start).toMillis(),
          service
              .statistics()
              .served()
              .map(served -> "version " + served.version().id() + ", " + served.rows() + " rows")
              .orElse("no version"));
      KeyRows keys = plan.keys();
      return new OpenLookup(
          keys,
          service,
          service.reader(keys, plan.rows()),
          JoinMetrics.registerLookup(
              context.getMetricGroup(), plan.dimensionName(), service::statistics));
    } catch (InterruptedException | RuntimeException e) {
      service.close();
      throw e;
    }
  }

  /** Gives the rows of a key, at the newest version that is ready. */
  void find(RowData key, Consumer<RowData> rows) {
    reader.advance();
    if (reader.findAll(key, rows) > 0) {
      metrics.hit();
    } else if (keys.complete(key)) {
      metrics.miss();
    } else {
      metrics.nullKey();
    }
  }

  @Override
  public void close() {
    try (service) {
      reader.close();
    }
  }
}
