/**
 * The lookup index: the immutable, compiled form of one version of a dimension, how it is built and
 * how it is read. The format is described in {@code docs/index-format.md}.
 *
 * <p>Front doors: {@link dev.leat.internal.index.IndexBuilder} and {@link
 * dev.leat.internal.index.Index}.
 */
@NullMarked
package dev.leat.internal.index;

import org.jspecify.annotations.NullMarked;
