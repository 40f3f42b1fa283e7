/** Tests of the Enrichment builder, and what they share. */
@NullMarked
package dev.leat.flink;

import org.jspecify.annotations.NullMarked;
