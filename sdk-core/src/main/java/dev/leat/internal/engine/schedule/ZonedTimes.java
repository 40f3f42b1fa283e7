package dev.leat.internal.engine.schedule;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When local times come in a time zone, also where its clocks are put forward or back.
 *
 * <p>A fixed time that the clocks skip comes at the moment at which they skip it, and one that they
 * show twice comes the first time: every day has it once. Times that run on from hour to hour
 * follow the real time instead: they come in both of two equal hours, and not for an hour that does
 * not exist.
 */
public final class ZonedTimes {

  private ZonedTimes() {}

  /** The first moment after {@code after}, or empty if there is none. */
  public static Optional<Instant> after(LocalTimes times, ZoneId zone, Instant after) {
    ZoneRules rules = zone.getRules();
    return Optional.ofNullable(
        times.runOn() ? runningOn(times, rules, after) : onceADay(times, rules, after));
  }

  private static @Nullable Instant runningOn(LocalTimes times, ZoneRules rules, Instant after) {
    Instant from = after.plusNanos(1);
    while (true) {
      ZoneOffset offset = rules.getOffset(from);
      LocalDateTime local = times.atOrAfter(LocalDateTime.ofInstant(from, offset));
      if (local == null) {
        return null;
      }
      Instant found = local.toInstant(offset);
      // Until the next transition, local time is real time.
      ZoneOffsetTransition transition = rules.nextTransition(from);
      if (transition == null || found.isBefore(transition.getInstant())) {
        return found;
      }
      from = transition.getInstant();
    }
  }

  private static @Nullable Instant onceADay(LocalTimes times, ZoneRules rules, Instant after) {
    LocalDateTime from = LocalDateTime.ofInstant(after, rules.getOffset(after)).plusNanos(1);
    while (true) {
      LocalDateTime local = times.atOrAfter(from);
      if (local == null) {
        return null;
      }
      ZoneOffsetTransition transition = rules.getTransition(local);
      Instant found;
      if (transition == null) {
        found = local.toInstant(rules.getOffset(local));
      } else if (transition.isGap()) {
        found = transition.getInstant();
      } else {
        found = local.toInstant(transition.getOffsetBefore());
      }
      if (found.isAfter(after)) {
        return found;
      }
      // The second time that the clocks show it.
      from = local.plusNanos(1);
    }
  }
}
