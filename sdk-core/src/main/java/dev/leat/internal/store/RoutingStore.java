package dev.leat.internal.store;

import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The stores of a table whose partitions may lie in other buckets or directories than the table:
 * the one of the table, and for each place that it does not reach one that is opened at its first
 * use. Thread-safe.
 */
public final class RoutingStore implements BlobStore {
  private final Opener opener;
  private final URI first;

  /** The stores by the place that they reach. Guarded by itself. */
  private final Map<String, BlobStore> stores = new TreeMap<>();

  private boolean closed;

  /** Opens the store of a location. */
  @FunctionalInterface
  public interface Opener {
    BlobStore open(URI location) throws IOException;
  }

  private RoutingStore(Opener opener, URI first) {
    this.opener = opener;
    this.first = first;
  }

  /** Opens the store of a table's location; all others at their first use. */
  public static RoutingStore open(URI location, Opener opener) throws IOException {
    RoutingStore routing = new RoutingStore(opener, location);
    routing.storeOf(location);
    return routing;
  }

  private BlobStore storeOf(URI uri) throws IOException {
    synchronized (stores) {
      if (closed) {
        throw new IOException("the stores are closed");
      }
      boolean files = "file".equalsIgnoreCase(uri.getScheme());
      if (!files) {
        // A client reaches all of a bucket or cluster.
        String place = uri.getScheme().toLowerCase(Locale.ROOT) + "://" + uri.getRawAuthority();
        return opened(place, uri);
      }
      String path = uri.getRawPath();
      for (Map.Entry<String, BlobStore> each : stores.entrySet()) {
        if (path.equals(each.getKey()) || path.startsWith(withSlash(each.getKey()))) {
          return each.getValue();
        }
      }
      return opened(path, uri);
    }
  }

  private BlobStore opened(String place, URI uri) throws IOException {
    BlobStore store = stores.get(place);
    if (store == null) {
      store = opener.open(uri);
      stores.put(place, store);
    }
    return store;
  }

  private static String withSlash(String path) {
    return path.endsWith("/") ? path : path + "/";
  }

  @Override
  public List<Blob> list(URI directory) throws IOException {
    return storeOf(directory).list(directory);
  }

  @Override
  public Optional<Blob> find(URI uri) throws IOException {
    return storeOf(uri).find(uri);
  }

  @Override
  public BlobReader open(Blob blob) throws IOException {
    return storeOf(blob.uri()).open(blob);
  }

  @Override
  public void publish(Path file, URI target) throws IOException {
    storeOf(target).publish(file, target);
  }

  @Override
  public boolean publishIfAbsent(byte[] content, URI target) throws IOException {
    return storeOf(target).publishIfAbsent(content, target);
  }

  @Override
  public void delete(URI uri) throws IOException {
    storeOf(uri).delete(uri);
  }

  @Override
  public void close() {
    List<BlobStore> open;
    synchronized (stores) {
      closed = true;
      open = new ArrayList<>(stores.values());
      stores.clear();
    }
    RuntimeException failure = null;
    for (BlobStore store : open) {
      try {
        store.close();
      } catch (RuntimeException e) {
        if (failure == null) {
          failure = e;
        } else {
          failure.addSuppressed(e);
        }
      }
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** The location of the table. */
  @Override
  public String toString() {
    return "RoutingStore[" + first + "]";
  }
}
