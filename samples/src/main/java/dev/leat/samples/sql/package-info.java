/**
 * The join in SQL: three statements as users have them, on a Flink cluster of several processes
 * that has one jar more than usual. Starts at {@link dev.leat.samples.sql.SqlShow}.
 */
@NullMarked
package dev.leat.samples.sql;

import org.jspecify.annotations.NullMarked;
