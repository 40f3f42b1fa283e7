package dev.leat.samples.streamedge.show;

import dev.leat.samples.streamedge.StreamEdgeArguments;
import dev.leat.samples.streamedge.StreamEdgeJob;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.apache.flink.api.common.JobExecutionResult;
import org.apache.flink.core.execution.JobClient;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/** The StreamEdge job on a Flink of its own in this process. */
final class RunningJob implements AutoCloseable {
  private static final long STOP_SECONDS = 60;

  private final JobClient client;
  private final JobMetrics metrics;
  private final Path savepoints;

  private RunningJob(JobClient client, JobMetrics metrics, Path savepoints) {
    this.client = client;
    this.metrics = metrics;
    this.savepoints = savepoints;
  }

  static RunningJob start(StreamEdgeArguments arguments, Path directory) throws Exception {
    int restPort = LocalFlink.freePort();
    StreamExecutionEnvironment env = LocalFlink.environment(restPort, directory.resolve("flink"));
    StreamEdgeJob.define(env, arguments);
    JobClient client = env.executeAsync("StreamEdge");
    return new RunningJob(
        client,
        new JobMetrics(restPort, client.getJobID().toString()),
        directory.resolve("savepoints"));
  }

  JobMetrics metrics() {
    return metrics;
  }

  /** Calls back with the cause if the job fails for good. */
  void onFailure(Consumer<Throwable> listener) {
    CompletableFuture<JobExecutionResult> unused =
        client
            .getJobExecutionResult()
            .whenComplete(
                (result, failure) -> {
                  if (failure != null) {
                    listener.accept(failure);
                  }
                });
  }

  /** Stops the job at a savepoint, so that everything it has read is committed. */
  void stop() throws InterruptedException, ExecutionException, TimeoutException {
    client
        .stopWithSavepoint(false, savepoints.toUri().toString(), SavepointFormatType.CANONICAL)
        .get(STOP_SECONDS, TimeUnit.SECONDS);
  }

  /** Cancels the job if it still runs. */
  @Override
  public void close() throws InterruptedException, ExecutionException, TimeoutException {
    if (!client.getJobExecutionResult().isDone()) {
      client.cancel().get(STOP_SECONDS, TimeUnit.SECONDS);
    }
  }
}
