package dev.leat.s3;

import java.lang.reflect.Field;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.metrics2.lib.MutableQuantiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the static threads of Hadoop's classes end when no store of this class loader is open: a
 * thread that never ends holds the class loader of the job that brought Hadoop's classes along, for
 * as long as the TaskManager lives. There is no public way to them (decision 0030).
 */
final class HadoopThreads {
  private static final Logger LOG = LoggerFactory.getLogger(HadoopThreads.class);
  private static final long KEEP_MILLIS = 1_000;

  /** The open stores. Changed under the lock of the class only. */
  private static final AtomicInteger USERS = new AtomicInteger();

  private HadoopThreads() {}

  /** To be called before a file system is made. */
  static synchronized void enter() {
    USERS.incrementAndGet();
    letSchedulerEnd();
  }

  /** To be called after a file system was closed, once for each {@link #enter}. */
  static synchronized void leave() {
    int users = USERS.decrementAndGet();
    // Where Hadoop's classes are the application's own, there is nothing to let go of, and others
    // may use them.
    if (users == 0 && FileSystem.class.getClassLoader() != ClassLoader.getSystemClassLoader()) {
      endCleaner();
    }
  }

  /** A pool that replaces its thread when there is work again. */
  private static void letSchedulerEnd() {
    try {
      if (value(MutableQuantiles.class, "scheduler")
          instanceof ScheduledThreadPoolExecutor scheduler) {
        letEnd(scheduler);
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      cannot("the scheduler of Hadoop's metrics", e);
    }
  }

  /** Lets the threads of a pool end soon after the last of its work, cancelled or done. */
  static void letEnd(ScheduledThreadPoolExecutor pool) {
    pool.setKeepAliveTime(KEEP_MILLIS, TimeUnit.MILLISECONDS);
    pool.allowCoreThreadTimeOut(true);
    pool.setRemoveOnCancelPolicy(true);
  }

  /**
   * Ends the thread that adds up the read and written bytes of threads that have died. It ends at
   * an interrupt, and nothing starts it again: a file system that is opened later with the same
   * classes keeps some hundred bytes for each thread that used it, until the class loader goes.
   */
  private static void endCleaner() {
    try {
      if (value(FileSystem.Statistics.class, "STATS_DATA_CLEANER") instanceof Thread cleaner) {
        cleaner.interrupt();
      }
    } catch (ReflectiveOperationException | RuntimeException e) {
      cannot("the cleaner of Hadoop's statistics", e);
    }
  }

  private static Object value(Class<?> owner, String name) throws ReflectiveOperationException {
    Field field = owner.getDeclaredField(name);
    field.setAccessible(true);
    return field.get(null);
  }

  private static void cannot(String what, Exception e) {
    // Another release of Hadoop: works as well, and keeps its threads.
    LOG.info(
        "{} cannot be let end; it holds the class loader of a job that has Hadoop's classes in its jar",
        what,
        e);
  }
}
