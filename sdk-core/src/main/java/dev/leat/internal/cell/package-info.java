/**
 * Cells as Java objects, for the readers of formats whose libraries give objects.
 *
 * <p>Front door: {@link dev.leat.internal.cell.ObjectCells}.
 */
@NullMarked
package dev.leat.internal.cell;

import org.jspecify.annotations.NullMarked;
