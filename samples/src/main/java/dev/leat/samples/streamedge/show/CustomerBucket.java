package dev.leat.samples.streamedge.show;

import dev.leat.spi.BlobStore;
import dev.leat.spi.BlobStoreProvider;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreSettings;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;

/** The place in S3 where the customers are. */
final class CustomerBucket implements AutoCloseable {

  private final URI location;
  private final BlobStore store;

  private CustomerBucket(URI location, BlobStore store) {
    this.location = location;
    this.store = store;
  }

  static CustomerBucket open(String location, StoreSettings settings) throws IOException {
    URI uri = URI.create(location);
    return new CustomerBucket(uri, openStore(uri, settings));
  }

  static BlobStore openStore(URI location, StoreSettings settings) throws IOException {
    for (BlobStoreProvider provider : ServiceLoader.load(BlobStoreProvider.class)) {
      if (provider.schemes().contains(location.getScheme())) {
        return provider.open(location, new StoreContext(settings.properties()));
      }
    }
    throw new IllegalStateException("no store on the class path for " + location);
  }

  /** Replaces the table by another edition, file after file, as a nightly export would. */
  void publish(Edition edition) throws IOException {
    for (Path file : edition.files()) {
      store.publish(file, uri(file));
    }
  }

  List<URI> files(Edition edition) {
    return edition.files().stream().map(this::uri).toList();
  }

  private URI uri(Path file) {
    return location.resolve(file.getFileName().toString());
  }

  @Override
  public void close() {
    store.close();
  }
}
