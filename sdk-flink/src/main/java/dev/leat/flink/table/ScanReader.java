package dev.leat.flink.table;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.flink.internal.TaskManagerEnvironment;
import dev.leat.internal.engine.ServiceEnvironment;
import dev.leat.internal.engine.SourceScan;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads parts of a table, one after the other. A thread of its own parses them and hands rows over
 * in batches, since a format gives rows when it has them and a task takes them when it wants.
 */
final class ScanReader implements SourceReader<RowData, ScanSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(ScanReader.class);
  private static final long SPLIT_BYTES = 64L << 20;
  private static final int BATCH_ROWS = 512;
  private static final int BATCHES = 4;

  private final ScanPlan plan;
  private final SourceReaderContext context;
  private final Handover handover = new Handover(BATCHES);
  private final ExecutorService parser;
  private final Deque<ScanSplit> assigned = new ArrayDeque<>();
  private Iterator<RowData> batch = Collections.emptyIterator();
  private @Nullable ScanSplit current;
  private boolean noMoreSplits;

  /** How many rows of the current part have been given out. */
  private long given;

  /** Of the thread that parses. */
  private @Nullable SourceScan scan;

  ScanReader(ScanPlan plan, SourceReaderContext context) {
    this.plan = plan;
    this.context = context;
    this.parser =
        Executors.newSingleThreadExecutor(
            task -> {
              Thread thread =
                  new Thread(
                      task,
                      "leat-" + plan.dimensionName() + "-scan-" + context.getIndexOfSubtask());
              thread.setDaemon(true);
              return thread;
            });
  }

  /** What the thread that parses hands over. */
  private sealed interface Parsed {
    /** Rows of the current part. */
    record Rows(List<RowData> rows) implements Parsed {}

    /** The current part is read. */
    record End() implements Parsed {}

    /** The parts of the table. */
    record Found(List<ScanSplit> splits) implements Parsed {}

    /** It went wrong. */
    record Failure(Throwable cause) implements Parsed {}
  }

  @Override
  public void start() {
    if (assigned.isEmpty() && current == null) {
      context.sendSplitRequest();
    }
  }

  @Override
  public InputStatus pollNext(ReaderOutput<RowData> output) throws Exception {
    if (batch.hasNext()) {
      output.collect(batch.next());
      given++;
      return InputStatus.MORE_AVAILABLE;
    }
    Parsed next = handover.poll();
    if (next == null) {
      return noMoreSplits && current == null
          ? InputStatus.END_OF_INPUT
          : InputStatus.NOTHING_AVAILABLE;
    }
    if (next instanceof Parsed.Rows rows) {
      batch = rows.rows().iterator();
    } else if (next instanceof Parsed.End) {
      current = null;
      readNext();
    } else if (next instanceof Parsed.Found found) {
      context.sendSourceEventToCoordinator(new ScanEvents.Found(found.splits()));
    } else if (next instanceof Parsed.Failure failure) {
      throw failure.cause() instanceof Exception exception
          ? exception
          : new IllegalStateException(failure.cause());
    }
    return InputStatus.MORE_AVAILABLE;
  }

  private void readNext() {
    ScanSplit split = assigned.poll();
    if (split == null) {
      if (!noMoreSplits) {
        context.sendSplitRequest();
      }
      return;
    }
    current = split;
    given = split.read();
    parser.execute(() -> parse(split));
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return batch.hasNext() ? CompletableFuture.completedFuture(null) : handover.available();
  }

  @Override
  public List<ScanSplit> snapshotState(long checkpointId) {
    List<ScanSplit> splits = new ArrayList<>();
    if (current != null) {
      splits.add(current.after(given));
    }
    splits.addAll(assigned);
    return splits;
  }

  @Override
  public void addSplits(List<ScanSplit> splits) {
    assigned.addAll(splits);
    if (current == null) {
      readNext();
    }
  }

  @Override
  public void notifyNoMoreSplits() {
    noMoreSplits = true;
    // The task may be waiting for a part.
    handover.wake();
  }

  @Override
  public void handleSourceEvents(SourceEvent event) {
    if (event instanceof ScanEvents.Look) {
      parser.execute(this::look);
    }
  }

  private void look() {
    attempt(
        () -> {
          SourceScan opened = scan();
          handover.put(
              new Parsed.Found(
                  opened.parts(SPLIT_BYTES).stream()
                      .map(
                          part ->
                              new ScanSplit(
                                  opened.version(), part.file(), part.start(), part.length(), 0))
                      .toList()));
        });
  }

  private void parse(ScanSplit split) {
    attempt(
        () -> {
          SourceScan opened = scan();
          if (!opened.version().equals(split.version())) {
            throw new LeatException(
                ErrorCode.SOURCE_CHANGING,
                "Dimension '"
                    + plan.dimensionName()
                    + "': the source changed from version "
                    + split.version()
                    + " to "
                    + opened.version()
                    + " while it was being read; run the query again");
          }
          Batches batches = new Batches(split.read());
          RowDataSink sink =
              new RowDataSink(
                  plan.dimensionName(),
                  plan.types(),
                  plan.request().dimension().malformedRows(),
                  batches::add);
          opened.read(split.part(), sink);
          sink.end();
          batches.end();
          if (sink.rejected() > 0) {
            LOG.warn(
                "Dimension '{}': {} malformed rows were left out of a scan of part {}",
                plan.dimensionName(),
                sink.rejected(),
                split.splitId());
          }
        });
  }

  private SourceScan scan() throws InterruptedException {
    SourceScan opened = scan;
    if (opened == null) {
      Configuration configuration = context.getConfiguration();
      opened =
          SourceScan.open(
              plan.request(),
              new ServiceEnvironment(
                  TaskManagerEnvironment.properties(configuration),
                  Path.of(System.getProperty("java.io.tmpdir")),
                  Clock.systemUTC()));
      scan = opened;
    }
    return opened;
  }

  /** What may be interrupted, which happens when the reader is closed. */
  private interface Step {
    void run() throws InterruptedException;
  }

  private void attempt(Step step) {
    try {
      step.run();
    } catch (InterruptedException | Interrupted e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      if (!Thread.currentThread().isInterrupted()) {
        handover.fail(new Parsed.Failure(e));
      }
    }
  }

  @Override
  public void close() throws Exception {
    parser.shutdownNow();
    while (!parser.awaitTermination(1, TimeUnit.MINUTES)) {
      LOG.warn("Dimension '{}': a scan does not end yet", plan.dimensionName());
    }
    if (scan != null) {
      scan.close();
    }
  }

  /** Carries an interrupt through a format; never leaves this class. */
  private static final class Interrupted extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Interrupted(InterruptedException cause) {
      super(cause);
    }
  }

  /** Gathers the rows of a part. */
  private final class Batches {
    private long toSkip;
    private List<RowData> rows = new ArrayList<>(BATCH_ROWS);

    Batches(long toSkip) {
      this.toSkip = toSkip;
    }

    void add(RowData row) {
      if (toSkip > 0) {
        toSkip--;
        return;
      }
      rows.add(projected(row));
      if (rows.size() == BATCH_ROWS) {
        flush();
      }
    }

    void end() throws InterruptedException {
      flush();
      handover.put(new Parsed.End());
    }

    private void flush() {
      if (rows.isEmpty()) {
        return;
      }
      try {
        handover.put(new Parsed.Rows(rows));
      } catch (InterruptedException e) {
        throw new Interrupted(e);
      }
      rows = new ArrayList<>(BATCH_ROWS);
    }

    private RowData projected(RowData row) {
      GenericRowData all = (GenericRowData) row;
      GenericRowData wanted = new GenericRowData(plan.fields().size());
      for (int i = 0; i < wanted.getArity(); i++) {
        wanted.setField(i, all.getField(plan.fields().get(i)));
      }
      return wanted;
    }
  }

  /** A bounded queue that tells by a future when it has something. Thread-safe. */
  private static final class Handover {
    private final int capacity;
    private final Deque<Parsed> queue = new ArrayDeque<>();
    private CompletableFuture<Void> available = new CompletableFuture<>();

    Handover(int capacity) {
      this.capacity = capacity;
    }

    synchronized void put(Parsed parsed) throws InterruptedException {
      while (queue.size() >= capacity) {
        wait();
      }
      queue.add(parsed);
      available.complete(null);
    }

    /** Overtakes what is queued. */
    synchronized void fail(Parsed failure) {
      queue.addFirst(failure);
      available.complete(null);
    }

    synchronized void wake() {
      available.complete(null);
    }

    synchronized @Nullable Parsed poll() {
      Parsed parsed = queue.poll();
      notifyAll();
      if (queue.isEmpty() && available.isDone()) {
        available = new CompletableFuture<>();
      }
      return parsed;
    }

    synchronized CompletableFuture<Void> available() {
      return available;
    }
  }
}
