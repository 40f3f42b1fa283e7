/** Tests of the operator, on a double of the engine. */
@NullMarked
package dev.leat.flink.internal;

import org.jspecify.annotations.NullMarked;
