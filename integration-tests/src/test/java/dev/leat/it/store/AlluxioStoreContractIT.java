package dev.leat.it.store;

import dev.leat.alluxio.Alluxio;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import dev.leat.spi.StoreException.Kind;
import dev.leat.testkit.contract.BlobStoreContract;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Set;

/** The contract on a real Alluxio cluster, below a mount of a real S3 server. */
class AlluxioStoreContractIT extends BlobStoreContract {

  @Override
  protected BlobStore openStore() throws IOException {
    return Alluxio.at(Servers.alluxio().uri()).open(new StoreContext(Map.of())).blobs();
  }

  @Override
  protected URI directory() {
    return Blob.uriOf(
        "alluxio",
        "localhost:" + Servers.alluxio().masterPort(),
        "/s3/" + Servers.BUCKET + "/" + Servers.ownPrefix());
  }

  @Override
  protected URI elsewhere() {
    return URI.create("alluxio://another-master:19998/x");
  }

  /** Each file goes to S3 as well. */
  @Override
  protected int bigFileBytes() {
    return 5_000_001;
  }

  /**
   * The server breaks off what it is sending when the content is replaced; a retry sees CHANGED.
   */
  @Override
  protected Set<Kind> failuresUnderAWriter() {
    return Set.of(Kind.CHANGED, Kind.NOT_FOUND, Kind.TRUNCATED, Kind.UNAVAILABLE);
  }
}
