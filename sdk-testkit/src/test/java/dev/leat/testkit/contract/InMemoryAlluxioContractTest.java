package dev.leat.testkit.contract;

import dev.leat.spi.BlobStore;
import dev.leat.spi.RemoteTierStore;
import dev.leat.spi.StoreContext;
import dev.leat.testkit.InMemoryAlluxio;
import dev.leat.testkit.InMemoryS3;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;

/** The contract on Leat's Alluxio adapter over the in-memory cluster, below its mount. */
class InMemoryAlluxioContractTest extends BlobStoreContract {

  private final InMemoryS3 s3 = InMemoryS3.create("contract");
  private final InMemoryAlluxio alluxio = InMemoryAlluxio.over(s3);

  @AfterEach
  void closeCluster() {
    alluxio.close();
    s3.close();
  }

  @Override
  protected BlobStore openStore() throws IOException {
    RemoteTierStore tier = alluxio.tier().open(new StoreContext(Map.of()));
    return tier.blobs();
  }

  @Override
  protected URI directory() {
    return URI.create(alluxio.uri() + alluxio.mountPath() + "/tables/customers");
  }

  @Override
  protected URI elsewhere() {
    return URI.create("alluxio://another-master:19998/x");
  }
}
