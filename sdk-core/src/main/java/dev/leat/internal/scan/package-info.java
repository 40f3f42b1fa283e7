/**
 * Reads the files of a version into an index: finds their columns, adds those of the partitions,
 * and leaves out what the filter does not keep.
 *
 * <p>Front door: {@link dev.leat.internal.scan.TableScan}.
 */
@NullMarked
package dev.leat.internal.scan;

import org.jspecify.annotations.NullMarked;
