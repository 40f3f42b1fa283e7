/** The main class of the alluxio test server. */
@NullMarked
package dev.leat.testserver.alluxio;

import org.jspecify.annotations.NullMarked;
