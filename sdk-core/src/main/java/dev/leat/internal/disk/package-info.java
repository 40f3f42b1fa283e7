/**
 * Files and directories of the local disk that only their owner may read and write.
 *
 * <p>Front door: {@link dev.leat.internal.disk.OwnerOnly}.
 */
@NullMarked
package dev.leat.internal.disk;

import org.jspecify.annotations.NullMarked;
