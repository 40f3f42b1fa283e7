package dev.leat.s3;

import dev.leat.spi.BlobStore;
import dev.leat.spi.BlobStoreProvider;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.util.Set;

/** Opens buckets through S3A. Loaded by name; users start at {@link S3}. */
public final class S3StoreProvider implements BlobStoreProvider {

  /** For the service loader. */
  public S3StoreProvider() {}

  @Override
  public Set<String> schemes() {
    return Set.of("s3", "s3a", "s3n");
  }

  @Override
  public BlobStore open(URI location, StoreContext context) throws IOException {
    return S3Store.open(location, context);
  }
}
