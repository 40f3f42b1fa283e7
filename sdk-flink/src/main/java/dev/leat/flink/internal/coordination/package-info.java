/**
 * One version for all subtasks of a join: the coordinator on the JobManager, the subtask's side,
 * and what they say to each other.
 *
 * <p>Front doors: {@link dev.leat.flink.internal.coordination.Coordination} for the JobManager,
 * {@link dev.leat.flink.internal.coordination.Opening} for a subtask. What is used of Flink's
 * internal API, and why no public API will do:
 *
 * <ul>
 *   <li>{@code OperatorCoordinator}, {@code SubtaskGateway}, {@code CoordinationRequestHandler}:
 *       the only place in a job that sees all subtasks and every checkpoint before its barrier;
 *   <li>{@code OperatorEvent}, {@code OperatorEventGateway}, {@code OperatorEventDispatcher}:
 *       orders that reach a subtask before the barrier that follows them, and reports back;
 *   <li>{@code TaskOperatorEventGateway}, {@code CoordinationRequest}: a subtask needs a version
 *       before it runs, when no event reaches it yet;
 *   <li>{@code CollectCoordinationResponse}: a TaskManager reads a response with Flink's own class
 *       loader, so that it has to be of a class of Flink;
 *   <li>{@code CheckpointCoordinator.isPeriodicCheckpointingConfigured}: without checkpoints there
 *       is no barrier to wait for;
 *   <li>{@code MailboxExecutor}: what the engine has done comes back to the task's thread.
 * </ul>
 *
 * All of it is the same on Flink 1.20 and 2.2.
 */
@NullMarked
package dev.leat.flink.internal.coordination;

import org.jspecify.annotations.NullMarked;
