package dev.leat.benchmarks;

import dev.leat.DuplicateKeys;
import dev.leat.MalformedRows;
import dev.leat.format.Column;
import dev.leat.format.DelimitedText;
import dev.leat.internal.index.BuildSettings;
import dev.leat.internal.index.Index;
import dev.leat.internal.index.IndexBuilder;
import dev.leat.internal.index.IndexDefinition;
import dev.leat.internal.index.IndexLookup;
import dev.leat.internal.index.IndexManifest;
import dev.leat.internal.index.SplitSink;
import dev.leat.internal.store.LocalFileStore;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.FileSplit;
import dev.leat.spi.FormatReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** Leat's index, built from text. */
final class LeatStore<K, D> implements Store<K, D> {
  private static final int THREADS = 2;
  private static final long SPLIT_BYTES = 32 << 20;

  private final Dataset<K, D> dataset;
  private final Path directory;
  private final Path text;
  private @Nullable Index index;

  LeatStore(Dataset<K, D> dataset, Path directory, Path text) {
    this.dataset = dataset;
    this.directory = directory;
    this.text = text;
  }

  @Override
  public void load() throws Exception {
    build();
    open();
  }

  /** Parses the text and writes the index. */
  IndexManifest build() throws Exception {
    List<Column> columns = dataset.columns();
    IndexDefinition definition =
        new IndexDefinition(columns, dataset.keyColumns(), DuplicateKeys.KEEP_LAST, Set.of());
    FormatReader reader =
        DelimitedText.separatedBy('|').columns(columns.toArray(Column[]::new)).reader(columns);
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (BlobStore store = LocalFileStore.at(text);
        IndexBuilder builder =
            IndexBuilder.open(
                definition,
                BuildSettings.in(directory.resolveSibling("work"))
                    .withThreads(THREADS)
                    .withMalformedRows(MalformedRows.fail()))) {
      List<Future<?>> running = new ArrayList<>();
      int ordinal = 0;
      for (Blob blob : store.list(text.toUri())) {
        int file = ordinal++;
        for (FileSplit split : reader.splits(blob, SPLIT_BYTES)) {
          running.add(threads.submit(() -> read(builder, store, reader, split, file)));
        }
      }
      for (Future<?> future : running) {
        future.get();
      }
      return builder.finish(directory, "benchmark");
    } finally {
      threads.shutdown();
    }
  }

  private static void read(
      IndexBuilder builder, BlobStore store, FormatReader reader, FileSplit split, int file) {
    try (SplitSink sink = builder.sink(split, file);
        BlobReader bytes = store.open(split.file())) {
      reader.read(split, bytes, sink);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  void open() {
    index = Index.open(directory);
  }

  @Override
  public Finder<K, D> finder() {
    if (index == null) {
      throw new IllegalStateException("open the index first");
    }
    IndexLookup<K, D> lookup = index.lookup(dataset.keyType(), dataset.rowType());
    return new Finder<>() {
      @Override
      public @Nullable D find(K key) {
        return lookup.find(key);
      }

      @Override
      public void findBatch(K[] keys, @Nullable D[] rows, int count) {
        lookup.findBatch(keys, rows, count);
      }

      @Override
      public boolean batches() {
        return true;
      }
    };
  }

  @Override
  public long bytesOutsideHeap() {
    return index == null ? 0 : index.bytes();
  }

  @Override
  public void close() {
    if (index != null) {
      index.close();
      index = null;
    }
  }
}
