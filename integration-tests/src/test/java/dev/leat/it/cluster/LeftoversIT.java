package dev.leat.it.cluster;

import static dev.leat.it.cluster.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.testserver.FlinkJob;
import dev.leat.testserver.FlinkLine;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * What jobs leave in the JVM of a TaskManager when they have ended, counted from outside. The
 * libraries come with each job, as they do in a job's jar, so each run has a class loader of its
 * own, with an Alluxio, a Hadoop and an AWS SDK of its own. Those of the latest jobs may stay for a
 * while: decision 0030 says why.
 *
 * <p>Runs on Flink 1.20, or on the line that {@code -Dleat.cluster.line=2.2} names; {@code
 * -Dleat.cluster.runs=20} runs more jobs than five.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class LeftoversIT {
  private static final int RUNS = Integer.getInteger("leat.cluster.runs", 20);
  private static final int WARM_UP = 2;

  /** Flink's own pools grow by and by. */
  private static final int TOLERANCE = 12;

  /** How many of the latest class loaders may wait for a later collection. */
  private static final long LATEST = 3;

  /** Less than the minute for which the AWS SDK keeps the timers of a request that was cut off. */
  private static final Duration SETTLED = Duration.ofSeconds(30);

  private static final String LOADER = "org.apache.flink.util.ChildFirstClassLoader";
  private static final List<String> CLIENTS =
      List.of(
          "alluxio.client.file.FileSystemContext",
          "org.apache.hadoop.fs.s3a.S3AFileSystem",
          "dev.leat.internal.engine.SharedService");

  private static final Pattern THREADS_OF_LIBRARIES =
      Pattern.compile(
          "(?i)leat-|alluxio|GcThreads|config-hash|grpc|hadoop|Mutable|s3a|sdk-|idle-connection|pollingMaster");

  private Path directory;
  private Cluster cluster;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    directory = temporary;
    cluster =
        Cluster.start(
            System.getProperty("leat.cluster.line", "1.20").equals("2.2")
                ? FlinkLine.V2_2
                : FlinkLine.V1_20,
            directory,
            1);
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  private record Counts(long threads, long openFiles, long mappings, Map<String, Long> live) {
    static Counts of(JvmCensus jvm, Path directory) throws Exception {
      Map<String, Long> live = jvm.live(CLIENTS);
      return new Counts(jvm.threads(), jvm.openFiles(), jvm.mappings(directory), live);
    }

    boolean nothingIsOpen() {
      return mappings == 0 && live.values().stream().allMatch(count -> count == 0);
    }
  }

  @Test
  void jobsThatHaveEndedLeaveNoThreadFileMappingOrClient() throws Exception {
    Customers customers = cluster.customers("leftovers");
    customers.publishNext();
    cluster.kafka().createTopic("leftovers-plays", 2);
    cluster.kafka().createTopic("leftovers-enriched", 1);
    try (Plays plays = Plays.start(cluster.kafka(), "leftovers-plays", 2, 50)) {
      String jar = cluster.flink().jobs().upload(Cluster.thinJar());
      FlinkJob job =
          cluster
              .job(jar, customers, "leftovers-plays", "leftovers-enriched")
              .withParallelism(Cluster.SLOTS)
              // As --classpath of flink run: what the job's class loader has beside its jar.
              .withOption("pipeline.classpaths", Cluster.jobJar().toUri().toString());
      JvmCensus taskManager = new JvmCensus(cluster.flink().taskManagerPid(1));
      JvmCensus jobManager = new JvmCensus(cluster.flink().jobManagerPid());
      System.out.println("before: " + Counts.of(taskManager, directory));
      for (int run = 0; run < WARM_UP; run++) {
        run(job);
      }
      Counts warm = awaitNothingOpen(taskManager);
      System.out.println("after " + WARM_UP + " jobs: " + warm);
      for (int run = WARM_UP; run < RUNS; run++) {
        run(job);
        assertThat(taskManager.mappings(directory)).isZero();
        System.out.println(
            "job "
                + (run + 1)
                + " ended: "
                + taskManager.threads()
                + " threads, "
                + taskManager.openFiles()
                + " files");
      }
      awaitNothingOpen(taskManager);
      await()
          .atMost(SETTLED)
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(() -> assertLittleIsLeft(taskManager, jobManager, warm));
      System.out.println("after " + RUNS + " jobs: " + Counts.of(taskManager, directory));
      System.out.println("class loaders of " + RUNS + " jobs: " + loaders(taskManager));
    }
  }

  private void assertLittleIsLeft(JvmCensus taskManager, JvmCensus jobManager, Counts warm)
      throws Exception {
    Counts end = Counts.of(taskManager, directory);
    assertThat(end.nothingIsOpen()).isTrue();
    assertThat(taskManager.threadNames())
        .noneMatch(name -> THREADS_OF_LIBRARIES.matcher(name).find());
    assertThat(loaders(taskManager)).as("those of the latest jobs").isLessThanOrEqualTo(LATEST);
    assertThat(end.threads()).isLessThanOrEqualTo(warm.threads() + TOLERANCE);
    assertThat(end.openFiles()).isLessThanOrEqualTo(warm.openFiles() + TOLERANCE);
    assertThat(loaders(jobManager)).isZero();
  }

  private static long loaders(JvmCensus jvm) throws Exception {
    return jvm.live(List.of(LOADER)).get(LOADER);
  }

  private void run(FlinkJob job) {
    String id = cluster.flink().jobs().run(job);
    await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> cluster.flink().jobs().completedCheckpoints(id) > 0);
    cluster.cancel(id);
  }

  private Counts awaitNothingOpen(JvmCensus jvm) {
    return await()
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> Counts.of(jvm, directory), Counts::nothingIsOpen);
  }
}
