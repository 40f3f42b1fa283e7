package dev.leat.it.simulation;

import dev.leat.internal.engine.DimensionReader;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTierStore;
import dev.leat.testkit.InMemoryAlluxio;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Bugs that somebody could make, planted around the stores, the readers and the job of the
 * simulation to show that it would find them. Nothing of the product is changed.
 */
enum Planted {
  /** None; never found. */
  NONE(Finding.Kind.WRONG),

  /** A tier takes its copy of a file for fresh because the name is the same. */
  COPY_TAKEN_FOR_FRESH_BY_NAME(Finding.Kind.WRONG) {
    @Override
    RemoteTierStore tier(RemoteTierStore store, InMemoryAlluxio alluxio) {
      return new PlantedTier(store, alluxio.mountPath());
    }
  },

  /** A reader keeps rows that it has found, and forgets to drop them when the version changes. */
  ROWS_KEPT_OVER_A_SWAP(Finding.Kind.WRONG) {
    @Override
    DimensionReader<String, Row> reader(DimensionReader<String, Row> reader) {
      return new KeepingReader(reader);
    }
  },

  /** Files that a writer has not published yet are read as if they were. */
  STAGED_FILES_READ(Finding.Kind.WRONG) {
    @Override
    BlobStore source(BlobStore store) {
      return new StagedFilesShown(store);
    }
  },

  /** While the source cannot be listed, the listing before is given for the present one. */
  OUTAGE_BEHIND_AN_OLD_LISTING(Finding.Kind.STALE) {
    @Override
    BlobStore source(BlobStore store) {
      return new OldListings(store);
    }
  },

  /** A subtask switches to a version when it has prepared it, not at the barrier. */
  SWITCH_WHEN_PREPARED(Finding.Kind.WRONG),

  /** An output is handed to the sink behind the barrier that its event stands before. */
  OUTPUT_BEHIND_THE_BARRIER(Finding.Kind.LOST),

  /** A restart commits what was not confirmed, and reads its events again. */
  TRANSACTIONS_COMMITTED_BY_A_RESTART(Finding.Kind.DOUBLED),

  /** A reader is forgotten instead of closed. */
  READER_LEFT_OPEN(Finding.Kind.LEAK) {
    @Override
    DimensionReader<String, Row> reader(DimensionReader<String, Row> reader) {
      return new PlantedReader(reader) {
        @Override
        public void close() {
          // That is the bug.
        }
      };
    }
  },

  /** The stream of a file is not closed where reading it was given up. */
  STREAM_LEFT_OPEN(Finding.Kind.LEAK) {
    @Override
    BlobStore source(BlobStore store) {
      return new StreamsLeftOpen(store);
    }
  };

  private final Finding.Kind kind;

  Planted(Finding.Kind kind) {
    this.kind = kind;
  }

  /** What it must be found as. */
  Finding.Kind kind() {
    return kind;
  }

  BlobStore source(BlobStore store) {
    return store;
  }

  RemoteTierStore tier(RemoteTierStore store, InMemoryAlluxio alluxio) {
    return store;
  }

  DimensionReader<String, Row> reader(DimensionReader<String, Row> reader) {
    return reader;
  }

  /** A store that does what another does. */
  private abstract static class PlantedStore implements BlobStore {
    final BlobStore delegate;

    PlantedStore(BlobStore delegate) {
      this.delegate = delegate;
    }

    @Override
    public List<Blob> list(URI directory) throws IOException {
      return delegate.list(directory);
    }

    @Override
    public Optional<Blob> find(URI uri) throws IOException {
      return delegate.find(uri);
    }

    @Override
    public BlobReader open(Blob blob) throws IOException {
      return delegate.open(blob);
    }

    @Override
    public void publish(Path file, URI target) throws IOException {
      delegate.publish(file, target);
    }

    @Override
    public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
      return delegate.publishIfAbsent(content, target);
    }

    @Override
    public void delete(URI uri) throws IOException {
      delegate.delete(uri);
    }

    @Override
    public void close() {
      delegate.close();
    }
  }

  private static final class StagedFilesShown extends PlantedStore {
    private static final String STAGED = "/_temporary/";
    private static final String SHOWN = "/temporary.";

    StagedFilesShown(BlobStore delegate) {
      super(delegate);
    }

    @Override
    public List<Blob> list(URI directory) throws IOException {
      return delegate.list(directory).stream().map(blob -> moved(blob, STAGED, SHOWN)).toList();
    }

    @Override
    public BlobReader open(Blob blob) throws IOException {
      return delegate.open(moved(blob, SHOWN, STAGED));
    }

    private static Blob moved(Blob blob, String from, String to) {
      return new Blob(
          URI.create(blob.uri().toString().replace(from, to)),
          blob.length(),
          blob.contentTag(),
          blob.modified());
    }
  }

  private static final class OldListings extends PlantedStore {
    private @Nullable List<Blob> old;

    OldListings(BlobStore delegate) {
      super(delegate);
    }

    @Override
    public List<Blob> list(URI directory) throws IOException {
      try {
        List<Blob> listed = delegate.list(directory);
        old = listed;
        return listed;
      } catch (IOException e) {
        List<Blob> known = old;
        if (known == null) {
          throw e;
        }
        return known;
      }
    }
  }

  private static final class StreamsLeftOpen extends PlantedStore {
    StreamsLeftOpen(BlobStore delegate) {
      super(delegate);
    }

    @Override
    public BlobReader open(Blob blob) throws IOException {
      BlobReader opened = delegate.open(blob);
      return new BlobReader() {
        @Override
        public void readFully(long position, byte[] target, int offset, int length)
            throws IOException {
          opened.readFully(position, target, offset, length);
        }

        @Override
        public InputStream stream(long position) throws IOException {
          InputStream stream = opened.stream(position);
          return new InputStream() {
            private boolean failed;

            @Override
            public int read() throws IOException {
              return stream.read();
            }

            @Override
            public int read(byte @Nullable [] target, int offset, int length) throws IOException {
              failed = true;
              int count = stream.read(target, offset, length);
              failed = false;
              return count;
            }

            @Override
            public void close() throws IOException {
              if (!failed) {
                stream.close();
              }
            }
          };
        }

        @Override
        public void close() throws IOException {
          opened.close();
        }
      };
    }
  }

  private static final class PlantedTier implements RemoteTierStore {
    private final RemoteTierStore delegate;
    private final String mount;

    PlantedTier(RemoteTierStore delegate, String mount) {
      this.delegate = delegate;
      this.mount = mount;
    }

    @Override
    public BlobStore blobs() {
      return delegate.blobs();
    }

    @Override
    public URI indexRoot() {
      return delegate.indexRoot();
    }

    @Override
    public Optional<Blob> freshCopy(Blob source) throws IOException {
      return delegate.blobs().find(delegate.indexRoot().resolve(mount + source.uri().getPath()));
    }

    @Override
    public URI sourceOf(URI location) throws IOException {
      return delegate.sourceOf(location);
    }

    @Override
    public void close() {
      delegate.close();
    }
  }

  private static class PlantedReader implements DimensionReader<String, Row> {
    private final DimensionReader<String, Row> delegate;

    PlantedReader(DimensionReader<String, Row> delegate) {
      this.delegate = delegate;
    }

    @Override
    public boolean advance() {
      return delegate.advance();
    }

    @Override
    public dev.leat.DimensionVersion version() {
      return delegate.version();
    }

    @Override
    public long hotRowHits() {
      return delegate.hotRowHits();
    }

    @Override
    public @Nullable Row find(@Nullable String key) {
      return delegate.find(key);
    }

    @Override
    public int findAll(@Nullable String key, Consumer<? super Row> rows) {
      return delegate.findAll(key, rows);
    }

    @Override
    public void findBatch(@Nullable String[] keys, @Nullable Row[] rows, int count) {
      delegate.findBatch(keys, rows, count);
    }

    @Override
    public void close() {
      delegate.close();
    }
  }

  private static final class KeepingReader extends PlantedReader {
    private final Map<String, Row> kept = new HashMap<>();

    KeepingReader(DimensionReader<String, Row> delegate) {
      super(delegate);
    }

    @Override
    public @Nullable Row find(@Nullable String key) {
      if (key == null) {
        return null;
      }
      Row row = kept.get(key);
      if (row == null) {
        row = super.find(key);
        if (row != null) {
          kept.put(key, row);
        }
      }
      return row;
    }
  }

  /** Those that are bugs. */
  static List<Planted> bugs() {
    List<Planted> bugs = new ArrayList<>(List.of(values()));
    bugs.remove(NONE);
    return bugs;
  }
}
