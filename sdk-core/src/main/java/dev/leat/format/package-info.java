/**
 * The formats in which a dimension's rows may stand in its source, and the columns and types they
 * have.
 *
 * <p>Front doors: {@link dev.leat.format.DelimitedText#separatedBy(char)} and, by name, {@link
 * dev.leat.format.Formats#create}.
 */
@NullMarked
package dev.leat.format;

import org.jspecify.annotations.NullMarked;
