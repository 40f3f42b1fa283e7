/**
 * Says of a parsed row whether a {@link dev.leat.RowFilter} keeps it, and of a partition whether
 * any of its rows can be kept.
 *
 * <p>Front door: {@link dev.leat.internal.filter.BoundFilter#bind}.
 */
@NullMarked
package dev.leat.internal.filter;

import org.jspecify.annotations.NullMarked;
