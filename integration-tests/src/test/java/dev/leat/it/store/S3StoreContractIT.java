package dev.leat.it.store;

import dev.leat.spi.BlobStore;
import dev.leat.testkit.contract.BlobStoreContract;
import java.io.IOException;
import java.net.URI;

/** The contract on a real S3 server, through S3A. */
class S3StoreContractIT extends BlobStoreContract {

  @Override
  protected BlobStore openStore() throws IOException {
    return Servers.openS3();
  }

  @Override
  protected URI directory() {
    return Servers.s3Uri(Servers.ownPrefix());
  }

  @Override
  protected URI elsewhere() {
    return URI.create("s3a://another-bucket/x");
  }

  /** The test server looks and then writes; Amazon S3 decides {@code If-None-Match} atomically. */
  @Override
  protected boolean createsAtomically() {
    return false;
  }
}
