package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.leat.Dimension;
import dev.leat.alluxio.Alluxio;
import dev.leat.it.engine.RealServers.Customer;
import dev.leat.it.engine.RealServers.Task;
import dev.leat.testserver.TcpProxy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * A real S3 server and a real Alluxio, with a proxy in front of its master and one in front of its
 * worker.
 *
 * <p>Clients learn from the master where the worker is. So it registers with another loopback
 * address than the one that it listens at, and the proxy listens there, at the same port.
 */
final class RealLake implements Lake {
  static final String WRONG_SECRET = "wrong-secret";

  private static final String WORKER_ADDRESS = "127.0.0.2";
  private static final int BREAKS_AFTER = 20_000;
  private static final Duration LATE = Duration.ofMinutes(1);

  private final RealServers servers;
  private final TcpProxy master;
  private final TcpProxy worker;
  private boolean masterAway;
  private boolean workerAway;
  private boolean cut;

  private RealLake(RealServers servers, TcpProxy master, TcpProxy worker) {
    this.servers = servers;
    this.master = master;
    this.worker = worker;
  }

  static RealLake start(Path scratch) {
    RealServers servers =
        RealServers.start(scratch, Map.of("alluxio.worker.hostname", WORKER_ADDRESS));
    int masterPort = Integer.parseInt(servers.alluxio().property("masterPort"));
    int workerPort = Integer.parseInt(servers.alluxio().property("workerPort"));
    RealLake lake =
        new RealLake(
            servers,
            TcpProxy.to(new InetSocketAddress("127.0.0.1", masterPort)),
            TcpProxy.between(
                new InetSocketAddress(WORKER_ADDRESS, workerPort),
                new InetSocketAddress("127.0.0.1", workerPort)));
    lake.warmUp(scratch);
    return lake;
  }

  /** The first calls of clients and servers take longer than the deadlines of the tests. */
  private void warmUp(Path scratch) {
    put("warm-up/part-0", 0, 10, "good");
    Path disk = scratch.resolve("warm-up");
    try (Task patient = new Task(credentials(), disk)) {
      patient.open(RealServers.request(dimension("warm-up"), disk, tier()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public Dimension<Long, Customer> dimension(String key) {
    return servers.dimension(key);
  }

  @Override
  public Map<String, String> credentials() {
    return RealServers.credentials();
  }

  @Override
  public Map<String, String> wrongCredentials() {
    Map<String, String> wrong = new HashMap<>(RealServers.credentials());
    wrong.put("fs.s3a.secret.key", WRONG_SECRET);
    return wrong;
  }

  @Override
  public Alluxio tier() {
    return Alluxio.at("alluxio://localhost:" + master.port());
  }

  /** Publishes to the bucket, of which the server can say that its quota is used up. */
  @Override
  public Alluxio tierThatCanBeFull() {
    return tier().indexRoot("/s3/lake/indexes");
  }

  @Override
  public void put(String key, int from, int to, String name) {
    try {
      servers.put(key, from, to, name);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void delete(String key) {
    servers.delete(key);
  }

  @Override
  public void stopWorker() {
    servers.alluxio().run("stop worker");
    workerAway = true;
  }

  @Override
  public void startWorker() {
    servers.alluxio().run("start worker");
    workerAway = false;
  }

  @Override
  public void stopMaster() {
    servers.alluxio().run("stop master");
    masterAway = true;
  }

  @Override
  public void startMaster() {
    servers.alluxio().run("start master");
    masterAway = false;
  }

  @Override
  public void slowWorker() {
    worker.delay(LATE);
  }

  @Override
  public void slowMaster() {
    master.delay(LATE);
  }

  @Override
  public void breakReads(int times) {
    worker.resetAfter(BREAKS_AFTER, times);
  }

  @Override
  public void fill() {
    servers.s3().run("fault kind=QUOTA_EXCEEDED op=PUT times=1000000 key=indexes/");
  }

  @Override
  public void cacheTruncated(String key, long bytes) {
    String loaded = servers.alluxio().run("load /s3/lake/" + key);
    assertThat(Long.parseLong(loaded)).isGreaterThan(bytes);
    assertThat(servers.alluxio().run("truncate " + bytes)).isNotEqualTo("0");
    cut = true;
  }

  @Override
  public void s3Answers(S3Answer answer, int times, String key) {
    String kind =
        switch (answer) {
          case SLOW_DOWN -> "SLOW_DOWN";
          case SERVER_ERROR -> "INTERNAL_ERROR";
          case EXPIRED_TOKEN -> "EXPIRED_TOKEN";
          case RESET -> "RESET";
          case NOTHING -> "HOLD";
        };
    servers
        .s3()
        .run(
            "fault kind=%s op=%s times=%d afterBytes=%d key=%s"
                .formatted(
                    kind, answer == S3Answer.RESET ? "GET" : "ANY", times, BREAKS_AFTER, key));
  }

  @Override
  public HeldRead holdRead(String key) {
    servers.s3().run("fault kind=HOLD op=GET times=1 key=" + key);
    return new HeldRead() {
      @Override
      public void awaitReader() {
        await().atMost(Duration.ofMinutes(1)).until(() -> !servers.s3().run("held").equals("0"));
      }

      @Override
      public void release() {
        servers.s3().run("release");
      }
    };
  }

  @Override
  public void freezeListing(String key) {
    assertThat(servers.s3().run("freeze lake " + key)).isNotEqualTo("0");
  }

  @Override
  public void heal() {
    master.heal();
    worker.heal();
    servers.s3().run("heal");
    servers.s3().run("release");
    servers.s3().run("thaw");
    if (masterAway) {
      startMaster();
    }
    if (workerAway) {
      startWorker();
    }
    if (cut) {
      // What is cut stays cut as long as it is cached.
      servers.alluxio().run("free /s3/lake");
      cut = false;
    }
  }

  @Override
  public void close() {
    master.close();
    worker.close();
    servers.close();
  }
}
