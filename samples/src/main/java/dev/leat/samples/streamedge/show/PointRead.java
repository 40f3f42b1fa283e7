package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.show.Lookup.FoundRow;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.jspecify.annotations.Nullable;

/**
 * A join by one positioned read per event, for comparison. The files have been read once when it
 * begins, so that a cache has them.
 */
final class PointRead extends RichMapFunction<Lookup, FoundRow> {
  private static final long serialVersionUID = 1L;
  private static final int CUSTOMER_ID = 1;

  /** Opens a store on the task. */
  interface StoreOpener extends Serializable {
    BlobStore open() throws IOException;
  }

  private final StoreOpener opener;
  private final List<URI> files;
  private transient @Nullable BlobStore store;
  private transient List<BlobReader> readers = new ArrayList<>();

  PointRead(StoreOpener opener, List<URI> files) {
    this.opener = opener;
    this.files = new ArrayList<>(files);
  }

  @Override
  public void open(OpenContext context) throws IOException {
    readers = new ArrayList<>();
    store = opener.open();
    for (URI file : files) {
      Blob blob = store.find(file).orElseThrow(() -> new FileNotFoundException(file.toString()));
      BlobReader reader = store.open(blob);
      readers.add(reader);
      try (InputStream whole = reader.stream(0)) {
        whole.transferTo(OutputStream.nullOutputStream());
      }
    }
  }

  @Override
  public FoundRow map(Lookup lookup) throws IOException {
    byte[] row = new byte[lookup.length()];
    readers.get(lookup.file()).readFully(lookup.offset(), row, 0, row.length);
    return lookup.found(new String(row, StandardCharsets.ISO_8859_1).split("\\|", -1)[CUSTOMER_ID]);
  }

  @Override
  public void close() throws IOException {
    for (BlobReader reader : readers) {
      reader.close();
    }
    if (store != null) {
      store.close();
    }
  }
}
