package dev.leat.internal.engine;

import dev.leat.LeatException;
import dev.leat.internal.engine.repository.LocalRepository;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The versions that nobody reads any more, on their way out of memory. Any thread hands one over;
 * the service's thread unmaps it, or, once that has ended, whoever hands it over. Thread-safe.
 */
final class Retirement {
  private static final Logger LOG = LoggerFactory.getLogger(Retirement.class);

  private final String dimension;
  private final Runnable wake;
  private final Queue<ServedVersion> left = new ConcurrentLinkedQueue<>();
  private volatile boolean ended;

  /**
   * Begins without any.
   *
   * @param wake tells the service's thread that there is one
   */
  Retirement(String dimension, Runnable wake) {
    this.dimension = dimension;
    this.wake = wake;
  }

  /** Called by whoever unpins a version last. */
  void handOver(ServedVersion version) {
    left.add(version);
    wake.run();
    if (ended) {
      unmapTheRest();
    }
  }

  boolean pending() {
    return !left.isEmpty();
  }

  /**
   * Unmaps all that were handed over, and lets go of their files.
   *
   * @param filesUnused is told of each one that was unmapped; says whether its files are unused now
   * @return them
   */
  List<ServedVersion> unmap(LocalRepository local, Predicate<ServedVersion> filesUnused) {
    List<ServedVersion> unmapped = new ArrayList<>();
    for (ServedVersion version = left.poll(); version != null; version = left.poll()) {
      version.local().index().close();
      unmapped.add(version);
      if (filesUnused.test(version)) {
        release(local, version);
      }
    }
    return unmapped;
  }

  /** What cannot be released stays claimed until the process ends; nothing else depends on it. */
  private void release(LocalRepository local, ServedVersion version) {
    try {
      local.release(version.local());
    } catch (LeatException e) {
      LOG.warn(
          "Dimension '{}': the files of version {} stay until this process ends",
          dimension,
          version.id(),
          e);
    }
  }

  /** The service's thread ends; readers that outlive it unmap what they leave. */
  void end() {
    ended = true;
    unmapTheRest();
  }

  private void unmapTheRest() {
    for (ServedVersion version = left.poll(); version != null; version = left.poll()) {
      version.local().index().close();
    }
  }
}
