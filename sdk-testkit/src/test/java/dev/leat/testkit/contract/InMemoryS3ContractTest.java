package dev.leat.testkit.contract;

import dev.leat.spi.BlobStore;
import dev.leat.testkit.InMemoryS3;
import java.net.URI;
import org.junit.jupiter.api.AfterEach;

/** The contract on the in-memory bucket. */
class InMemoryS3ContractTest extends BlobStoreContract {

  private final InMemoryS3 s3 = InMemoryS3.create("contract");

  @AfterEach
  void closeBucket() {
    s3.close();
  }

  @Override
  protected BlobStore openStore() {
    return s3.open();
  }

  @Override
  protected URI directory() {
    return s3.uri("tables/customers");
  }

  @Override
  protected URI elsewhere() {
    return URI.create("mem-s3://another-bucket/x");
  }
}
