package dev.leat.alluxio;

import dev.leat.spi.BlobStore;
import dev.leat.spi.BlobStoreProvider;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/** Opens {@code alluxio:} locations. Loaded by name; users start at {@link Alluxio}. */
public final class AlluxioStoreProvider implements BlobStoreProvider {

  /** For the service loader. */
  public AlluxioStoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("alluxio");
  }

  @Override
  public BlobStore open(URI location, StoreContext context) throws IOException {
    return AlluxioStore.open(
        MasterAddress.check(location.toString()), new LiveClients(), context, Map.of(), "");
  }
}
