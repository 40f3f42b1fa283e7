/**
 * Delimited text, compared cell by cell with Hive's own serde and Hadoop's own line reader; begin
 * with {@link dev.leat.it.text.HiveTextIT}.
 */
@NullMarked
package dev.leat.it.text;

import org.jspecify.annotations.NullMarked;
