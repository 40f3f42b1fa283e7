/**
 * Real servers as child processes, each with a class path of its own. A test starts at {@link
 * dev.leat.testserver.TestServer}; a server's main class at {@link
 * dev.leat.testserver.ChildProcess}.
 */
@NullMarked
package dev.leat.testserver;

import org.jspecify.annotations.NullMarked;
