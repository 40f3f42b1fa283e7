/**
 * How stores are found by scheme, the store of the local file system, and the decorators that make
 * a call to any store bounded in time, repeated where that helps, and counted.
 *
 * <p>Front doors: {@link dev.leat.internal.store.Stores#open} and {@link
 * dev.leat.internal.store.ResilientStore#over}.
 */
@NullMarked
package dev.leat.internal.store;

import org.jspecify.annotations.NullMarked;
