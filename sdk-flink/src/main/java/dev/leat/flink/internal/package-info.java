/**
 * The operator behind {@code Enrichment}. With the package {@code coordination} below it the one
 * place that uses what Flink marks as internal.
 *
 * <p>Front door: {@link dev.leat.flink.internal.JoinTransformation}. What is used, and why no
 * public API will do:
 *
 * <ul>
 *   <li>{@code AbstractUdfStreamOperator}, {@code OneInputStreamOperator}, {@code
 *       AbstractStreamOperatorFactory}, {@code StreamRecord}: a {@code ProcessFunction} has no
 *       processing-time timer without a keyed stream (an idle subtask could not let go of an old
 *       version) and no way to attach an operator coordinator later;
 *   <li>{@code TaskManagerRuntimeInfo}: the TaskManager's configuration and temporary directories,
 *       which stores need and a {@code RuntimeContext} does not give;
 *   <li>{@code StreamConfig} of the task: so that the first of several chained joins that is opened
 *       begins the loads of all of them;
 *   <li>{@code StreamExecutionEnvironment.clean}: so that the user's functions are cleaned and
 *       checked to be serializable at the call, as in Flink's own methods;
 *   <li>{@code StreamExecutionEnvironment.getTransformations}: so that the default {@code uid} of a
 *       second join with the same dimension does not collide with the first.
 * </ul>
 *
 * All of it is the same on Flink 1.20 and 2.2.
 */
@NullMarked
package dev.leat.flink.internal;

import org.jspecify.annotations.NullMarked;
