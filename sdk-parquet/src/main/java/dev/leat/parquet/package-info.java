/**
 * Parquet files as the source of a dimension.
 *
 * <p>Front door: {@link dev.leat.parquet.Parquet#format()}.
 */
@NullMarked
package dev.leat.parquet;

import org.jspecify.annotations.NullMarked;
