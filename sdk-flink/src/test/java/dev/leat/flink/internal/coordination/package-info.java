/** Tests of the coordination of subtasks, mostly without Flink. */
@NullMarked
package dev.leat.flink.internal.coordination;

import org.jspecify.annotations.NullMarked;
