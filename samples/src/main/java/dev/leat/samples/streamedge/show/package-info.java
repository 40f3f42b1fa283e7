/**
 * The show around the StreamEdge job: servers on this machine, data, faults, what the person sees,
 * and an independent check of every output event.
 *
 * <p>Front door: {@link dev.leat.samples.streamedge.show.StreamEdgeShow}.
 */
@NullMarked
package dev.leat.samples.streamedge.show;

import org.jspecify.annotations.NullMarked;
