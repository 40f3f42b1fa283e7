/**
 * A Flink session cluster of several processes whose processes are killed, and what their ends
 * leave. Front door: {@link dev.leat.it.cluster.StreamEdgeClusterIT}.
 */
@NullMarked
package dev.leat.it.cluster;

import org.jspecify.annotations.NullMarked;
