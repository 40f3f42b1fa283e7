/**
 * The one jar for Flink's lib folder: what is in it, and that SQL runs with it through Flink's SQL
 * gateway.
 */
@NullMarked
package dev.leat.it.gateway;

import org.jspecify.annotations.NullMarked;
