package dev.leat.it.cluster;

import static org.awaitility.Awaitility.await;

import dev.leat.testserver.FlinkJob;
import dev.leat.testserver.FlinkLine;
import dev.leat.testserver.RealAlluxio;
import dev.leat.testserver.RealFlink;
import dev.leat.testserver.RealKafka;
import dev.leat.testserver.RealS3;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.alias.CredentialProvider;
import org.apache.hadoop.security.alias.CredentialProviderFactory;

/**
 * Kafka, S3, Alluxio and a Flink session cluster of a JobManager and TaskManagers with two slots in
 * all, all processes of their own; and what a user would hand to it: the jar of the StreamEdge job.
 */
final class Cluster implements AutoCloseable {
  static final Duration SOON = Duration.ofMinutes(3);
  static final int SLOTS = 2;
  private static final String BUCKET = "lake";
  private static final String MAIN = "dev.leat.samples.streamedge.StreamEdgeJob";

  private final Path directory;
  private final RealS3 s3;
  private final RealAlluxio alluxio;
  private final RealKafka kafka;
  private final RealFlink flink;
  private final String credentials;

  private Cluster(
      Path directory,
      RealS3 s3,
      RealAlluxio alluxio,
      RealKafka kafka,
      RealFlink flink,
      String credentials) {
    this.directory = directory;
    this.s3 = s3;
    this.alluxio = alluxio;
    this.kafka = kafka;
    this.flink = flink;
    this.credentials = credentials;
  }

  static Cluster start(FlinkLine line, Path directory, int taskManagers) throws IOException {
    CompletableFuture<RealKafka> startingKafka = CompletableFuture.supplyAsync(RealKafka::start);
    CompletableFuture<RealFlink> startingFlink =
        CompletableFuture.supplyAsync(
            () ->
                RealFlink.of(line, directory.resolve("flink"))
                    .withoutGateway()
                    .taskManagers(taskManagers)
                    // So that what only caches hold is not taken for a leak.
                    .jvmFlag("-XX:SoftRefLRUPolicyMSPerMB=0")
                    .option("taskmanager.numberOfTaskSlots", Integer.toString(SLOTS / taskManagers))
                    .option(
                        "execution.checkpointing.dir", checkpoints(directory).toUri().toString())
                    .option(
                        "execution.checkpointing.externalized-checkpoint-retention",
                        "RETAIN_ON_CANCELLATION")
                    .option("execution.checkpointing.num-retained", "3")
                    .option("restart-strategy.type", "fixed-delay")
                    .option("restart-strategy.fixed-delay.attempts", "1000")
                    .option("restart-strategy.fixed-delay.delay", "300 ms")
                    .option("heartbeat.interval", "500")
                    .option("heartbeat.timeout", "6000")
                    .option("web.refresh-interval", "100")
                    .start());
    RealS3 s3 = RealS3.start(BUCKET);
    RealAlluxio alluxio = RealAlluxio.start(s3, BUCKET);
    return new Cluster(
        directory,
        s3,
        alluxio,
        startingKafka.join(),
        startingFlink.join(),
        storeCredentials(directory, s3));
  }

  private static Path checkpoints(Path directory) {
    return directory.resolve("checkpoints");
  }

  private static String storeCredentials(Path directory, RealS3 s3) throws IOException {
    String path = "localjceks://file" + directory.resolve("s3.jceks");
    Configuration configuration = new Configuration(false);
    configuration.set(CredentialProviderFactory.CREDENTIAL_PROVIDER_PATH, path);
    CredentialProvider provider = CredentialProviderFactory.getProviders(configuration).get(0);
    provider.createCredentialEntry("fs.s3a.access.key", s3.accessKey().toCharArray());
    provider.createCredentialEntry("fs.s3a.secret.key", s3.secretKey().toCharArray());
    provider.flush();
    return path;
  }

  RealFlink flink() {
    return flink;
  }

  RealAlluxio alluxio() {
    return alluxio;
  }

  RealS3 s3() {
    return s3;
  }

  RealKafka kafka() {
    return kafka;
  }

  Customers customers(String name) {
    return new Customers(s3, BUCKET, name);
  }

  /** The directory of the hosts' indexes of a table. */
  Path disk(Customers customers) {
    return directory.resolve("disk-of-" + customers.key().replace("/", ""));
  }

  // ---- the job -------------------------------------------------------------------------------

  /** The job with all that it needs and a cluster lacks. */
  static Path jobJar() throws IOException {
    return samplesJar("-job.jar");
  }

  /** The job's own classes only. */
  static Path thinJar() throws IOException {
    return samplesJar("-SNAPSHOT.jar");
  }

  private static Path samplesJar(String suffix) throws IOException {
    Path target = Path.of("").toAbsolutePath().resolveSibling("samples").resolve("target");
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(file -> file.getFileName().toString().startsWith("leat-samples-"))
          .filter(file -> file.getFileName().toString().endsWith(suffix))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalStateException(
                      "no leat-samples-*" + suffix + " in " + target + "; build it: mvn package"));
    }
  }

  FlinkJob job(String jar, Customers customers, String plays, String enriched) {
    return FlinkJob.of(
        jar,
        MAIN,
        List.of(
            "--kafka",
            kafka.bootstrapServers(),
            "--plays",
            plays,
            "--enriched",
            enriched,
            "--customers",
            customers.location(),
            "--s3-endpoint",
            s3.endpoint(),
            "--s3-credentials",
            credentials,
            "--alluxio",
            alluxio.uri(),
            "--alluxio-path",
            "/s3/" + BUCKET,
            "--local-disk",
            disk(customers).toString(),
            "--refresh",
            "PT0.5S",
            "--checkpoint",
            "PT0.5S"));
  }

  void cancel(String job) {
    flink.jobs().cancel(job);
    await().atMost(SOON).until(() -> flink.jobs().state(job).equals("CANCELED"));
  }

  /** The newest checkpoint of a job that can be begun with. */
  Path latestCheckpoint(String job) throws IOException {
    try (Stream<Path> files = Files.list(checkpoints(directory).resolve(job))) {
      return files
          .filter(file -> Files.exists(file.resolve("_metadata")))
          .max(
              Comparator.comparingInt(
                  file ->
                      Integer.parseInt(file.getFileName().toString().substring("chk-".length()))))
          .orElseThrow(() -> new IllegalStateException("the job has no checkpoint"));
    }
  }

  // ---- what the hosts' disk shows ------------------------------------------------------------

  /** The versions whose index is ready. */
  List<String> ready(Customers customers) throws IOException {
    return entries(customers).stream()
        .filter(file -> Files.exists(file.resolve("manifest.json")))
        .map(file -> file.getFileName().toString())
        .filter(name -> !name.contains(".new-"))
        .toList();
  }

  /** The process that is writing an index, if one is; the directory's name tells. */
  Optional<Long> builder(Customers customers) throws IOException {
    return entries(customers).stream()
        .map(file -> file.getFileName().toString())
        .filter(name -> name.contains(".new-"))
        .map(name -> name.substring(name.indexOf(".new-") + ".new-".length()))
        .map(owner -> Long.parseLong(owner.substring(0, owner.indexOf('-'))))
        .findFirst();
  }

  /** The processes that use the indexes. */
  List<Long> users(Customers customers) throws IOException {
    return entries(customers).stream()
        .map(file -> file.getFileName().toString())
        .filter(name -> name.startsWith("owner-"))
        .map(name -> Long.parseLong(name.split("-", -1)[1]))
        .toList();
  }

  private List<Path> entries(Customers customers) throws IOException {
    Path dimension = disk(customers).resolve("customers");
    if (!Files.isDirectory(dimension)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(dimension)) {
      return files.toList();
    }
  }

  /** Waits until a process begins to write an index; gives the number of its TaskManager. */
  int awaitBuilder(Customers customers) {
    long pid =
        await()
            .atMost(SOON)
            .pollInterval(Duration.ofMillis(20))
            .until(() -> builder(customers), Optional::isPresent)
            .orElseThrow();
    return flink.taskManagerPid(1) == pid ? 1 : 2;
  }

  @Override
  public void close() {
    flink.close();
    kafka.close();
    alluxio.close();
    s3.close();
  }
}
