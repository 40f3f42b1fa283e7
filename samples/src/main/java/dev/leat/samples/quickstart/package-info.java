/**
 * The smallest job: a stream joined with a dimension in local files, without any server.
 *
 * <p>Front door: {@link dev.leat.samples.quickstart.Quickstart}.
 */
@NullMarked
package dev.leat.samples.quickstart;

import org.jspecify.annotations.NullMarked;
