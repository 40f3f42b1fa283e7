/** Doubles of the outside world for tests of jobs that use Leat. */
@NullMarked
package dev.leat.testkit;

import org.jspecify.annotations.NullMarked;
