/**
 * What each tier gives on real servers: a point read of each, starts and restarts, and how long a
 * change of version holds up an operator.
 *
 * <p>Front door: {@link dev.leat.benchmarks.tiers.TiersBenchmark}.
 */
@NullMarked
package dev.leat.benchmarks.tiers;

import org.jspecify.annotations.NullMarked;
