/**
 * A simulation of several hosts that join with one table while everything around them fails: one
 * thread runs at a time, the clock is moved by hand, and a seed decides all else, so that a seed
 * shows the same run again.
 *
 * <p>Front door: {@link dev.leat.it.simulation.Simulation}.
 */
@NullMarked
package dev.leat.it.simulation;

import org.jspecify.annotations.NullMarked;
