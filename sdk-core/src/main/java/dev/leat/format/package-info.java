/**
 * The formats in which a dimension's rows may stand in its source, and the columns and types they
 * have.
 *
 * <p>Front door: {@link dev.leat.format.DelimitedText#separatedBy(char)}.
 */
@NullMarked
package dev.leat.format;

import org.jspecify.annotations.NullMarked;
