/**
 * What a join costs in a DataStream and in a SQL job, beside no join, a {@code HashMap} and Flink's
 * own lookup caches.
 *
 * <p>Front door: {@link dev.leat.benchmarks.pipeline.PipelineBenchmark}.
 */
@NullMarked
package dev.leat.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
