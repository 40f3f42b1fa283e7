/**
 * A store at work for a dimension: behind retries, deadlines and a circuit breaker, counted, and
 * its changes of state told once.
 *
 * <p>Front door: {@link dev.leat.internal.engine.tier.TierClient}.
 */
@NullMarked
package dev.leat.internal.engine.tier;

import org.jspecify.annotations.NullMarked;
