package dev.leat.internal.engine;

import dev.leat.DataSize;
import dev.leat.internal.store.ImmutableResilienceSettings;
import dev.leat.internal.store.ResilienceSettings;
import dev.leat.internal.store.StoreTime;
import dev.leat.internal.store.Stores;
import dev.leat.spi.BlobStore;
import dev.leat.spi.StoreContext;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;

/**
 * How the engine works, where no user has a say. Tests shorten the times.
 *
 * @param threads how many threads parse
 * @param splitBytes about how many bytes of a file one thread parses at a time
 * @param buildMemory the heap that a build may use for rows
 * @param attempts how often the source is read before it is said to keep changing
 * @param firstPause the pause after the first attempt that found the source changing; doubled after
 *     each further one
 * @param lockPoll the time between two looks at a lock that another process holds
 * @param leasePoll the time between two looks at a lease that another host holds
 * @param leasePatience after how many looks at an unchanged lease its holder is given up
 * @param leaseRenewal the time after which a holder shows that it makes progress
 * @param progressInterval the least time between two reports of progress
 * @param source how failures of the source's store are treated
 * @param tier how failures of a remote tier are treated
 * @param storeTime the time of the stores
 * @param stores opens the store of a location
 */
record EngineSettings(
    int threads,
    long splitBytes,
    DataSize buildMemory,
    int attempts,
    Duration firstPause,
    Duration lockPoll,
    Duration leasePoll,
    int leasePatience,
    Duration leaseRenewal,
    Duration progressInterval,
    ResilienceSettings source,
    ResilienceSettings tier,
    StoreTime storeTime,
    StoreOpener stores) {

  /** Opens the store of a location. */
  @FunctionalInterface
  interface StoreOpener {
    BlobStore open(URI location, StoreContext context) throws IOException;
  }

  static EngineSettings defaults() {
    Runtime runtime = Runtime.getRuntime();
    return new EngineSettings(
        Math.min(runtime.availableProcessors(), 4),
        64L << 20,
        DataSize.ofBytes(Math.min(768L << 20, runtime.maxMemory() / 4)),
        5,
        Duration.ofMillis(500),
        Duration.ofMillis(200),
        Duration.ofSeconds(1),
        30,
        Duration.ofSeconds(5),
        Duration.ofSeconds(5),
        // S3 asks to slow down for minutes at a time: more patience than with a tier, behind which
        // the source stands.
        ImmutableResilienceSettings.builder().attempts(8).build(),
        ImmutableResilienceSettings.builder()
            .attempts(3)
            .retryFor(Duration.ofSeconds(25))
            .callTimeout(Duration.ofSeconds(20))
            .bulkTimeout(Duration.ofMinutes(5))
            .breakerWindow(10)
            .breakerFailures(5)
            .build(),
        StoreTime.system(),
        Stores::open);
  }
}
