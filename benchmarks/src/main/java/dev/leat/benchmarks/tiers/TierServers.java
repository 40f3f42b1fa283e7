package dev.leat.benchmarks.tiers;

import dev.leat.Dimension;
import dev.leat.alluxio.Alluxio;
import dev.leat.format.DelimitedText;
import dev.leat.s3.S3;
import dev.leat.testserver.RealAlluxio;
import dev.leat.testserver.RealS3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;

/** An S3 server and an Alluxio in which its bucket is mounted, as child processes. */
final class TierServers implements AutoCloseable {
  static final String BUCKET = "lake";

  private final RealS3 s3;
  private final RealAlluxio alluxio;

  /** A row. */
  public record Customer(
      String customerId, String subscriptionTier, String countryCode, String accountStatus) {}

  private TierServers(RealS3 s3, RealAlluxio alluxio) {
    this.s3 = s3;
    this.alluxio = alluxio;
  }

  /** Starts both; S3 takes its time for every request. */
  static TierServers start(Duration latency) {
    RealS3 s3 = RealS3.start(latency, BUCKET);
    try {
      return new TierServers(
          s3,
          RealAlluxio.builder().mount(s3, BUCKET, "/s3/" + BUCKET).workerStorage("1GB").start());
    } catch (RuntimeException e) {
      s3.close();
      throw e;
    }
  }

  RealAlluxio alluxio() {
    return alluxio;
  }

  Map<String, String> properties() {
    return s3.hadoopProperties();
  }

  Alluxio tier() {
    return Alluxio.at(alluxio.uri()).mapping("s3a://" + BUCKET, "/s3/" + BUCKET);
  }

  /** Puts the files of a directory below a key. */
  void put(Path directory, String key) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      files.sorted().forEach(file -> s3.put(BUCKET, key + "/" + file.getFileName(), file));
    }
  }

  void put(String key, byte[] content) {
    s3.put(BUCKET, key, content);
  }

  /** The table below a key of the bucket. */
  Dimension<String, Customer> customers(String name, String key) {
    return Dimension.named(name)
        .at(
            "s3a://" + BUCKET + "/" + key + "/",
            S3.settings().endpoint(s3.endpoint()).region("us-east-1").pathStyleAccess())
        .rows(
            Customer.class,
            DelimitedText.separatedBy('|')
                .columns("customer_id", "subscription_tier", "country_code", "account_status"))
        .keyedBy(String.class, "customer_id");
  }

  @Override
  public void close() {
    alluxio.close();
    s3.close();
  }
}
