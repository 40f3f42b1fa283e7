/**
 * Alluxio as a cache tier. Front door: {@link dev.leat.alluxio.Alluxio}, which is given to {@code
 * cachedIn}.
 */
@NullMarked
package dev.leat.alluxio;

import org.jspecify.annotations.NullMarked;
