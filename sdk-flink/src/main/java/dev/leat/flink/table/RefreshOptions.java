package dev.leat.flink.table;

import dev.leat.BlackOut;
import dev.leat.Guard;
import dev.leat.Refresh;
import dev.leat.RequestRate;
import dev.leat.Schedule;
import dev.leat.Staleness;
import dev.leat.VersionRetention;
import dev.leat.internal.engine.schedule.LookTimes;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.time.temporal.TemporalAccessor;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.source.lookup.LookupOptions;
import org.apache.flink.table.connector.source.lookup.LookupOptions.ReloadStrategy;
import org.apache.flink.util.TimeUtils;

/**
 * Those options of a table that say when its source is looked at and which of its versions are
 * served and kept.
 */
final class RefreshOptions {
  /** All that say how often the source is looked at, under the names of several connectors. */
  private static final List<ConfigOption<Duration>> INTERVALS =
      List.of(
          LeatOptions.REFRESH_INTERVAL,
          LeatOptions.PERIODIC_RELOAD_INTERVAL,
          LeatOptions.PARTIAL_EXPIRE_AFTER_WRITE,
          LeatOptions.JOIN_CACHE_TTL,
          LeatOptions.MONITOR_INTERVAL);

  private static final Pattern BLACK_OUT = Pattern.compile("\\s*(.+?)\\s+for\\s+(.+?)\\s*");

  private final ReadableConfig options;
  private final Function<String, ValidationException> errors;

  /**
   * Options of a table.
   *
   * @param errors makes the error of a message, with the name of the table
   */
  RefreshOptions(ReadableConfig options, Function<String, ValidationException> errors) {
    this.options = options;
    this.errors = errors;
  }

  /** When the source is looked at. */
  Refresh refresh() {
    Refresh refresh = looks();
    if (refresh.isNever()) {
      return refresh;
    }
    for (String text : options.getOptional(LeatOptions.REFRESH_BLACK_OUTS).orElse(List.of())) {
      refresh = refresh.exceptDuring(blackOut(text));
    }
    return options.getOptional(LeatOptions.REFRESH_SPREAD).map(refresh::spreadOver).orElse(refresh);
  }

  private Refresh looks() {
    Map<String, Object> given = new LinkedHashMap<>();
    for (ConfigOption<Duration> option : INTERVALS) {
      options.getOptional(option).ifPresent(interval -> given.put(option.key(), interval));
    }
    Map<String, Schedule> schedules = new LinkedHashMap<>();
    options
        .getOptional(LeatOptions.REFRESH_SCHEDULE)
        .ifPresent(
            cron -> schedules.put(LeatOptions.REFRESH_SCHEDULE.key(), Schedule.cron(cron, zone())));
    timedReload()
        .ifPresent(
            schedule ->
                schedules.put(LookupOptions.FULL_CACHE_TIMED_RELOAD_ISO_TIME.key(), schedule));
    given.putAll(schedules);
    if (new HashSet<>(given.values()).size() > 1) {
      throw errors.apply(
          "the options "
              + given
              + " all say when the source is looked at, and contradict each other; keep one");
    }
    if (!schedules.isEmpty()) {
      return Refresh.on(schedules.values().iterator().next());
    }
    Duration interval =
        given.isEmpty()
            ? LeatOptions.REFRESH_INTERVAL.defaultValue()
            : (Duration) given.values().iterator().next();
    return interval.isZero() ? Refresh.never() : Refresh.every(interval);
  }

  private ZoneId zone() {
    String zone = options.get(LeatOptions.REFRESH_TIME_ZONE);
    try {
      return ZoneId.of(zone);
    } catch (DateTimeException e) {
      throw errors.apply(
          "'"
              + LeatOptions.REFRESH_TIME_ZONE.key()
              + "' = '"
              + zone
              + "' is no time zone; write e.g. UTC or Europe/Berlin");
    }
  }

  /** FLIP-221's reload at a time of the day. */
  private Optional<Schedule> timedReload() {
    Optional<String> time = options.getOptional(LookupOptions.FULL_CACHE_TIMED_RELOAD_ISO_TIME);
    Optional<Integer> days =
        options.getOptional(LookupOptions.FULL_CACHE_TIMED_RELOAD_INTERVAL_IN_DAYS);
    ReloadStrategy strategy =
        options.getOptional(LeatOptions.RELOAD_STRATEGY).orElse(ReloadStrategy.PERIODIC);
    if (strategy == ReloadStrategy.PERIODIC) {
      if (time.isPresent() || days.isPresent()) {
        throw errors.apply(
            "the options lookup.full-cache.timed-reload.* are for"
                + " 'lookup.full-cache.reload-strategy' = 'TIMED'; write that too, or leave them"
                + " out");
      }
      return Optional.empty();
    }
    if (time.isEmpty()) {
      throw errors.apply(
          "'lookup.full-cache.reload-strategy' = 'TIMED' needs a time of the day; add"
              + " 'lookup.full-cache.timed-reload.iso-time' = '03:30' or '03:30Z'");
    }
    TemporalAccessor parsed;
    try {
      parsed = DateTimeFormatter.ISO_TIME.parse(time.get());
    } catch (DateTimeParseException e) {
      throw errors.apply(
          "'lookup.full-cache.timed-reload.iso-time' = '"
              + time.get()
              + "' is no time of the day; write e.g. 03:30, 03:30Z or 03:30+02:00");
    }
    ZoneId offset = parsed.query(java.time.temporal.TemporalQueries.zone());
    return Optional.of(
        Schedule.everyDays(
            days.orElse(LookupOptions.FULL_CACHE_TIMED_RELOAD_INTERVAL_IN_DAYS.defaultValue()),
            LocalTime.from(parsed),
            offset == null ? zoneOfTimes() : offset));
  }

  /** Flink takes the JVM's zone for a time that has none; one that was given is meant. */
  private ZoneId zoneOfTimes() {
    return options.getOptional(LeatOptions.REFRESH_TIME_ZONE).isPresent()
        ? zone()
        : ZoneId.systemDefault();
  }

  private BlackOut blackOut(String text) {
    Matcher matcher = BLACK_OUT.matcher(text);
    if (!matcher.matches()) {
      throw errors.apply(
          "'"
              + LeatOptions.REFRESH_BLACK_OUTS.key()
              + "' has '"
              + text
              + "', which is no cron expression and duration; write e.g. '0 22 * * MON-FRI for 3 h'");
    }
    Duration length;
    try {
      length = TimeUtils.parseDuration(matcher.group(2));
    } catch (IllegalArgumentException e) {
      throw errors.apply(
          "'"
              + LeatOptions.REFRESH_BLACK_OUTS.key()
              + "' has the duration '"
              + matcher.group(2)
              + "', which is none; write e.g. 90 min");
    }
    return BlackOut.beginning(matcher.group(1), zone()).lasting(length);
  }

  /** How old a version may be served. */
  Staleness staleness(Refresh refresh) {
    Optional<Duration> limit = options.getOptional(LeatOptions.MAX_STALENESS);
    if (limit.isEmpty()) {
      return Staleness.serveForever();
    }
    // A version gets old between two looks without anything being wrong: the limit must allow it.
    Optional<Duration> pause = LookTimes.of(refresh).longestPause();
    if (pause.isEmpty() || limit.get().compareTo(pause.get()) <= 0) {
      throw errors.apply(
          "'leat.max-staleness' of "
              + limit.get()
              + " must be longer than the time between two looks at the source, and the refresh is "
              + refresh
              + pause.map(longest -> ", with pauses of up to " + longest).orElse("")
              + "; refresh more often, or accept a greater age");
    }
    return Staleness.failAfter(limit.get());
  }

  /** Which versions are held back. */
  Guard guard() {
    Guard guard = Guard.standard().minRows(options.get(LeatOptions.MIN_ROWS));
    return options.getOptional(LeatOptions.MAX_SHRINK).map(guard::maxShrink).orElse(guard);
  }

  /** How long versions are kept. */
  VersionRetention retention() {
    return VersionRetention.keep(options.get(LeatOptions.KEEP_VERSIONS))
        .forAtLeast(options.get(LeatOptions.KEEP_VERSIONS_FOR));
  }

  /** How many requests the source gets. */
  RequestRate sourceRate() {
    return options
        .getOptional(LeatOptions.SOURCE_REQUESTS_PER_SECOND)
        .map(RequestRate::perSecond)
        .orElse(RequestRate.unlimited());
  }
}
