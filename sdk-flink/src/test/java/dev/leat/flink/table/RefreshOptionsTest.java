package dev.leat.flink.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.BlackOut;
import dev.leat.Guard;
import dev.leat.Refresh;
import dev.leat.RequestRate;
import dev.leat.Schedule;
import dev.leat.Staleness;
import dev.leat.VersionRetention;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;

class RefreshOptionsTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  private static RefreshOptions options(String... keysAndValues) {
    Configuration options = new Configuration();
    for (int i = 0; i < keysAndValues.length; i += 2) {
      options.setString(keysAndValues[i], keysAndValues[i + 1]);
    }
    return new RefreshOptions(options, ValidationException::new);
  }

  @Test
  void withoutOptionsTheDefaultsOfTheBuilderHold() {
    RefreshOptions none = options();
    assertThat(none.refresh()).isEqualTo(Refresh.every(Duration.ofMinutes(5)));
    assertThat(none.guard()).isEqualTo(Guard.standard());
    assertThat(none.retention()).isEqualTo(VersionRetention.standard());
    assertThat(none.sourceRate()).isEqualTo(RequestRate.unlimited());
    assertThat(none.staleness(none.refresh())).isEqualTo(Staleness.serveForever());
  }

  @Test
  void aScheduleHasItsTimeZoneBlackOutsAndSpread() {
    assertThat(
            options(
                    "leat.refresh-schedule", "*/10 * * * *",
                    "leat.refresh-time-zone", "Europe/Berlin",
                    "leat.refresh-black-outs", "0 22 * * MON-FRI for 3 h; 0,30 12 * * * for 5 min",
                    "leat.refresh-spread", "30 s")
                .refresh())
        .isEqualTo(
            Refresh.on(Schedule.cron("*/10 * * * *", BERLIN))
                .exceptDuring(
                    BlackOut.beginning("0 22 * * MON-FRI", BERLIN).lasting(Duration.ofHours(3)))
                .exceptDuring(
                    BlackOut.beginning("0,30 12 * * *", BERLIN).lasting(Duration.ofMinutes(5)))
                .spreadOver(Duration.ofSeconds(30)));
  }

  @Test
  void anIntervalHasBlackOutsToo() {
    assertThat(
            options(
                    "lookup.join.cache.ttl", "1 min",
                    "leat.refresh-black-outs", "0 22 * * * for 1 h")
                .refresh())
        .isEqualTo(
            Refresh.every(Duration.ofMinutes(1))
                .exceptDuring(
                    BlackOut.beginning("0 22 * * *", ZoneId.of("UTC"))
                        .lasting(Duration.ofHours(1))));
  }

  @Test
  void aTimedReloadIsAScheduleOfDays() {
    assertThat(
            options(
                    "lookup.full-cache.reload-strategy", "TIMED",
                    "lookup.full-cache.timed-reload.iso-time", "03:30+02:00",
                    "lookup.full-cache.timed-reload.interval-in-days", "7")
                .refresh())
        .isEqualTo(Refresh.on(Schedule.everyDays(7, LocalTime.of(3, 30), ZoneOffset.ofHours(2))));
    assertThat(
            options(
                    "lookup.full-cache.reload-strategy", "TIMED",
                    "lookup.full-cache.timed-reload.iso-time", "10:15:30Z")
                .refresh())
        .isEqualTo(Refresh.on(Schedule.daily(LocalTime.of(10, 15, 30), ZoneOffset.UTC)));
    assertThat(
            options(
                    "lookup.full-cache.reload-strategy", "TIMED",
                    "lookup.full-cache.timed-reload.iso-time", "10:15")
                .refresh())
        .isEqualTo(Refresh.on(Schedule.daily(LocalTime.of(10, 15), ZoneId.systemDefault())));
    assertThat(
            options(
                    "lookup.full-cache.reload-strategy", "TIMED",
                    "lookup.full-cache.timed-reload.iso-time", "10:15",
                    "leat.refresh-time-zone", "Europe/Berlin")
                .refresh())
        .isEqualTo(Refresh.on(Schedule.daily(LocalTime.of(10, 15), BERLIN)));
  }

  @Test
  void guardRetentionAndRateAreRead() {
    RefreshOptions given =
        options(
            "leat.min-rows", "1000",
            "leat.max-shrink", "0.2",
            "leat.keep-versions", "10",
            "leat.keep-versions-for", "7 d",
            "leat.source-requests-per-second", "50");
    assertThat(given.guard()).isEqualTo(Guard.standard().minRows(1000).maxShrink(0.2));
    assertThat(given.retention())
        .isEqualTo(VersionRetention.keep(10).forAtLeast(Duration.ofDays(7)));
    assertThat(given.sourceRate()).isEqualTo(RequestRate.perSecond(50));
  }

  @Test
  void theStalenessMustAllowTheLongestPause() {
    RefreshOptions nightly =
        options("leat.refresh-schedule", "0 3 * * MON-FRI", "leat.max-staleness", "2 d");
    assertThatThrownBy(() -> nightly.staleness(nightly.refresh()))
        .hasMessageContaining("with pauses of up to PT72H");
    RefreshOptions longer =
        options("leat.refresh-schedule", "0 3 * * MON-FRI", "leat.max-staleness", "4 d");
    assertThat(longer.staleness(longer.refresh()))
        .isEqualTo(Staleness.failAfter(Duration.ofDays(4)));
  }

  private static void assertRefused(String message, String... keysAndValues) {
    assertThatThrownBy(() -> options(keysAndValues).refresh())
        .as(String.join(" ", keysAndValues))
        .isInstanceOf(ValidationException.class)
        .hasMessageContaining(message);
  }

  @Test
  void whatContradictsItselfOrIsNoTimeIsRefused() {
    String strategy = "lookup.full-cache.reload-strategy";
    String time = "lookup.full-cache.timed-reload.iso-time";
    String schedule = "leat.refresh-schedule";
    assertRefused("keep one", schedule, "0 3 * * *", "leat.refresh-interval", "1 min");
    assertRefused("no time zone", schedule, "0 3 * * *", "leat.refresh-time-zone", "Europe/Bärlin");
    assertRefused("no cron expression and duration", "leat.refresh-black-outs", "0 22 * * *");
    assertRefused("'ever', which is none", "leat.refresh-black-outs", "0 22 * * * for ever");
    assertRefused("= 'TIMED'; write that too", time, "03:30");
    assertRefused("needs a time of the day", strategy, "TIMED");
    assertRefused("is no time of the day", strategy, "TIMED", time, "half past three");
    assertRefused(
        "keep one",
        strategy,
        "TIMED",
        time,
        "03:30",
        "lookup.full-cache.periodic-reload.interval",
        "1 min");
  }
}
