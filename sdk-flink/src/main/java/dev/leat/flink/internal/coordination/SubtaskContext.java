package dev.leat.flink.internal.coordination;

import static java.util.Objects.requireNonNull;

import org.apache.flink.api.common.operators.MailboxExecutor;
import org.apache.flink.api.common.operators.ProcessingTimeService;
import org.apache.flink.runtime.operators.coordination.OperatorEventGateway;

/**
 * What a subtask of a join has around it.
 *
 * @param name the name of the task with the number of the subtask, for logs
 * @param dimension the name of the dimension
 * @param coordinator takes reports
 * @param mailbox hands work to the task's thread
 * @param timers call on the task's thread
 */
public record SubtaskContext(
    String name,
    String dimension,
    OperatorEventGateway coordinator,
    MailboxExecutor mailbox,
    ProcessingTimeService timers) {
  /** Checks that all are there. */
  public SubtaskContext {
    requireNonNull(name, "name");
    requireNonNull(dimension, "dimension");
    requireNonNull(coordinator, "coordinator");
    requireNonNull(mailbox, "mailbox");
    requireNonNull(timers, "timers");
  }
}
