package dev.leat.testserver;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A real S3 server, with faults at command. Objects that are put here are put behind the back of
 * whatever client is being tested, as another job would.
 */
public final class RealS3 implements AutoCloseable {

  private static final String ACCESS_KEY = "test-access-key";
  private static final String SECRET_KEY = "test-secret-key";

  private final TestServer server;

  private RealS3(TestServer server) {
    this.server = server;
  }

  /**
   * Starts a server that answers as fast as it can.
   *
   * @param buckets the buckets to create
   * @return the running server
   */
  public static RealS3 start(String... buckets) {
    return start(Duration.ZERO, buckets);
  }

  /**
   * Starts a server that takes its time for every request, as S3 does.
   *
   * @param latency added to every request
   * @param buckets the buckets to create
   * @return the running server
   */
  public static RealS3 start(Duration latency, String... buckets) {
    return new RealS3(
        TestServer.of(ServerKind.S3)
            .with("buckets", String.join(",", buckets))
            .with("accessKey", ACCESS_KEY)
            .with("secretKey", SECRET_KEY)
            .with("latencyMillis", Long.toString(latency.toMillis()))
            .start());
  }

  /**
   * Where it listens.
   *
   * @return for example {@code http://127.0.0.1:12345}
   */
  public String endpoint() {
    return server.property("endpoint");
  }

  /**
   * The only user's name.
   *
   * @return the access key
   */
  public String accessKey() {
    return ACCESS_KEY;
  }

  /**
   * The only user's password.
   *
   * @return the secret key
   */
  public String secretKey() {
    return SECRET_KEY;
  }

  /**
   * What Hadoop's S3A client needs to reach it.
   *
   * @return the {@code fs.s3a.*} properties, secret key included
   */
  public Map<String, String> hadoopProperties() {
    Map<String, String> properties = new LinkedHashMap<>();
    properties.put("fs.s3a.endpoint", endpoint());
    properties.put("fs.s3a.endpoint.region", "us-east-1");
    properties.put("fs.s3a.path.style.access", "true");
    properties.put("fs.s3a.connection.ssl.enabled", "false");
    properties.put("fs.s3a.access.key", ACCESS_KEY);
    properties.put("fs.s3a.secret.key", SECRET_KEY);
    return properties;
  }

  /**
   * Puts an object.
   *
   * @param bucket the bucket
   * @param key the object's key, anything but line breaks
   * @param content the object's content
   * @return its ETag
   */
  public String put(String bucket, String key, byte[] content) {
    try {
      Path file = Files.createTempFile("leat-s3-put-", ".bin");
      try {
        Files.write(file, content);
        return put(bucket, key, file);
      } finally {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Puts a file as an object.
   *
   * @param bucket the bucket
   * @param key the object's key, anything but line breaks
   * @param file the object's content; a path without blanks
   * @return its ETag
   */
  public String put(String bucket, String key, Path file) {
    return server.run("put " + bucket + " " + file.toAbsolutePath() + " " + key);
  }

  /**
   * Deletes an object.
   *
   * @param bucket the bucket
   * @param key the object's key
   */
  public void delete(String bucket, String key) {
    server.run("delete " + bucket + " " + key);
  }

  /**
   * Has the server commit a fault, as the class {@code Fault} of the s3-server module describes.
   *
   * @param fault for example {@code kind=SLOW_DOWN op=GET times=3 key=part-0}
   */
  public void fault(String fault) {
    server.run("fault " + fault);
  }

  /** Takes back all faults that have not happened yet. */
  public void heal() {
    server.run("heal");
  }

  /**
   * How often a kind of request came since the start.
   *
   * @param operation GET, HEAD, LIST, PUT or DELETE
   * @return the number
   */
  public long requests(String operation) {
    for (String count : server.run("operations").split(" ", -1)) {
      if (count.startsWith(operation + "=")) {
        return Long.parseLong(count.substring(operation.length() + 1));
      }
    }
    return 0;
  }

  @Override
  public void close() {
    server.close();
  }
}
