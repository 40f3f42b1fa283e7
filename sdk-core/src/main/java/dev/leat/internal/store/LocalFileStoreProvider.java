package dev.leat.internal.store;

import dev.leat.spi.BlobStore;
import dev.leat.spi.BlobStoreProvider;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.util.Set;

/**
 * Opens a {@link LocalFileStore} for {@code file:} locations; the location is the root that the
 * store cannot leave.
 */
public final class LocalFileStoreProvider implements BlobStoreProvider {

  /** For {@link java.util.ServiceLoader}. */
  public LocalFileStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("file");
  }

  @Override
  public BlobStore open(URI location, StoreContext context) throws IOException {
    return LocalFileStore.at(LocalFileStore.pathOf(location));
  }
}
