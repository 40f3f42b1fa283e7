package dev.leat.it.cluster;

import static dev.leat.it.cluster.Cluster.SLOTS;
import static dev.leat.it.cluster.Cluster.SOON;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.testserver.FlinkLine;
import dev.leat.testserver.RealFlink;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * The StreamEdge job, submitted as a jar to a session cluster whose processes are killed. Runs on
 * Flink 1.20, or on the line that {@code -Dleat.cluster.line=2.2} names.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StreamEdgeClusterIT {
  private static final int PARTITIONS = 2;
  private static final int PER_SECOND = 200;

  private static final FlinkLine LINE =
      System.getProperty("leat.cluster.line", "1.20").equals("2.2")
          ? FlinkLine.V2_2
          : FlinkLine.V1_20;

  private Cluster cluster;
  private String jobJar;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    cluster = Cluster.start(LINE, directory, 2);
    jobJar = cluster.flink().jobs().upload(Cluster.jobJar());
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  @Test
  void noEventIsLostDoubledOrMisjoinedThoughTaskManagersAndTheAlluxioMasterDieInSwitches()
      throws Exception {
    RealFlink flink = cluster.flink();
    Customers customers = cluster.customers("killed");
    cluster.kafka().createTopic("killed-plays", PARTITIONS);
    cluster.kafka().createTopic("killed-enriched", 1);
    customers.publishNext();
    try (CommittedOutput output = new CommittedOutput(cluster.kafka(), "killed-enriched", 1)) {
      Plays plays = Plays.start(cluster.kafka(), "killed-plays", PARTITIONS, PER_SECOND);
      try (plays) {
        String job =
            flink
                .jobs()
                .run(
                    cluster
                        .job(jobJar, customers, "killed-plays", "killed-enriched")
                        .withParallelism(SLOTS));
        awaitEdition(output, 1);

        // The next version is on the disk; a checkpoint is under way that one of the two
        // TaskManagers cannot take part in, and then it dies.
        int before = cluster.ready(customers).size();
        customers.publishNext();
        await()
            .atMost(SOON)
            .pollInterval(Duration.ofMillis(10))
            .until(() -> cluster.ready(customers).size() > before);
        freeze(flink.taskManagerPid(2));
        await()
            .atMost(SOON)
            .pollInterval(Duration.ofMillis(20))
            .until(() -> flink.jobs().checkpointsInProgress(job) > 0);
        flink.killTaskManager(2);
        flink.startTaskManager(2);
        awaitEdition(output, 2);

        // The one that builds the next version dies while it reads the table.
        cluster.s3().fault("kind=DELAY op=GET times=2 millis=2500 key=" + customers.key());
        customers.publishNext();
        int builder = cluster.awaitBuilder(customers);
        flink.killTaskManager(builder);
        flink.startTaskManager(builder);
        awaitEdition(output, 3);

        // Alluxio's master goes while a version is built through it.
        cluster.s3().fault("kind=DELAY op=GET times=1 millis=1500 key=" + customers.key());
        customers.publishNext();
        cluster.awaitBuilder(customers);
        cluster.alluxio().stopMaster();
        awaitEdition(output, 4);
        cluster.alluxio().startMaster();

        customers.publishNext();
        awaitEdition(output, 5);
        assertThat(flink.jobs().restores(job)).isGreaterThanOrEqualTo(2);
        plays.close();
        awaitAll(output, plays);
        cluster.cancel(job);
      }
      assertOneVersionForEachEpoch(
          assertExactlyOnce(
              "two TaskManagers and the Alluxio master killed", plays, output, customers));
    }
  }

  @Test
  void aJobBegunWithItsLatestCheckpointAfterTheJobManagerDiedLosesAndDoublesNothing()
      throws Exception {
    RealFlink flink = cluster.flink();
    Customers customers = cluster.customers("failover");
    cluster.kafka().createTopic("failover-plays", PARTITIONS);
    cluster.kafka().createTopic("failover-enriched", 1);
    customers.publishNext();
    try (CommittedOutput output = new CommittedOutput(cluster.kafka(), "failover-enriched", 1)) {
      Plays plays = Plays.start(cluster.kafka(), "failover-plays", PARTITIONS, PER_SECOND);
      try (plays) {
        String first =
            flink
                .jobs()
                .run(
                    cluster
                        .job(jobJar, customers, "failover-plays", "failover-enriched")
                        .withParallelism(SLOTS));
        awaitEdition(output, 1);
        customers.publishNext();
        cluster.awaitBuilder(customers);
        flink.killJobManager();
        flink.startJobManager();
        flink.awaitFreeSlots(SLOTS);
        jobJar = flink.jobs().upload(Cluster.jobJar());
        String second =
            flink
                .jobs()
                .run(
                    cluster
                        .job(jobJar, customers, "failover-plays", "failover-enriched")
                        .withParallelism(SLOTS)
                        .from(cluster.latestCheckpoint(first)));
        awaitEdition(output, 2);
        customers.publishNext();
        awaitEdition(output, 3);
        plays.close();
        awaitAll(output, plays);
        cluster.cancel(second);
      }
      assertExactlyOnce("the JobManager killed", plays, output, customers);
    }
  }

  @Test
  void twoJobsOnTwoTaskManagersOfAHostBuildAVersionOnceAndOneTakesOverWhereTheBuilderDies()
      throws Exception {
    RealFlink flink = cluster.flink();
    Customers customers = cluster.customers("twice");
    cluster.kafka().createTopic("twice-plays", PARTITIONS);
    cluster.kafka().createTopic("twice-enriched-1", 1);
    cluster.kafka().createTopic("twice-enriched-2", 1);
    customers.publishNext();
    try (CommittedOutput one = new CommittedOutput(cluster.kafka(), "twice-enriched-1", 1);
        CommittedOutput two = new CommittedOutput(cluster.kafka(), "twice-enriched-2", 1)) {
      Plays plays = Plays.start(cluster.kafka(), "twice-plays", PARTITIONS, PER_SECOND);
      try (plays) {
        // Each TaskManager has one slot.
        String first =
            flink.jobs().run(cluster.job(jobJar, customers, "twice-plays", "twice-enriched-1"));
        String second =
            flink.jobs().run(cluster.job(jobJar, customers, "twice-plays", "twice-enriched-2"));
        awaitEdition(one, 1);
        awaitEdition(two, 1);
        assertThat(cluster.users(customers))
            .containsExactlyInAnyOrder(flink.taskManagerPid(1), flink.taskManagerPid(2));
        assertBuiltByOneAndReusedByTheOther(cluster.ready(customers));

        cluster.s3().fault("kind=DELAY op=GET times=1 millis=2000 key=" + customers.key());
        customers.publishNext();
        int builder = cluster.awaitBuilder(customers);
        flink.killTaskManager(builder);
        flink.startTaskManager(builder);
        awaitEdition(one, 2);
        awaitEdition(two, 2);
        plays.close();
        awaitAll(one, plays);
        awaitAll(two, plays);
        cluster.cancel(first);
        cluster.cancel(second);
      }
      assertExactlyOnce("first of two jobs, a builder killed", plays, one, customers);
      assertExactlyOnce("second of two jobs, a builder killed", plays, two, customers);
    }
    assertThat(cluster.builder(customers)).as("the process with something half written").isEmpty();
  }

  private void assertBuiltByOneAndReusedByTheOther(List<String> versions) {
    assertThat(versions).hasSize(1);
    List<String> served =
        cluster
            .flink()
            .logs()
            .lines()
            .filter(line -> line.contains("serving version " + versions.get(0)))
            .toList();
    assertThat(served).filteredOn(line -> line.contains("(built)")).hasSize(1);
    assertThat(served).filteredOn(line -> line.contains("(reused)")).hasSize(1);
  }

  private static void freeze(long pid) throws Exception {
    Process kill = new ProcessBuilder("sh", "-c", "kill -STOP " + pid).inheritIO().start();
    assertThat(kill.waitFor()).isZero();
  }

  private static void awaitEdition(CommittedOutput output, int edition) {
    await()
        .atMost(SOON)
        .until(
            () -> {
              output.poll();
              return output.latestEdition() >= edition;
            });
  }

  private static void awaitAll(CommittedOutput output, Plays plays) {
    int sent = plays.sent().size();
    await()
        .atMost(SOON)
        .until(
            () -> {
              output.poll();
              return output.records().stream()
                      .mapToLong(CommittedOutput.Enriched::event)
                      .distinct()
                      .count()
                  == sent;
            });
  }

  private static Verdict assertExactlyOnce(
      String what, Plays plays, CommittedOutput output, Customers customers) throws Exception {
    output.poll();
    Verdict verdict = Verdict.on(plays.sent(), output, customers);
    System.out.println("Flink " + LINE + ", " + what + ": " + verdict);

    assertThat(List.of(verdict.lost(), verdict.doubled(), verdict.wrong(), verdict.disordered()))
        .as("lost, doubled, wrong, disordered: %s", verdict.examples())
        .containsOnly(0L);
    assertThat(verdict.committed()).isEqualTo(verdict.sent());
    assertThat(verdict.editions()).hasSize(customers.editions());
    return verdict;
  }

  /** All subtasks move to a version at the same barrier. */
  private static void assertOneVersionForEachEpoch(Verdict verdict) {
    assertThat(List.of(verdict.mixed(), verdict.backwards()))
        .as("epochs of several versions, versions that went back: %s", verdict.examples())
        .containsOnly(0L);
  }
}
