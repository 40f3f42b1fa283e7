/**
 * A dimension as a table of Flink SQL, {@code 'connector' = 'leat'}, which the usual lookup join,
 * {@code FOR SYSTEM_TIME AS OF e.proc_time}, finds its rows in.
 *
 * <p>Front door: {@link dev.leat.flink.table.LeatOptions}; Flink finds {@link
 * dev.leat.flink.table.LeatTableFactory} by itself. Needs Flink's table API on the class path,
 * which the rest of the artifact does without.
 */
@NullMarked
package dev.leat.flink.table;

import org.jspecify.annotations.NullMarked;
