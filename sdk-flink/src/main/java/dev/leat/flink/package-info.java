/** The join of a Flink stream with a dimension. Start at {@code Enrichment}. */
@NullMarked
package dev.leat.flink;

import org.jspecify.annotations.NullMarked;
