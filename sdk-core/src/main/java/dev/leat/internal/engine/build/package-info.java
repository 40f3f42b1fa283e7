/**
 * Reads the files of one version of a source in parallel and compiles them into an index.
 *
 * <p>Front door: {@link dev.leat.internal.engine.build.ParallelBuild}.
 */
@NullMarked
package dev.leat.internal.engine.build;

import org.jspecify.annotations.NullMarked;
