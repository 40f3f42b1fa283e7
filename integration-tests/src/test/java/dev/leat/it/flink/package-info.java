/** Joins in whole jobs: with real servers, on both Flink lines; and the programs of the guide. */
@NullMarked
package dev.leat.it.flink;

import org.jspecify.annotations.NullMarked;
