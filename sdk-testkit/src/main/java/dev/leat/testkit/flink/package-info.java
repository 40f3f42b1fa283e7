/**
 * A Kafka in memory for unit tests of Flink jobs: topics with partitions and offsets, a source with
 * offsets in checkpoints, and a transactional sink. Runs on Flink 1.20 and 2.
 *
 * <p>Front door: {@link dev.leat.testkit.flink.InMemoryKafka#create()}.
 */
@NullMarked
package dev.leat.testkit.flink;

import org.jspecify.annotations.NullMarked;
