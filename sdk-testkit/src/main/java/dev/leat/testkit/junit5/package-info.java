/**
 * The doubles as one JUnit 5 extension.
 *
 * <p>Front door: {@link dev.leat.testkit.junit5.LeatTestKit}.
 */
@NullMarked
package dev.leat.testkit.junit5;

import org.jspecify.annotations.NullMarked;
