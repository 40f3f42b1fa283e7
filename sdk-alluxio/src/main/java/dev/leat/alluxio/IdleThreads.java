package dev.leat.alluxio;

import alluxio.client.block.BlockMasterClientPool;
import alluxio.client.block.stream.BlockWorkerClientPool;
import alluxio.client.file.FileSystemContextReinitializer;
import alluxio.client.file.FileSystemMasterClientPool;
import alluxio.master.PollingMasterInquireClient;
import io.grpc.internal.GrpcUtil;
import io.grpc.internal.SharedResourceHolder;
import java.lang.reflect.Field;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets the static threads of Alluxio's classes end when no client has work for them.
 *
 * <p>Alluxio keeps five thread pools in static fields and never stops them: a thread that waits in
 * one of them holds the class loader of the job that brought Alluxio's classes along, for as long
 * as the TaskManager lives. The pools stay usable: a thread that has ended is replaced when there
 * is work again. There is no public way to them (decision 0030).
 */
final class IdleThreads {
  private static final Logger LOG = LoggerFactory.getLogger(IdleThreads.class);

  /** Short, since all periodic work is done by then, and the threads keep a whole job's classes. */
  private static final long KEEP_MILLIS = 1_000;

  private record Pool(Class<?> owner, String field) {}

  private static final List<Pool> POOLS =
      List.of(
          new Pool(BlockMasterClientPool.class, "GC_EXECUTOR"),
          new Pool(BlockWorkerClientPool.class, "GC_EXECUTOR"),
          new Pool(FileSystemMasterClientPool.class, "GC_EXECUTOR"),
          new Pool(FileSystemContextReinitializer.class, "REINIT_EXECUTOR"),
          new Pool(PollingMasterInquireClient.class, "EXECUTOR_SERVICE"));

  private IdleThreads() {}

  /** To be called before a client is opened; further calls change nothing. */
  static void letThemEnd() {
    POOLS.forEach(IdleThreads::letThemEnd);
  }

  /**
   * To be called after a client was closed. One channel of a client never says that it has ended,
   * and keeps gRPC's shared executor, whose idle threads would stay for a minute.
   */
  static void afterClose() {
    Executor shared = SharedResourceHolder.get(GrpcUtil.SHARED_CHANNEL_EXECUTOR);
    try {
      if (shared instanceof ThreadPoolExecutor threads) {
        threads.setKeepAliveTime(KEEP_MILLIS, TimeUnit.MILLISECONDS);
      }
    } finally {
      SharedResourceHolder.release(GrpcUtil.SHARED_CHANNEL_EXECUTOR, shared);
    }
  }

  private static void letThemEnd(Pool pool) {
    try {
      Field field = pool.owner().getDeclaredField(pool.field());
      field.setAccessible(true);
      if (field.get(null) instanceof ThreadPoolExecutor threads) {
        threads.setKeepAliveTime(KEEP_MILLIS, TimeUnit.MILLISECONDS);
        threads.allowCoreThreadTimeOut(true);
        if (threads instanceof ScheduledThreadPoolExecutor scheduled) {
          // What a closed client has cancelled must not keep its thread until it would be due.
          scheduled.setRemoveOnCancelPolicy(true);
        }
        return;
      }
      LOG.info("{}.{} is no thread pool, and stays as it is", pool.owner(), pool.field());
    } catch (ReflectiveOperationException | RuntimeException e) {
      // Another release of Alluxio: works as well, and keeps its threads.
      LOG.info(
          "The threads of {} cannot be let end; they hold the class loader of a job that has Alluxio's classes in its jar",
          pool.owner(),
          e);
    }
  }
}
