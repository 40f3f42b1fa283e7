package dev.leat.samples.streamedge;

import org.jspecify.annotations.Nullable;

/**
 * Somebody watched a video.
 *
 * @param eventId numbers the play; unique
 * @param customerId who watched, or null where the player did not say
 * @param videoId what was watched
 * @param startedAt when, in milliseconds since 1970-01-01T00:00Z
 * @param seconds how long
 */
public record VideoPlay(
    long eventId, @Nullable String customerId, String videoId, long startedAt, int seconds) {}
