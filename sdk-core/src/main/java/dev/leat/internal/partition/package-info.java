/**
 * Where the partitions of a table come from, which of them are taken, and what their values are.
 *
 * <p>Front door: {@link dev.leat.Partitions}.
 */
@NullMarked
package dev.leat.internal.partition;

import org.jspecify.annotations.NullMarked;
