@NullMarked
package dev.leat.flink.table;

import org.jspecify.annotations.NullMarked;
