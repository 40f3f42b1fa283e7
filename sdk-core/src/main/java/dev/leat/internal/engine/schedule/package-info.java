/**
 * When a source is looked at: cron expressions and times of the day in a time zone, windows in
 * which nobody looks, and the next look after one. Pure calculation, without a clock or a thread.
 *
 * <p>Front door: {@link dev.leat.internal.engine.schedule.LookTimes}.
 */
@NullMarked
package dev.leat.internal.engine.schedule;

import org.jspecify.annotations.NullMarked;
