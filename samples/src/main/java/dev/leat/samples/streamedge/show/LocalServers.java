package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.StreamEdgeArguments;
import dev.leat.testserver.RealAlluxio;
import dev.leat.testserver.RealKafka;
import dev.leat.testserver.RealS3;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/**
 * An S3 server, an Alluxio master and worker with its bucket mounted, and a Kafka broker: real
 * ones, each in a process of its own, on free loopback ports.
 */
final class LocalServers {
  private static final String BUCKET = "streamedge-datalake";

  private final RealS3 s3;
  private final RealAlluxio alluxio;
  private final RealKafka kafka;
  private final String credentials;

  private LocalServers(RealS3 s3, RealAlluxio alluxio, RealKafka kafka, String credentials) {
    this.s3 = s3;
    this.alluxio = alluxio;
    this.kafka = kafka;
    this.credentials = credentials;
  }

  /** Starts them. Each is handed to {@code cleanup} as soon as it is up. */
  static LocalServers start(Path directory, Cleanup cleanup, Console console)
      throws IOException, InterruptedException {
    CompletableFuture<RealKafka> startingKafka =
        CompletableFuture.supplyAsync(
            () -> cleanup.add("Kafka", started(console, "Kafka", RealKafka::start)));
    RealS3 s3 = cleanup.add("S3", started(console, "S3", () -> RealS3.start(BUCKET)));
    RealAlluxio alluxio =
        cleanup.add("Alluxio", started(console, "Alluxio", () -> RealAlluxio.start(s3, BUCKET)));
    RealKafka kafka;
    try {
      kafka = startingKafka.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("Kafka did not start: " + e.getCause(), e);
    }
    console.line("S3        %s, bucket %s", s3.endpoint(), BUCKET);
    console.line("Alluxio   %s, the bucket is mounted at /s3/%s", alluxio.uri(), BUCKET);
    console.line("Kafka     %s", kafka.bootstrapServers());
    return new LocalServers(
        s3, alluxio, kafka, S3Credentials.store(directory, s3.accessKey(), s3.secretKey()));
  }

  /** What the job must know to find them. */
  StreamEdgeArguments arguments(Path localDisk) {
    return StreamEdgeArguments.parse(
        "--kafka",
        kafka.bootstrapServers(),
        "--customers",
        "s3a://" + BUCKET + "/customers/",
        "--s3-endpoint",
        s3.endpoint(),
        "--s3-credentials",
        credentials,
        "--alluxio",
        alluxio.uri(),
        "--alluxio-path",
        "/s3/" + BUCKET,
        "--local-disk",
        localDisk.toString(),
        "--refresh",
        "PT2S",
        "--checkpoint",
        "PT2S");
  }

  void createTopic(String name, int partitions) {
    kafka.createTopic(name, partitions);
  }

  void stopAlluxio() {
    alluxio.stopWorker();
    alluxio.stopMaster();
  }

  void startAlluxio() {
    alluxio.startMaster();
    alluxio.startWorker();
  }

  private static <T> T started(Console console, String name, Supplier<T> start) {
    long began = System.nanoTime();
    T server = start.get();
    console.line("%-8s is up, after %.1f s", name, (System.nanoTime() - began) / 1e9);
    return server;
  }
}
