/**
 * AssertJ assertions for what a test of a joining job looks at: topics and the statistics of
 * dimensions.
 *
 * <p>Front door: {@link dev.leat.testkit.assertj.LeatAssertions}.
 */
@NullMarked
package dev.leat.testkit.assertj;

import org.jspecify.annotations.NullMarked;
