/** Tests that every benchmark runs and tells what it promises, with tables too small to time. */
@NullMarked
package dev.leat.benchmarks;

import org.jspecify.annotations.NullMarked;
