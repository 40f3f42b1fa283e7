package dev.leat.flink.internal.coordination;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import org.apache.flink.runtime.jobgraph.OperatorID;
import org.apache.flink.runtime.jobgraph.tasks.TaskOperatorEventGateway;
import org.apache.flink.runtime.operators.coordination.CoordinationResponse;
import org.apache.flink.util.ExceptionUtils;
import org.apache.flink.util.FlinkRuntimeException;
import org.apache.flink.util.SerializedValue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The way from a subtask to the coordinator of a join, for questions. */
final class CoordinatorChannel {
  private static final Logger LOG = LoggerFactory.getLogger(CoordinatorChannel.class);

  /** A question that the JobManager does not answer in time is asked again: it may be busy. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  private final TaskOperatorEventGateway gateway;
  private final OperatorID operator;

  CoordinatorChannel(TaskOperatorEventGateway gateway, OperatorID operator) {
    this.gateway = gateway;
    this.operator = operator;
  }

  /** The answer; empty where there is no JobManager, as in a harness for tests. */
  Optional<Answer> ask(Question question) throws InterruptedException {
    long begin = System.nanoTime();
    while (true) {
      try {
        CoordinationResponse response =
            gateway.sendRequestToCoordinator(operator, new SerializedValue<>(question)).get();
        return response == null ? Optional.empty() : Optional.of(WireAnswer.unwrap(response));
      } catch (ExecutionException e) {
        boolean late = ExceptionUtils.findThrowable(e, TimeoutException.class).isPresent();
        if (!late || System.nanoTime() - begin > PATIENCE.toNanos()) {
          throw new FlinkRuntimeException(
              "the coordinator of operator " + operator + " does not answer", e);
        }
        LOG.info(
            "The coordinator of operator {} is late with an answer; asking again", operator, e);
      } catch (IOException e) {
        throw new FlinkRuntimeException("a question or an answer cannot be serialized", e);
      }
    }
  }
}
