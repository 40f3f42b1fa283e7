/**
 * What a join costs in a DataStream job, beside no join and beside a {@code HashMap} in a {@code
 * RichMapFunction}.
 *
 * <p>Front door: {@link dev.leat.benchmarks.pipeline.PipelineBenchmark}.
 */
@NullMarked
package dev.leat.benchmarks.pipeline;

import org.jspecify.annotations.NullMarked;
