/**
 * What a dimension tells about itself while it serves: events for what happened, statistics for how
 * it stands.
 *
 * <p>Front doors: {@link dev.leat.event.DimensionListener} and {@link
 * dev.leat.event.DimensionStatistics}.
 */
@NullMarked
package dev.leat.event;

import org.jspecify.annotations.NullMarked;
