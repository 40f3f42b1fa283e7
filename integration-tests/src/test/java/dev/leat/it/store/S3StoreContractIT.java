package dev.leat.it.store;

import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreException.Kind;
import dev.leat.testkit.contract.BlobStoreContract;
import java.io.IOException;
import java.net.URI;
import java.util.Set;

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

  /**
   * The server breaks off what it is sending when the content is replaced; a retry sees CHANGED.
   */
  @Override
  protected Set<Kind> failuresUnderAWriter() {
    return Set.of(Kind.CHANGED, Kind.NOT_FOUND, Kind.TRUNCATED, Kind.UNAVAILABLE);
  }
}
