/** Alluxio as a cache tier. Start at {@code Alluxio}. */
@NullMarked
package dev.leat.alluxio;

import org.jspecify.annotations.NullMarked;
