/** Kafka, real and in memory, under one contract; and the life of its process. */
@NullMarked
package dev.leat.it.kafka;

import org.jspecify.annotations.NullMarked;
