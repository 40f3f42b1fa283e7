/**
 * Avro's object container files as the source of a dimension.
 *
 * <p>Front door: {@link dev.leat.avro.Avro#format()}.
 */
@NullMarked
package dev.leat.avro;

import org.jspecify.annotations.NullMarked;
