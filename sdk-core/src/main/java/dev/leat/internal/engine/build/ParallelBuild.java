package dev.leat.internal.engine.build;

import dev.leat.DataSize;
import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.MalformedRows;
import dev.leat.internal.engine.build.AttemptFailedException.Reason;
import dev.leat.internal.engine.source.SourceErrors;
import dev.leat.internal.engine.source.SourceReading;
import dev.leat.internal.engine.source.SourceReading.Opened;
import dev.leat.internal.engine.source.SourceVersion;
import dev.leat.internal.engine.tier.TierClient;
import dev.leat.internal.index.BuildListener;
import dev.leat.internal.index.BuildSettings;
import dev.leat.internal.index.IndexBuilder;
import dev.leat.internal.index.IndexDefinition;
import dev.leat.internal.index.IndexManifest;
import dev.leat.internal.index.RecordedSplits;
import dev.leat.internal.index.SplitSink;
import dev.leat.internal.scan.TableScan;
import dev.leat.spi.Blob;
import dev.leat.spi.FileSplit;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One attempt to build the index of one version: splits of the files are parsed by a bounded pool
 * of threads, which is gone when {@link #run} returns. Splits that an earlier build has recorded
 * are taken from there, and the others recorded, if {@link #keepRecordings} is called.
 */
public final class ParallelBuild implements AutoCloseable {
  private static final long TICK_MILLIS = 1000;

  /**
   * Reading the rows is about this share of the work, and distributing and writing them the rest.
   */
  private static final double SHARE_OF_READING = 0.6;

  private final String dimension;
  private final SourceVersion version;
  private final SourceReading reading;
  private final TableScan scan;
  private final IndexDefinition definition;
  private final BuildSettings settings;
  private final long splitBytes;
  private final AtomicLong rows = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private volatile double finishing;
  private final RecordingsOpener recordings;
  private @Nullable RecordedSplits recorded;

  /** The files of which some byte came from a tier. */
  private final Set<Integer> begunFromTier = ConcurrentHashMap.newKeySet();

  /**
   * Prepares an attempt.
   *
   * @param dimension the dimension's name, for errors and thread names
   * @param scan reads the files
   * @param definition what the index holds
   * @param threads how many threads parse
   * @param splitBytes about how many bytes of a file one thread parses at a time
   * @param memory the heap that the index builder may use for rows
   * @param workDirectory for intermediate files
   * @param recordings opens what earlier builds have recorded
   */
  public ParallelBuild(
      String dimension,
      SourceVersion version,
      SourceReading reading,
      TableScan scan,
      IndexDefinition definition,
      MalformedRows malformedRows,
      int threads,
      long splitBytes,
      DataSize memory,
      Path workDirectory,
      RecordingsOpener recordings) {
    this.dimension = dimension;
    this.version = version;
    this.reading = reading;
    this.scan = scan;
    this.definition = definition;
    this.splitBytes = splitBytes;
    this.recordings = recordings;
    this.settings =
        BuildSettings.in(workDirectory)
            .withThreads(threads)
            .withMemory(memory)
            .withMalformedRows(malformedRows)
            .withExpectedBytes(version.bytes())
            .withListener(
                new BuildListener() {
                  @Override
                  public void progress(long rowsSoFar, long bytesSoFar) {
                    rows.accumulateAndGet(rowsSoFar, Math::max);
                    bytes.accumulateAndGet(bytesSoFar, Math::max);
                  }

                  @Override
                  public void finishing(double share) {
                    finishing = share;
                  }
                });
  }

  /** Opens the recordings for a build; empty where there shall be none. */
  @FunctionalInterface
  public interface RecordingsOpener {

    /**
     * Opens them.
     *
     * @param keys the keys of all splits of the build
     */
    Optional<RecordedSplits> open(Set<String> keys);
  }

  /**
   * An index that is written.
   *
   * @param reusedFiles files of which nothing was parsed, since an earlier build had recorded all
   * @param reused what was taken from recordings
   */
  public record Built(IndexManifest manifest, int reusedFiles, IndexBuilder.Reused reused) {}

  /** A part of a file to read. */
  private record Task(FileSplit split, int fileOrdinal, String key) {}

  private List<Task> tasks() {
    List<Task> tasks = new ArrayList<>();
    for (int ordinal = 0; ordinal < version.files().size(); ordinal++) {
      for (FileSplit split : scan.splits(ordinal, version.files().get(ordinal), splitBytes)) {
        tasks.add(new Task(split, ordinal, version.splitKey(ordinal, split)));
      }
    }
    return tasks;
  }

  /**
   * Reads all files and writes the index into a directory.
   *
   * @throws AttemptFailedException if the attempt is void
   * @throws LeatException if another attempt would fail as well
   */
  public Built run(Path directory, BuildMonitor monitor)
      throws AttemptFailedException, InterruptedException {
    AtomicInteger threadNumber = new AtomicInteger();
    ExecutorService pool =
        Executors.newFixedThreadPool(
            settings.threads(),
            task -> {
              Thread thread =
                  new Thread(
                      task, "leat-" + dimension + "-build-" + threadNumber.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
    List<Task> tasks = tasks();
    recorded =
        recordings.open(tasks.stream().map(Task::key).collect(Collectors.toSet())).orElse(null);
    IndexBuilder builder =
        IndexBuilder.open(
            definition, recorded == null ? settings : settings.withRecordings(recorded));
    Set<Integer> parsed = ConcurrentHashMap.newKeySet();
    AtomicBoolean failed = new AtomicBoolean();
    try {
      CompletionService<Void> splits = new ExecutorCompletionService<>(pool);
      int open = tasks.size();
      for (Task task : tasks) {
        splits.submit(
            () -> {
              if (failed.get()) {
                // The attempt is void, and the failure on its way.
                return null;
              }
              try {
                readOrReuse(builder, task, parsed);
              } catch (Exception | Error e) {
                failed.set(true);
                throw e;
              }
              return null;
            });
      }
      while (open > 0) {
        Future<Void> done = splits.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        if (done != null) {
          result(done);
          open--;
        }
        monitor.tick(rows.get(), bytes.get(), done());
      }
      Future<IndexManifest> finished =
          pool.submit(() -> builder.finish(directory, version.fingerprint()));
      while (true) {
        try {
          finished.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
          return new Built(
              result(finished), version.files().size() - parsed.size(), builder.reused());
        } catch (java.util.concurrent.TimeoutException e) {
          monitor.tick(rows.get(), bytes.get(), done());
        } catch (ExecutionException e) {
          result(finished);
        }
      }
    } finally {
      // Cancels threads that are in a sink, if the build is not finished; then those that are in a
      // store.
      builder.close();
      pool.shutdownNow();
      awaitEnd(pool);
    }
  }

  private void readOrReuse(IndexBuilder builder, Task task, Set<Integer> parsed)
      throws AttemptFailedException, InterruptedException {
    if (!builder.reuse(
        task.split(), task.fileOrdinal(), scan.firstRowLine(task.fileOrdinal()), task.key())) {
      parsed.add(task.fileOrdinal());
      read(builder, task);
    }
  }

  private double done() {
    double read = version.bytes() == 0 ? 1 : Math.min(1, (double) bytes.get() / version.bytes());
    return SHARE_OF_READING * read + (1 - SHARE_OF_READING) * finishing;
  }

  /** Keeps what was recorded for the next build: this one is good. */
  public void keepRecordings() {
    if (recorded != null) {
      recorded.keep();
    }
  }

  /** Forgets what was recorded and not kept. */
  @Override
  public void close() {
    if (recorded != null) {
      recorded.close();
    }
  }

  private static void awaitEnd(ExecutorService pool) {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          if (pool.awaitTermination(1, TimeUnit.MINUTES)) {
            return;
          }
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private <T> T result(Future<T> done) throws AttemptFailedException, InterruptedException {
    try {
      return done.get();
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof AttemptFailedException void0) {
        throw void0;
      }
      if (cause instanceof LeatException error) {
        throw error;
      }
      if (cause instanceof InterruptedException interrupted) {
        throw interrupted;
      }
      if (cause instanceof Error error) {
        throw error;
      }
      throw new LeatException(
          ErrorCode.SOURCE_UNREADABLE,
          "Dimension '"
              + dimension
              + "': cannot read the files under "
              + version.location()
              + " ("
              + cause
              + "); see the cause",
          cause);
    }
  }

  private void read(IndexBuilder builder, Task task)
      throws AttemptFailedException, InterruptedException {
    FileSplit split = task.split();
    int fileOrdinal = task.fileOrdinal();
    Blob file = split.file();
    try (SplitSink sink =
        builder.sink(split, fileOrdinal, scan.firstRowLine(fileOrdinal), task.key())) {
      while (true) {
        Opened opened = reading.open(file);
        TierClient tier = opened.tier();
        try (opened) {
          scan.read(
              fileOrdinal,
              split,
              tier == null
                  ? opened.reader()
                  : new WatchedReader(opened.reader(), () -> begunFromTier.add(fileOrdinal)),
              sink);
          if (tier != null) {
            tier.client().worked();
          }
          return;
        } catch (IOException e) {
          if (tier == null || Thread.currentThread().isInterrupted()) {
            throw e;
          }
          reading.failed(tier, e);
          if (begunFromTier.contains(fileOrdinal)) {
            throw new AttemptFailedException(
                Reason.TIER_FAILED, "a tier failed in the middle of " + file.uri(), e);
          }
          // Nothing of this file has come from the tier yet: it is read from the next one.
        }
      }
    } catch (StoreException e) {
      if (e.kind() == StoreException.Kind.CHANGED || e.kind() == StoreException.Kind.NOT_FOUND) {
        throw new AttemptFailedException(Reason.SOURCE_CHANGED, String.valueOf(e.getMessage()), e);
      }
      throw SourceErrors.of(dimension, file.uri(), e);
    } catch (IOException e) {
      throw SourceErrors.of(dimension, file.uri(), e);
    }
  }
}
