/**
 * ORC files as the source of a dimension.
 *
 * <p>Front door: {@link dev.leat.orc.Orc#format()}.
 */
@NullMarked
package dev.leat.orc;

import org.jspecify.annotations.NullMarked;
