package dev.leat.internal.engine.source;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import dev.leat.spi.PartitionSource;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** A table during one look: what has been listed is not listed again. */
final class PartitionedTable implements PartitionSource.Table {
  private final URI location;
  private final BlobStore store;
  private final UnaryOperator<URI> located;

  /** What has been listed, by the directory with a slash at its end. */
  private final Map<String, Listed> listings = new TreeMap<>();

  /** Blobs in the order of the texts of their URIs. */
  private record Listed(List<Blob> blobs, List<String> uris) {

    /** Those below a directory, which are neighbours. */
    List<Blob> below(String directory) {
      int from = position(directory);
      int to = from;
      while (to < uris.size() && uris.get(to).startsWith(directory)) {
        to++;
      }
      return blobs.subList(from, to);
    }

    private int position(String text) {
      int low = 0;
      int high = uris.size();
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (uris.get(middle).compareTo(text) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }
  }

  /**
   * A table.
   *
   * @param location in the source of truth
   * @param located gives the source of truth of a location
   */
  PartitionedTable(URI location, BlobStore store, UnaryOperator<URI> located) {
    this.location = location;
    this.store = store;
    this.located = located;
  }

  @Override
  public URI location() {
    return location;
  }

  @Override
  public URI locate(URI anywhere) {
    return located.apply(anywhere);
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    URI truth = locate(directory);
    String wanted = withSlash(truth.toString());
    for (Map.Entry<String, Listed> before : listings.entrySet()) {
      if (wanted.startsWith(before.getKey())) {
        return before.getValue().below(wanted);
      }
    }
    List<Blob> blobs = new ArrayList<>(store.list(truth));
    blobs.sort((a, b) -> a.uri().toString().compareTo(b.uri().toString()));
    Listed listed =
        new Listed(List.copyOf(blobs), blobs.stream().map(blob -> blob.uri().toString()).toList());
    listings.put(wanted, listed);
    return listed.blobs();
  }

  /** How many blobs have been listed. */
  int listed() {
    return listings.values().stream().mapToInt(listed -> listed.blobs().size()).sum();
  }

  private static String withSlash(String uri) {
    return uri.endsWith("/") ? uri : uri + "/";
  }
}
