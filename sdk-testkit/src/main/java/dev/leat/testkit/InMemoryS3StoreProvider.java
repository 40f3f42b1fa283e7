package dev.leat.testkit;

import dev.leat.spi.BlobStore;
import dev.leat.spi.BlobStoreProvider;
import dev.leat.spi.StoreContext;
import java.net.URI;
import java.util.Set;

/** Finds open {@link InMemoryS3} buckets. Loaded by name; tests start at {@link InMemoryS3}. */
public final class InMemoryS3StoreProvider implements BlobStoreProvider {

  /** For the service loader. */
  public InMemoryS3StoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of(InMemoryS3.SCHEME);
  }

  @Override
  public BlobStore open(URI location, StoreContext context) {
    return OpenFakes.S3.named(String.valueOf(location.getAuthority())).open();
  }
}
