/**
 * Abstract test suites, one for each port: extend one to run it on a fake or on a real server.
 *
 * <p>Front doors: the classes whose name ends in {@code Contract}.
 */
@NullMarked
package dev.leat.testkit.contract;

import org.jspecify.annotations.NullMarked;
