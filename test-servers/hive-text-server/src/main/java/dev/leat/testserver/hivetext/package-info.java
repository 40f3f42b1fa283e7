/**
 * Hive's own reader of delimited text as a child process; {@link
 * dev.leat.testserver.hivetext.HiveTextServer} is its main class.
 */
@NullMarked
package dev.leat.testserver.hivetext;

import org.jspecify.annotations.NullMarked;
