package dev.leat.s3;

import java.io.IOException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.s3a.DefaultS3ClientFactory;
import software.amazon.awssdk.core.client.config.ClientOverrideConfiguration;

/**
 * Makes S3A's clients with timers whose thread ends soon after the last request. The SDK's own stay
 * when a client is closed during a request, and with them their threads and the job's class loader,
 * until the time limit of the request: a minute, of an upload a quarter of an hour (decision 0030).
 * Made by S3A, by its name.
 */
final class EndingTimersClientFactory extends DefaultS3ClientFactory {
  @Override
  protected ClientOverrideConfiguration.Builder createClientOverrideConfiguration(
      S3ClientCreationParameters parameters, Configuration configuration) throws IOException {
    return super.createClientOverrideConfiguration(parameters, configuration)
        .scheduledExecutorService(endingTimers());
  }

  /** Needs no end: what is cancelled leaves its queue, and its thread leaves an empty queue. */
  private static ScheduledExecutorService endingTimers() {
    ScheduledThreadPoolExecutor timers =
        new ScheduledThreadPoolExecutor(
            1,
            task -> {
              Thread thread = new Thread(task, "leat-s3-timers");
              thread.setDaemon(true);
              return thread;
            });
    HadoopThreads.letEnd(timers);
    return timers;
  }
}
