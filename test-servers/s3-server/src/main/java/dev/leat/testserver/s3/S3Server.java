package dev.leat.testserver.s3;

import dev.leat.testserver.ChildProcess;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;
import software.amazon.awssdk.services.s3.model.CreateBucketRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/**
 * Runs an S3 server over a local directory until standard input ends.
 *
 * <p>Arguments: {@code buckets} (names separated by commas), {@code directory} (kept; a temporary
 * one that is deleted at the end without it), {@code accessKey}, {@code secretKey}, {@code port}
 * (any free one without it), {@code latencyMillis} (added to every request, 0 without it), {@code
 * keyStore} and {@code keyStorePassword} (it speaks TLS with the certificate in that file).
 *
 * <p>Commands: {@code put bucket file key}, {@code delete bucket key}, {@code fault …} as {@link
 * Faults} says, {@code heal}, {@code operations}; {@code held} (how many requests a fault holds),
 * {@code release}; {@code freeze bucket prefix} (listings below the prefix show from now on what is
 * there now), {@code thaw}.
 */
public final class S3Server {

  private S3Server() {}

  /**
   * Starts the server.
   *
   * @param args {@code key=value} pairs
   * @throws Exception if it does not start
   */
  public static void main(String... args) throws Exception {
    ChildProcess child = ChildProcess.takeStandardOutput();
    Map<String, String> arguments = ChildProcess.arguments(args);
    String accessKey = arguments.getOrDefault("accessKey", "test-access-key");
    String secretKey = arguments.getOrDefault("secretKey", "test-secret-key");
    String configured = arguments.get("directory");
    Path directory =
        configured == null
            ? Files.createTempDirectory("leat-s3-")
            : Files.createDirectories(Path.of(configured));

    BlobStore files = new FilesystemNio2BlobStore(directory.toString());
    for (String bucket : arguments.getOrDefault("buckets", "lake").split(",", -1)) {
      if (!Files.isDirectory(directory.resolve(bucket))) {
        files.createContainer(CreateBucketRequest.builder().bucket(bucket).build());
      }
    }
    Faults faults = new Faults(Long.parseLong(arguments.getOrDefault("latencyMillis", "0")));
    FaultyBlobStore faulty = new FaultyBlobStore(files, faults);
    S3Proxy.Builder builder =
        S3Proxy.builder()
            .blobStore(faulty)
            .awsAuthentication(AuthenticationType.AWS_V2_OR_V4, accessKey, secretKey)
            .ignoreUnknownHeaders(true);
    String address = "://127.0.0.1:" + arguments.getOrDefault("port", "0");
    String keyStore = arguments.get("keyStore");
    if (keyStore == null) {
      builder.endpoint(URI.create("http" + address));
    } else {
      builder
          .secureEndpoint(URI.create("https" + address))
          .keyStore(keyStore, arguments.getOrDefault("keyStorePassword", ""));
    }
    S3Proxy proxy = builder.build();
    proxy.start();

    child.ready(
        Map.of(
            "endpoint",
            keyStore == null
                ? "http://127.0.0.1:" + proxy.getPort()
                : "https://127.0.0.1:" + proxy.getSecurePort()));
    child.serveUntilInputEnds(line -> run(line, files, faulty, faults));
    proxy.stop();
    if (configured == null) {
      deleteAll(directory);
    }
    System.exit(0); // whatever threads the server's libraries have left
  }

  private static String run(String line, BlobStore files, FaultyBlobStore faulty, Faults faults)
      throws IOException {
    String[] words = line.split(" ", 4);
    switch (words[0]) {
      case "put" -> {
        return put(files, words[1], Path.of(words[2]), words[3]);
      }
      case "delete" -> {
        String key = line.split(" ", 3)[2];
        files.removeBlob(DeleteObjectRequest.builder().bucket(words[1]).key(key).build());
        return "";
      }
      case "fault" -> {
        faults.add(Fault.parse(line));
        return "";
      }
      case "heal" -> {
        faults.clear();
        return "";
      }
      case "held" -> {
        return Integer.toString(faults.held());
      }
      case "release" -> {
        faults.release();
        return "";
      }
      case "freeze" -> {
        return faulty.freeze(words[1], words[2]);
      }
      case "thaw" -> {
        faulty.thaw();
        return "";
      }
      case "operations" -> {
        return faults.operations();
      }
      default -> throw new IllegalArgumentException("no such command");
    }
  }

  private static String put(BlobStore files, String bucket, Path file, String key)
      throws IOException {
    try (InputStream content = Files.newInputStream(file)) {
      return files
          .putBlob(
              PutObjectRequest.builder()
                  .bucket(bucket)
                  .key(key)
                  .contentLength(Files.size(file))
                  .build(),
              content)
          .eTag();
    }
  }

  private static void deleteAll(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (Path file : files.sorted(java.util.Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }
}
