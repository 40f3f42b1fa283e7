/**
 * The parser of delimited text as Hive's {@code LazySimpleSerDe} and Hadoop's {@code
 * TextInputFormat} read it: one pass over the bytes, eight at a time.
 *
 * <p>Front door: {@link dev.leat.internal.text.DelimitedTextReader}, made by {@link
 * dev.leat.format.DelimitedText}.
 */
@NullMarked
package dev.leat.internal.text;

import org.jspecify.annotations.NullMarked;
