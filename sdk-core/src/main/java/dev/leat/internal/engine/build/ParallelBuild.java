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
import dev.leat.internal.index.BuildSettings;
import dev.leat.internal.index.IndexBuilder;
import dev.leat.internal.index.IndexDefinition;
import dev.leat.internal.index.IndexManifest;
import dev.leat.internal.index.SplitSink;
import dev.leat.internal.scan.TableScan;
import dev.leat.spi.Blob;
import dev.leat.spi.FileSplit;
import dev.leat.spi.StoreException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One attempt to build the index of one version: splits of the files are parsed by a bounded pool
 * of threads, which is gone when {@link #run} returns.
 */
public final class ParallelBuild {
  private static final long TICK_MILLIS = 1000;

  private final String dimension;
  private final SourceVersion version;
  private final SourceReading reading;
  private final TableScan scan;
  private final IndexDefinition definition;
  private final BuildSettings settings;
  private final long splitBytes;
  private final AtomicLong rows = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();

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
      Path workDirectory) {
    this.dimension = dimension;
    this.version = version;
    this.reading = reading;
    this.scan = scan;
    this.definition = definition;
    this.splitBytes = splitBytes;
    this.settings =
        BuildSettings.in(workDirectory)
            .withThreads(threads)
            .withMemory(memory)
            .withMalformedRows(malformedRows)
            .withExpectedBytes(version.bytes())
            .withListener(
                (rowsSoFar, bytesSoFar) -> {
                  rows.set(rowsSoFar);
                  bytes.set(bytesSoFar);
                });
  }

  /**
   * Reads all files and writes the index into a directory.
   *
   * @throws AttemptFailedException if the attempt is void
   * @throws LeatException if another attempt would fail as well
   */
  public IndexManifest run(Path directory, BuildMonitor monitor)
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
    IndexBuilder builder = IndexBuilder.open(definition, settings);
    try {
      CompletionService<Void> splits = new ExecutorCompletionService<>(pool);
      int open = 0;
      for (int ordinal = 0; ordinal < version.files().size(); ordinal++) {
        int fileOrdinal = ordinal;
        Blob file = version.files().get(ordinal);
        for (FileSplit split : scan.splits(ordinal, file, splitBytes)) {
          splits.submit(
              () -> {
                read(builder, split, fileOrdinal);
                return null;
              });
          open++;
        }
      }
      while (open > 0) {
        Future<Void> done = splits.poll(TICK_MILLIS, TimeUnit.MILLISECONDS);
        if (done != null) {
          result(done);
          open--;
        }
        monitor.tick(rows.get(), bytes.get());
      }
      Future<IndexManifest> finished =
          pool.submit(() -> builder.finish(directory, version.fingerprint()));
      while (true) {
        try {
          finished.get(TICK_MILLIS, TimeUnit.MILLISECONDS);
          return result(finished);
        } catch (java.util.concurrent.TimeoutException e) {
          monitor.tick(rows.get(), bytes.get());
        } catch (ExecutionException e) {
          return result(finished);
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

  private void read(IndexBuilder builder, FileSplit split, int fileOrdinal)
      throws AttemptFailedException, InterruptedException {
    Blob file = split.file();
    try (SplitSink sink = builder.sink(split, fileOrdinal, scan.firstRowLine(fileOrdinal))) {
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
