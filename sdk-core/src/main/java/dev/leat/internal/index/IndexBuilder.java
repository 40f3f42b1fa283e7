package dev.leat.internal.index;

import static java.util.Objects.requireNonNull;

import dev.leat.ErrorCode;
import dev.leat.LeatException;
import dev.leat.format.ColumnType;
import dev.leat.internal.index.SegmentBuffers.Run;
import dev.leat.internal.index.StagedSplit.Incident;
import dev.leat.spi.FileSplit;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.WritableByteChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Builds an index: one {@link SplitSink} per split of the source takes the rows, from several
 * threads at a time; then {@link #finish} writes the files. The bytes depend on the rows, their
 * files' order and the definition only.
 *
 * <p>Three steps, each parallel, of which none holds more than its share of the memory budget: the
 * sinks stage the rows in the order of the source and count what occurs; when all is known, the
 * staged rows are encoded and distributed over <i>segments</i>, by the highest bits of their keys'
 * hashes; then each segment, which fits the CPU's cache, is sorted and laid out by itself and
 * written.
 */
public final class IndexBuilder implements AutoCloseable {
  private static final int MAX_SEGMENT_BITS = 16;
  private static final int MAX_HASH_ATTEMPTS = 6;
  private static final int CHUNKS_PER_TASK = 32;

  private final IndexDefinition definition;
  private final BuildSettings settings;
  private final KeyForm keyForm;
  private final ValueDictionary[] dictionaries;
  private final PieceStore staged;
  private final Set<SplitSink> openSinks = new LinkedHashSet<>();
  private final List<StagedSplit> splits = new ArrayList<>();
  private final BuildCounts counts;
  private final AtomicLong rowsSeen = new AtomicLong();
  private final AtomicLong bytesSeen = new AtomicLong();
  private final AtomicLong rejectedSeen = new AtomicLong();
  private final IndexFiles files;
  private final Limits limits;
  private Reused reused = new Reused(0, 0, 0);
  private volatile boolean cancelled;
  private boolean finished;

  /**
   * How many rows, and bytes of their cells, a part of the index has at most, on average. They
   * decide the bytes of the index; tests make them small.
   *
   * @param rowsPerSegment by default as many as the second-level cache holds entries of
   */
  record Limits(long rowsPerSegment, long bytesPerSegment, long rowsPerShard, long bytesPerShard) {
    static final Limits DEFAULT = new Limits(1 << 17, 8L << 20, 1 << 22, 128L << 20);
  }

  private IndexBuilder(
      IndexDefinition definition, BuildSettings settings, IndexFiles files, Limits limits) {
    this.definition = definition;
    this.settings = settings;
    this.files = files;
    this.limits = limits;
    List<ColumnType> keyTypes = new ArrayList<>();
    for (int column : definition.keyColumns()) {
      keyTypes.add(definition.columns().get(column).type());
    }
    this.keyForm = new KeyForm(keyTypes);
    this.dictionaries = new ValueDictionary[definition.columns().size()];
    for (int i = 0; i < dictionaries.length; i++) {
      dictionaries[i] = new ValueDictionary();
    }
    this.counts = new BuildCounts(dictionaries.length);
    this.staged = new PieceStore(files, settings.workDirectory(), settings.memory().bytes() / 2);
  }

  /** Begins a build. */
  public static IndexBuilder open(IndexDefinition definition, BuildSettings settings) {
    return open(definition, settings, IndexFiles.onDisk(), Limits.DEFAULT);
  }

  /** Begins a build that writes its files in a way of its own, or has other limits. */
  static IndexBuilder open(
      IndexDefinition definition, BuildSettings settings, IndexFiles files, Limits limits) {
    return new IndexBuilder(
        requireNonNull(definition, "definition"),
        requireNonNull(settings, "settings"),
        files,
        limits);
  }

  /**
   * A sink for the rows of one split.
   *
   * @param split the part of the source that its rows come from
   * @param fileOrdinal the position of the file among the files of the source, which decides which
   *     of several rows of a key is first
   */
  public SplitSink sink(FileSplit split, int fileOrdinal) {
    return sink(split, fileOrdinal, OptionalLong.empty());
  }

  /**
   * A sink for the rows of one split, of a file in which each row is a line.
   *
   * @param firstLine the number of the line that is the first row of the file; empty where rows are
   *     no lines. From it, and the rows that are read, the lines of bad rows are known
   */
  public SplitSink sink(FileSplit split, int fileOrdinal, OptionalLong firstLine) {
    checkRunning();
    return open(split, fileOrdinal, firstLine, null);
  }

  /**
   * A sink that records its rows for the next build, if the settings say where.
   *
   * @param key see {@link RecordedSplits}
   */
  public SplitSink sink(FileSplit split, int fileOrdinal, OptionalLong firstLine, String key) {
    checkRunning();
    return open(
        split,
        fileOrdinal,
        firstLine,
        settings.recordings().flatMap(recorded -> recorded.record(key, dictionaries)).orElse(null));
  }

  private synchronized SplitSink open(
      FileSplit split,
      int fileOrdinal,
      OptionalLong firstLine,
      @Nullable SplitRecording recording) {
    if (finished) {
      throw new IllegalStateException("the build is finished; no sink can be added");
    }
    SplitSink sink =
        new SplitSink(
            this, split, fileOrdinal, firstLine, recording, definition, keyForm, dictionaries);
    openSinks.add(sink);
    return sink;
  }

  /**
   * Takes the rows of a split as an earlier build recorded them.
   *
   * @param key see {@link RecordedSplits}
   * @return whether there was a recording; if not, the split must be parsed
   */
  public boolean reuse(FileSplit split, int fileOrdinal, OptionalLong firstLine, String key) {
    RecordedSplits recorded = settings.recordings().orElse(null);
    if (recorded == null) {
      return false;
    }
    checkRunning();
    SplitSink sink = null;
    try (SplitPlayback playback = recorded.find(key, dictionaries.length).orElse(null)) {
      if (playback == null) {
        return false;
      }
      sink = open(split, fileOrdinal, firstLine, null);
      sink.replay(playback);
      sink.close();
      synchronized (this) {
        reused = reused.plus(new Reused(1, playback.counts().rows(), split.length()));
      }
      return true;
    } catch (IOException | LeatException e) {
      if (sink != null) {
        drop(sink);
      }
      recorded.drop(key, e);
      return false;
    }
  }

  /** Forgets a sink and all that it has staged. */
  private synchronized void drop(SplitSink sink) {
    openSinks.remove(sink);
    sink.chunks().forEach(staged::release);
  }

  /**
   * What was taken from an earlier build instead of being parsed.
   *
   * @param splits parts of files
   * @param rows rows in them
   * @param bytes bytes of the source that were not read
   */
  public record Reused(long splits, long rows, long bytes) {
    Reused plus(Reused other) {
      return new Reused(splits + other.splits, rows + other.rows, bytes + other.bytes);
    }
  }

  /** What has been reused so far. */
  public synchronized Reused reused() {
    return reused;
  }

  /** Takes what a sink that is closed has staged. */
  synchronized void closed(SplitSink sink, StagedSplit split) {
    openSinks.remove(sink);
    splits.add(split);
    sink.addTo(counts);
  }

  /**
   * Writes the index: the shards first, the manifest last and atomically. All sinks must be closed.
   *
   * @param directory where the files are written; made if it is not there
   * @param sourceFingerprint identifies the version of the source
   * @throws LeatException {@code MALFORMED_ROWS}, {@code DUPLICATE_KEY}, {@code ROW_TOO_LARGE},
   *     {@code DISK_FULL}, {@code DISK_UNUSABLE} or {@code BUILD_CANCELLED}; nothing that looks
   *     like an index is left then
   */
  public IndexManifest finish(Path directory, String sourceFingerprint) {
    requireNonNull(directory, "directory");
    requireNonNull(sourceFingerprint, "sourceFingerprint");
    synchronized (this) {
      if (finished) {
        throw new IllegalStateException("the build is finished already");
      }
      finished = true;
      for (SplitSink sink : openSinks) {
        throw new IllegalStateException(
            "the sink of "
                + sink.split().file().uri()
                + " is still open; close all sinks before finish()");
      }
      splits.sort(
          Comparator.comparingInt(StagedSplit::fileOrdinal)
              .thenComparingLong(split -> split.split().start()));
    }
    checkRunning();
    checkMalformedShare();
    try (Workers workers = new Workers(settings.threads())) {
      return new Finish(directory, sourceFingerprint, workers).run();
    }
  }

  private void checkMalformedShare() {
    long all = counts.rows;
    long rejected = counts.rejectedRows;
    if (rejected > settings.malformedRows().maxShare() * all) {
      throw malformed(
          rejected,
          samples(StagedSplit::rejected).get(0),
          "more than the share of " + settings.malformedRows().maxShare() + " of " + all + " rows");
    }
  }

  /** Is told of malformed rows, of which the sample is one. */
  void rejected(long more, Supplier<IndexManifest.Sample> sample) {
    long count = rejectedSeen.addAndGet(more);
    if (count > settings.malformedRows().maxRows() || settings.malformedRows().maxShare() == 0) {
      throw malformed(
          count,
          sample.get(),
          "more than "
              + settings.malformedRows().maxRows()
              + " or a share of "
              + settings.malformedRows().maxShare());
    }
  }

  private static LeatException malformed(long count, IndexManifest.Sample sample, String bound) {
    return new LeatException(
        ErrorCode.MALFORMED_ROWS,
        count
            + (count == 1 ? " row is malformed, " : " rows are malformed, ")
            + bound
            + "; e.g. "
            + sample.file()
            + " at offset "
            + sample.offset()
            + (sample.line() < 0 ? "" : ", line " + sample.line())
            + (sample.column().isEmpty() ? "" : ", column '" + sample.column() + "'")
            + ": "
            + sample.reason()
            + "; mend the source or allow more by malformedRows(…)");
  }

  LeatException rowTooLarge(IndexManifest.Sample sample, int max) {
    return new LeatException(
        ErrorCode.ROW_TOO_LARGE,
        "a row of "
            + sample.file()
            + " at offset "
            + sample.offset()
            + " has more than "
            + max
            + " bytes: "
            + sample.reason()
            + "; leave large columns out of the target");
  }

  /** Keeps a chunk of staged rows, maybe the array itself. */
  Piece keep(byte[] chunk, int length) {
    try {
      return staged.keepArray(chunk, length);
    } catch (IOException e) {
      throw files.failed(settings.workDirectory(), e, cancelled);
    }
  }

  void progress(long rows, long bytes) {
    settings.listener().progress(rowsSeen.addAndGet(rows), bytesSeen.addAndGet(bytes));
    checkRunning();
  }

  private void finishing(double share) {
    settings.listener().finishing(share);
  }

  boolean cancelled() {
    return cancelled;
  }

  void checkRunning() {
    if (cancelled) {
      throw new LeatException(
          ErrorCode.BUILD_CANCELLED,
          "the build of the index was cancelled after "
              + rowsSeen.get()
              + " rows; nothing of it is kept");
    }
  }

  /**
   * Ends the build and deletes its intermediate files. A build that is not finished is cancelled:
   * threads that are in a sink or in {@link #finish} get {@code BUILD_CANCELLED}. Idempotent.
   */
  @Override
  public void close() {
    cancelled = true;
    try {
      staged.close();
    } catch (IOException e) {
      throw files.failed(settings.workDirectory(), e, false);
    }
  }

  /**
   * The first bad places of all splits, which are in order, each with its line: where rows are
   * lines, the rows of the splits before it tell.
   */
  private List<IndexManifest.Sample> samples(Function<StagedSplit, List<Incident>> of) {
    List<IndexManifest.Sample> samples = new ArrayList<>();
    int file = -1;
    long rowsBefore = 0;
    for (StagedSplit split : splits) {
      if (split.fileOrdinal() != file) {
        file = split.fileOrdinal();
        rowsBefore = 0;
      }
      for (Incident incident : of.apply(split)) {
        if (samples.size() == SplitSink.MAX_SAMPLES) {
          return samples;
        }
        long line =
            split.firstLine().isPresent()
                ? split.firstLine().getAsLong() + rowsBefore + incident.row()
                : incident.line();
        samples.add(
            new IndexManifest.Sample(
                split.split().file().uri().toString(),
                incident.offset(),
                line,
                incident.column(),
                incident.reason()));
      }
      rowsBefore += split.rows();
    }
    return samples;
  }

  /** The steps after the last row. */
  private final class Finish {
    private final Path directory;
    private final String fingerprint;
    private final Workers workers;
    private final List<Piece> chunks = new ArrayList<>();
    private final AtomicInteger encoded = new AtomicInteger();
    private final KeyCodec keys;
    private final RowLayout layout;
    private final byte[][][] values;
    private final int[][] ranks;
    private final int segmentBits;
    private final int shardBits;

    Finish(Path directory, String fingerprint, Workers workers) {
      this.directory = directory;
      this.fingerprint = fingerprint;
      this.workers = workers;
      for (StagedSplit split : splits) {
        chunks.addAll(split.chunks());
      }
      keys = KeyCodec.of(counts.keys);
      layout = RowLayout.of(definition, keys, counts.columns, dictionaries);
      values = new byte[dictionaries.length][][];
      for (int i = 0; i < values.length; i++) {
        boolean coded = layout.cells().get(i).storage() == RowLayout.Storage.CODE;
        values[i] = coded ? RowLayout.sortedValues(dictionaries[i]) : new byte[0][];
      }
      ranks = RowEncoder.ranks(layout, dictionaries, values);
      segmentBits =
          Math.min(
              MAX_SEGMENT_BITS,
              Math.max(
                  bitsFor(counts.keptRows, limits.rowsPerSegment()),
                  bitsFor(counts.rawBytes, limits.bytesPerSegment())));
      shardBits =
          Math.min(
              segmentBits,
              Math.max(
                  bitsFor(counts.keptRows, limits.rowsPerShard()),
                  bitsFor(counts.rawBytes, limits.bytesPerShard())));
    }

    private static int bitsFor(long amount, long perPart) {
      return Bits.width(Math.max(0, (amount + perPart - 1) / perPart - 1));
    }

    IndexManifest run() {
      // Keys that crowd under one hash function are hashed by another one, which nobody can know
      // who does not know all keys: its seed is made of them.
      long digest = 0;
      for (int attempt = 0; attempt < MAX_HASH_ATTEMPTS; attempt++) {
        KeyCodec seeded = attempt == 0 ? keys : keys.withSeed(Hashing.mix(digest, attempt));
        try {
          return attempt(seeded);
        } catch (OverfullException e) {
          digest = digest == 0 ? digest() : digest;
        }
      }
      throw new LeatException(
          ErrorCode.ROW_TOO_LARGE,
          "the keys crowd under "
              + MAX_HASH_ATTEMPTS
              + " hash functions; this is an error in Leat or a very unusual table");
    }

    /** A number that depends on all keys, whatever their order. */
    private long digest() {
      long sum = 1;
      for (Piece chunk : chunks) {
        StagedCursor cursor = new StagedCursor(chunk);
        while (cursor.next()) {
          sum +=
              Hashing.bytes(
                  cursor.row().bytes(), cursor.row().offset(), cursor.row().length(), 0x5eed);
          cursor.skipCells();
        }
      }
      return sum;
    }

    private IndexManifest attempt(KeyCodec seeded) throws OverfullException {
      IndexColumns columns = new IndexColumns(seeded, layout, segmentBits, shardBits, values);
      try (PieceStore entries =
          new PieceStore(
              files, settings.workDirectory(), settings.memory().bytes() - staged.used())) {
        List<SegmentBuffers> buffers = distribute(columns, entries);
        return write(columns, entries, buffers);
      } catch (UncheckedIOException e) {
        throw files.failed(directory, requireNonNull(e.getCause(), "cause"), cancelled);
      } catch (IOException e) {
        throw files.failed(directory, e, cancelled);
      }
    }

    private List<SegmentBuffers> distribute(IndexColumns columns, PieceStore entries) {
      int tasks = (chunks.size() + CHUNKS_PER_TASK - 1) / CHUNKS_PER_TASK;
      int segments = 1 << segmentBits;
      int bufferBytes = Math.max(1 << 10, Math.min(64 << 10, (16 << 20) / segments));
      ThreadLocal<@Nullable Distributor> own = new ThreadLocal<>();
      List<SegmentBuffers> all = new ArrayList<>();
      workers.run(
          IntStream.range(0, tasks).boxed(),
          task -> {
            Distributor distributor = own.get();
            if (distributor == null) {
              distributor =
                  new Distributor(
                      new RowEncoder(
                          definition, columns.keys(), layout, segmentBits, dictionaries, ranks),
                      new SegmentBuffers(entries, segments, bufferBytes));
              own.set(distributor);
              synchronized (all) {
                all.add(distributor.buffers());
              }
            }
            distributor.run(task);
          });
      return all;
    }

    /** One thread's encoder and buffers. */
    private final class Distributor {
      private final RowEncoder encoder;
      private final SegmentBuffers buffers;

      Distributor(RowEncoder encoder, SegmentBuffers buffers) {
        this.encoder = encoder;
        this.buffers = buffers;
      }

      SegmentBuffers buffers() {
        return buffers;
      }

      void run(int task) {
        buffers.begin(task);
        int end = Math.min(chunks.size(), (task + 1) * CHUNKS_PER_TASK);
        for (int i = task * CHUNKS_PER_TASK; i < end; i++) {
          checkRunning();
          Piece chunk = chunks.get(i);
          byte[] bytes = load(chunk);
          StagedRow row = new StagedRow(bytes);
          while (row.position() < chunk.length()) {
            encoder.encode(row, buffers);
          }
          finishing(0.5 * encoded.incrementAndGet() / chunks.size());
        }
        buffers.end();
      }
    }

    private IndexManifest write(
        IndexColumns columns, PieceStore entries, List<SegmentBuffers> buffers)
        throws OverfullException, IOException {
      files.prepare(directory);
      List<IndexManifest.Shard> shards = new ArrayList<>();
      boolean done = false;
      try {
        byte[] columnBytes = columns.toBytes();
        int columnsCrc = (int) Bits.INT.get(columnBytes, columnBytes.length - 4);
        shards.add(files.write(directory, IndexColumns.FILE_NAME, columnBytes, columnsCrc));
        Totals totals = writeShards(columns, columnsCrc, entries, buffers, shards);
        IndexManifest manifest =
            new IndexManifest(
                IndexColumns.FORMAT_VERSION,
                definition.columns(),
                definition.keyColumns(),
                definition.duplicates(),
                fingerprint,
                totals.rows,
                totals.duplicateKeys,
                counts.nullKeyRows,
                counts.filteredRows,
                counts.rejectedRows,
                samples(StagedSplit::rejected),
                counts.unparsableCells,
                samples(StagedSplit::unparsable),
                shards);
        checkRunning();
        files.publish(directory, IndexManifest.FILE_NAME, manifest.toJson());
        done = true;
        return manifest;
      } finally {
        if (!done) {
          files.discard(directory);
        }
      }
    }

    private Totals writeShards(
        IndexColumns columns,
        int columnsCrc,
        PieceStore entries,
        List<SegmentBuffers> buffers,
        List<IndexManifest.Shard> shards)
        throws OverfullException, IOException {
      int segmentsPerShard = 1 << (segmentBits - shardBits);
      Totals totals = new Totals();
      ThreadLocal<SegmentBuilder> builders =
          ThreadLocal.withInitial(
              () ->
                  new SegmentBuilder(columns.keys(), layout, segmentBits, definition.duplicates()));
      try (Workers.Ordered<Built> images =
          workers.ordered(
              1 << segmentBits, segment -> build(builders.get(), segment, entries, buffers))) {
        for (int ordinal = 0; ordinal < 1 << shardBits; ordinal++) {
          try (WritableByteChannel channel = files.create(directory, ShardFile.name(ordinal));
              ShardWriter writer = new ShardWriter(channel, columnsCrc, ordinal)) {
            for (int i = 0; i < segmentsPerShard; i++) {
              checkRunning();
              SegmentBuilder.Image image =
                  images
                      .next()
                      .image((segment, entry) -> duplicateKey(columns.keys(), segment, entry));
              totals.rows += image.shape().rows();
              totals.duplicateKeys += image.duplicateKeys();
              writer.add(image);
              finishing(0.5 + 0.5 * (ordinal * segmentsPerShard + i + 1) / (1 << segmentBits));
            }
            shards.add(writer.finish());
          }
        }
      }
      return totals;
    }

    private Built build(
        SegmentBuilder builder, int segment, PieceStore entries, List<SegmentBuffers> buffers) {
      List<Run> runs = new ArrayList<>();
      for (SegmentBuffers some : buffers) {
        runs.addAll(some.runs(segment));
      }
      runs.sort(Comparator.comparingInt(Run::task));
      long length = runs.stream().mapToLong(run -> run.piece().length()).sum();
      if (length > Integer.MAX_VALUE - 64) {
        throw new LeatException(
            ErrorCode.ROW_TOO_LARGE,
            "one of "
                + (1 << segmentBits)
                + " parts of the index has "
                + length
                + " bytes of rows, more than 2 GiB; the rows of one key, or single rows, are too many or too large");
      }
      byte[] data = new byte[(int) length + Bits.SLACK];
      int at = 0;
      try {
        for (Run run : runs) {
          run.piece().copyTo(data, at);
          at += run.piece().length();
          entries.release(run.piece());
        }
        for (SegmentBuffers some : buffers) {
          some.runs(segment).clear();
        }
        return new Built(segment, builder.build(data, at), null, null);
      } catch (OverfullException e) {
        return new Built(segment, null, e, null);
      } catch (SegmentBuilder.DuplicateKeyException e) {
        return new Built(segment, null, null, e.entry());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Finds the key again whose entry is given, to name it. */
    private LeatException duplicateKey(KeyCodec seeded, int segment, byte[] entry) {
      RowEncoder encoder =
          new RowEncoder(definition, seeded, layout, segmentBits, dictionaries, ranks);
      String shown = "";
      for (Piece chunk : chunks) {
        StagedCursor cursor = new StagedCursor(chunk);
        while (cursor.next() && shown.isEmpty()) {
          shown =
              encoder.hasKeyOf(segment, entry, cursor.row())
                  ? KeyText.of(keyForm, cursor.row())
                  : "";
          cursor.skipCells();
        }
      }
      return new LeatException(
          ErrorCode.DUPLICATE_KEY,
          "the key "
              + shown
              + " of the columns "
              + definition.keyColumns().stream()
                  .map(i -> definition.columns().get(i).name())
                  .toList()
              + " stands on several rows; make it unique in the source, or choose another DuplicateKeys policy");
    }

    private byte[] load(Piece chunk) {
      try {
        return chunk.withSlack();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    /** Goes over the staged rows of a chunk. */
    private final class StagedCursor {
      private final StagedRow row;
      private final int length;

      StagedCursor(Piece chunk) {
        row = new StagedRow(load(chunk));
        length = chunk.length();
      }

      /** Reads the key of the next row. */
      boolean next() {
        if (row.position() >= length) {
          return false;
        }
        row.run();
        return true;
      }

      StagedRow row() {
        return row;
      }

      void skipCells() {
        for (int i = 0; i < dictionaries.length; i++) {
          if (layout.cells().get(i).storage() != RowLayout.Storage.KEY) {
            row.skipCell(definition.columns().get(i).type().kind());
          }
        }
      }
    }
  }

  /** What is counted over all segments. */
  private static final class Totals {
    private long rows;
    private long duplicateKeys;
  }

  /**
   * A segment that is built, or why it is not.
   *
   * @param duplicate the entry of a key that stands on several rows
   */
  private record Built(
      int segment,
      SegmentBuilder.@Nullable Image built,
      @Nullable OverfullException overfull,
      byte @Nullable [] duplicate) {

    SegmentBuilder.Image image(BiFunction<Integer, byte[], LeatException> duplicateKey)
        throws OverfullException {
      if (overfull != null) {
        throw overfull;
      }
      if (duplicate != null) {
        throw duplicateKey.apply(segment, duplicate);
      }
      return requireNonNull(built, "built");
    }
  }
}
