/** Benchmarks of Leat beside its peers. */
@NullMarked
package dev.leat.benchmarks;

import org.jspecify.annotations.NullMarked;
