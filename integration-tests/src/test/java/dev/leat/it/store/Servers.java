package dev.leat.it.store;

import dev.leat.s3.S3StoreProvider;
import dev.leat.spi.Blob;
import dev.leat.spi.BlobReader;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import dev.leat.testserver.RealAlluxio;
import dev.leat.testserver.RealS3;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * One S3 server and one Alluxio cluster for all tests of this package, which run one after another.
 * They end with this JVM, which closes their standard input.
 */
final class Servers {

  static final String BUCKET = "lake";

  private static final RealS3 S3 = RealS3.start(BUCKET);

  private Servers() {}

  /** Started by the first test that needs it. */
  private static final class Cluster {
    static final RealAlluxio ALLUXIO = RealAlluxio.start(S3, BUCKET);
  }

  static RealS3 s3() {
    return S3;
  }

  static RealAlluxio alluxio() {
    return Cluster.ALLUXIO;
  }

  static BlobStore openS3() throws IOException {
    return openS3(S3.hadoopProperties());
  }

  static BlobStore openS3(Map<String, String> properties) throws IOException {
    return new S3StoreProvider()
        .open(URI.create("s3a://" + BUCKET + "/"), new StoreContext(properties));
  }

  /** A prefix that no other test uses. */
  static String ownPrefix() {
    return "test-" + UUID.randomUUID();
  }

  static URI s3Uri(String key) {
    return Blob.uriOf("s3a", BUCKET, "/" + key);
  }

  static byte[] randomBytes(long seed, int length) {
    byte[] bytes = new byte[length];
    new Random(seed).nextBytes(bytes);
    return bytes;
  }

  static byte[] read(BlobStore store, Blob blob) throws IOException {
    byte[] content = new byte[(int) blob.length()];
    try (BlobReader reader = store.open(blob)) {
      reader.readFully(0, content, 0, content.length);
    }
    return content;
  }
}
