package dev.leat.it.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Dimension;
import dev.leat.alluxio.Alluxio;
import dev.leat.format.DelimitedText;
import dev.leat.it.engine.RealServers.Customer;
import dev.leat.testkit.InMemoryAlluxio;
import dev.leat.testkit.InMemoryS3;
import dev.leat.testkit.StoreFault;
import dev.leat.testkit.StoreOperation;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The testkit's S3 and Alluxio. */
final class FakeLake implements Lake {
  private static final int BREAKS_AFTER = 20_000;

  private final InMemoryS3 s3 = InMemoryS3.create("lake");
  private final InMemoryAlluxio alluxio = InMemoryAlluxio.over(s3);
  private CountDownLatch silence = new CountDownLatch(1);

  @Override
  public Dimension<Long, Customer> dimension(String key) {
    return Dimension.named(key)
        .at(s3.uri(key + "/").toString())
        .rows(Customer.class, DelimitedText.separatedBy('|').columns("id", "name"))
        .keyedBy(Long.class, "id");
  }

  @Override
  public Map<String, String> credentials() {
    return Map.of();
  }

  /** The fake has no credentials: it refuses everybody. */
  @Override
  public Map<String, String> wrongCredentials() {
    s3.inject(StoreFault.accessDenied().always());
    return Map.of();
  }

  @Override
  public Alluxio tier() {
    return alluxio.tier();
  }

  @Override
  public Alluxio tierThatCanBeFull() {
    return alluxio.tier();
  }

  @Override
  public void put(String key, int from, int to, String name) {
    s3.put(key, RealServers.rows(from, to, name));
  }

  @Override
  public void delete(String key) {
    s3.delete(key);
  }

  @Override
  public void stopWorker() {
    alluxio.stopWorker();
  }

  @Override
  public void startWorker() {
    alluxio.startWorker();
  }

  @Override
  public void stopMaster() {
    alluxio.stopMaster();
  }

  @Override
  public void startMaster() {
    alluxio.startMaster();
  }

  @Override
  public void slowWorker() {
    alluxio.slowReadsUntil(silence);
  }

  @Override
  public void slowMaster() {
    alluxio.slowMasterUntil(silence);
  }

  @Override
  public void breakReads(int times) {
    alluxio.breakReadsAfter(BREAKS_AFTER, times);
  }

  @Override
  public void fill() {
    alluxio.fill();
  }

  /** The fake cuts whatever is read. */
  @Override
  public void cacheTruncated(String key, long bytes) {
    assertThat(s3.content(key).orElseThrow().length).isGreaterThan((int) bytes);
    alluxio.truncateBlocksAt(bytes);
  }

  @Override
  public void s3Answers(S3Answer answer, int times, String key) {
    StoreFault fault =
        switch (answer) {
          case SLOW_DOWN -> StoreFault.slowDown();
          case SERVER_ERROR -> StoreFault.serverError();
          case EXPIRED_TOKEN -> StoreFault.expiredToken();
          case RESET -> StoreFault.resetAfter(BREAKS_AFTER);
          case NOTHING -> StoreFault.waitFor(silence);
        };
    s3.inject(fault.times(times).forKeysWith(key));
  }

  @Override
  public HeldRead holdRead(String key) {
    CountDownLatch reached = new CountDownLatch(1);
    CountDownLatch released = new CountDownLatch(1);
    s3.inject(
        StoreFault.run(
                () -> {
                  reached.countDown();
                  await(released);
                })
            .at(StoreOperation.READ, StoreOperation.STREAM)
            .forKeysWith(key));
    return new HeldRead() {
      @Override
      public void awaitReader() {
        await(reached);
      }

      @Override
      public void release() {
        released.countDown();
      }
    };
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void freezeListing(String key) {
    s3.freezeListing();
  }

  @Override
  public void heal() {
    silence.countDown();
    silence = new CountDownLatch(1);
    alluxio.slowReadsUntil(new CountDownLatch(0));
    alluxio.slowMasterUntil(new CountDownLatch(0));
    alluxio.breakReadsAfter(0, 0);
    alluxio.drain();
    alluxio.restoreBlocks();
    alluxio.startMaster();
    alluxio.startWorker();
    s3.heal();
    s3.thawListing();
  }

  /** Fails if the engine has left a stream open. */
  @Override
  public void close() {
    heal();
    alluxio.close();
    s3.close();
  }
}
