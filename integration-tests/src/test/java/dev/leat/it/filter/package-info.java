/**
 * Filters of dimensions, compared with those of a database that shares no code with Leat; begin
 * with {@link dev.leat.it.filter.FilterAgainstDuckDbTest}.
 */
@NullMarked
package dev.leat.it.filter;

import org.jspecify.annotations.NullMarked;
