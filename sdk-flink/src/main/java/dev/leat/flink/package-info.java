/**
 * The join of a Flink stream with a dimension.
 *
 * <p>Front door: {@link dev.leat.flink.Enrichment#from}.
 */
@NullMarked
package dev.leat.flink;

import org.jspecify.annotations.NullMarked;
