/**
 * StreamEdge: a stream of video plays from Kafka, each enriched with its customer from S3, back to
 * Kafka exactly once. The job alone, as a user would write it and run it on any cluster; what shows
 * it at work on a laptop stands apart in {@code dev.leat.samples.streamedge.show}.
 *
 * <p>Front door: {@link dev.leat.samples.streamedge.StreamEdgeJob}.
 */
@NullMarked
package dev.leat.samples.streamedge;

import org.jspecify.annotations.NullMarked;
