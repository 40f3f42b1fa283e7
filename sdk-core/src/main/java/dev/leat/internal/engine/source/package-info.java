/**
 * The source of truth of a dimension as the engine sees it: what version it has now, and where the
 * bytes of its files come from.
 *
 * <p>Front door: {@link dev.leat.internal.engine.source.Source}.
 */
@NullMarked
package dev.leat.internal.engine.source;

import org.jspecify.annotations.NullMarked;
