/**
 * The engine that keeps a dimension served: it watches the source, builds or fetches the index of
 * each version, swaps it in, and shares it between all readers of the process.
 *
 * <p>Front door: {@link dev.leat.internal.engine.DimensionServices}.
 */
@NullMarked
package dev.leat.internal.engine;

import org.jspecify.annotations.NullMarked;
