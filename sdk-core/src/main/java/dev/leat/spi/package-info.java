/**
 * What someone implements to bring a store, a cache tier or a row format to Leat.
 *
 * <p>Front doors: {@link dev.leat.spi.BlobStore}, {@link dev.leat.spi.RemoteTier} and {@link
 * dev.leat.spi.RowFormat}.
 */
@NullMarked
package dev.leat.spi;

import org.jspecify.annotations.NullMarked;
