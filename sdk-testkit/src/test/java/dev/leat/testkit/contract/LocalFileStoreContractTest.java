package dev.leat.testkit.contract;

import dev.leat.internal.store.LocalFileStore;
import dev.leat.spi.BlobStore;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** The contract on the local file system. */
class LocalFileStoreContractTest extends BlobStoreContract {

  @TempDir private Path root;

  @Override
  protected BlobStore openStore() {
    return LocalFileStore.at(root);
  }

  @Override
  protected URI directory() {
    return root.resolve("tables/customers").toUri();
  }

  @Override
  protected URI elsewhere() {
    return root.resolveSibling("elsewhere").toUri();
  }
}
