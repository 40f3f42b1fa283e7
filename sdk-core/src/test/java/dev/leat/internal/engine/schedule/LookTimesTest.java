package dev.leat.internal.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.BlackOut;
import dev.leat.Refresh;
import dev.leat.Schedule;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LookTimesTest {
  private static final ZoneId UTC = ZoneId.of("UTC");
  private static final Instant NOON = Instant.parse("2026-11-30T12:00:00Z");
  private static final BlackOut NIGHT =
      BlackOut.beginning("0 22 * * *", UTC).lasting(Duration.ofHours(3));

  private static String next(Refresh refresh, String ended, double random) {
    return LookTimes.of(refresh)
        .next(Instant.parse(ended), random)
        .map(Instant::toString)
        .orElse("never");
  }

  @Test
  void anIntervalCountsFromTheEndOfTheLastLookAndIsVaried() {
    Refresh strict = Refresh.every(Duration.ofMinutes(10)).withJitter(0);
    assertThat(next(strict, "2026-11-30T12:00:07Z", 0.9)).isEqualTo("2026-11-30T12:10:07Z");
    Refresh varied = strict.withJitter(0.2);
    assertThat(next(varied, "2026-11-30T12:00:00Z", 0)).isEqualTo("2026-11-30T12:08:00Z");
    assertThat(next(varied, "2026-11-30T12:00:00Z", 0.5)).isEqualTo("2026-11-30T12:10:00Z");
    assertThat(Duration.between(NOON, LookTimes.of(varied).next(NOON, 0.999999).orElseThrow()))
        .isBetween(Duration.ofSeconds(719), Duration.ofMinutes(12));
  }

  @Test
  void neverIsNever() {
    assertThat(next(Refresh.never(), "2026-11-30T12:00:00Z", 0.5)).isEqualTo("never");
    assertThat(LookTimes.of(Refresh.never()).longestPause()).isEmpty();
  }

  @Test
  void anIntervalThatNobodyLivesToSeeEndDoesNoHarm() {
    assertThat(LookTimes.of(Refresh.every(Duration.ofSeconds(Long.MAX_VALUE))).next(NOON, 0.9))
        .isPresent();
  }

  @Test
  void momentsThatPassDuringALookAreLeftOut() {
    Refresh quarters = Refresh.on(Schedule.cron("*/15 * * * *", UTC));
    assertThat(next(quarters, "2026-11-30T12:00:01Z", 0)).isEqualTo("2026-11-30T12:15:00Z");
    assertThat(next(quarters, "2026-11-30T12:50:00Z", 0)).isEqualTo("2026-11-30T13:00:00Z");
  }

  @Test
  void aScheduleIsSpread() {
    Refresh spread = Refresh.on(Schedule.cron("0 * * * *", UTC)).spreadOver(Duration.ofMinutes(4));
    assertThat(next(spread, "2026-11-30T12:00:01Z", 0.5)).isEqualTo("2026-11-30T13:02:00Z");
  }

  @Test
  void aLookInABlackOutIsMadeWhenItEnds() {
    Refresh refresh = Refresh.every(Duration.ofMinutes(10)).withJitter(0).exceptDuring(NIGHT);
    assertThat(next(refresh, "2026-11-30T21:49:00Z", 0)).isEqualTo("2026-11-30T21:59:00Z");
    assertThat(next(refresh, "2026-11-30T21:50:00Z", 0)).isEqualTo("2026-12-01T01:00:00Z");
    assertThat(next(refresh, "2026-11-30T23:00:00Z", 0)).isEqualTo("2026-12-01T01:00:00Z");
    assertThat(next(refresh.spreadOver(Duration.ofMinutes(10)), "2026-11-30T23:00:00Z", 0.5))
        .isEqualTo("2026-12-01T01:05:00Z");
    assertThat(next(refresh.spreadOver(Duration.ofMinutes(10)), "2026-11-30T21:45:00Z", 0.9))
        .as("the spread does not lead into the window either")
        .isEqualTo("2026-12-01T01:00:00Z");
    Refresh scheduled = Refresh.on(Schedule.cron("30 23 * * *", UTC)).exceptDuring(NIGHT);
    assertThat(next(scheduled, "2026-11-30T12:00:00Z", 0)).isEqualTo("2026-12-01T01:00:00Z");
  }

  @Test
  void blackOutsThatFollowEachOtherAreOne() {
    Refresh refresh =
        Refresh.every(Duration.ofMinutes(10))
            .withJitter(0)
            .exceptDuring(NIGHT)
            .exceptDuring(BlackOut.beginning("30 0 * * *", UTC).lasting(Duration.ofHours(2)))
            .exceptDuring(BlackOut.beginning("*/10 3 * * *", UTC).lasting(Duration.ofMinutes(15)));
    assertThat(next(refresh, "2026-11-30T22:10:00Z", 0)).isEqualTo("2026-12-01T02:30:00Z");
    assertThat(next(refresh, "2026-12-01T02:55:00Z", 0)).isEqualTo("2026-12-01T04:05:00Z");
  }

  @Test
  void noLookIsEverInABlackOutAndAllAreAfterTheLastOne() {
    long seed = Long.getLong("leat.seed", 7);
    Random random = new Random(seed);
    Refresh[] refreshes = {
      Refresh.every(Duration.ofMinutes(7)).exceptDuring(NIGHT).spreadOver(Duration.ofMinutes(90)),
      Refresh.on(Schedule.cron("*/20 * * * *", ZoneId.of("Europe/Berlin")))
          .exceptDuring(
              BlackOut.beginning("30 1-3 * * *", ZoneId.of("Europe/Berlin"))
                  .lasting(Duration.ofMinutes(50)))
          .spreadOver(Duration.ofMinutes(5))
    };
    for (Refresh refresh : refreshes) {
      Instant look = Instant.parse("2026-03-20T00:00:00Z");
      for (int i = 0; i < 5_000; i++) {
        Instant next = LookTimes.of(refresh).next(look, random.nextDouble()).orElseThrow();
        assertThat(next).as("%s, seed %d", refresh, seed).isAfter(look);
        assertThat(refresh.blackOuts().get(0).endAt(next))
            .as("%s at %s, seed %d", refresh, next, seed)
            .isEmpty();
        look = next;
      }
    }
  }

  @Test
  void theLongestPauseHasTheBlackOutsAndTheSpreadInIt() {
    Refresh every = Refresh.every(Duration.ofMinutes(10));
    assertThat(LookTimes.of(every).longestPause()).contains(Duration.ofMinutes(10));
    assertThat(LookTimes.of(every.exceptDuring(NIGHT)).longestPause())
        .contains(Duration.ofMinutes(190));
    assertThat(LookTimes.of(every.spreadOver(Duration.ofMinutes(1))).longestPause())
        .contains(Duration.ofMinutes(11));
    assertThat(
            LookTimes.of(Refresh.on(Schedule.cron("0 6 * * MON-FRI", UTC)).exceptDuring(NIGHT))
                .longestPause())
        .contains(Duration.ofDays(3));
    assertThat(
            LookTimes.of(Refresh.on(Schedule.cron("0 6 * * *", ZoneId.of("Europe/Berlin"))))
                .longestPause())
        .as("the day on which the clocks are put back")
        .contains(Duration.ofHours(25));
  }

  @Test
  void blackOutsThatLeaveNoTimeAreRefused() {
    assertThatThrownBy(
            () ->
                Refresh.every(Duration.ofMinutes(1))
                    .exceptDuring(
                        BlackOut.beginning("0 * * * *", UTC).lasting(Duration.ofMinutes(60))))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("leave no moment of a year to look");
    assertThatThrownBy(() -> BlackOut.beginning("0 * * * *", UTC).lasting(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S has no length");
  }

  @Test
  void wrongRefreshesAreRefusedAtTheCall() {
    Refresh scheduled = Refresh.on(Schedule.cron("0 * * * *", UTC));
    assertThatThrownBy(() -> scheduled.withJitter(0.1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("use spreadOver(Duration)");
    assertThatThrownBy(() -> scheduled.spreadOver(Duration.ofSeconds(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT-1S is negative");
    assertThatThrownBy(() -> Schedule.everyDays(0, java.time.LocalTime.NOON, UTC))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("every 0 days");
  }

  @Test
  void aRefreshIsAValueThatTravels() throws Exception {
    Refresh refresh =
        Refresh.on(Schedule.cron("0  6 * * MON", UTC))
            .exceptDuring(NIGHT)
            .spreadOver(Duration.ofSeconds(5));
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(refresh);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      Object read = in.readObject();
      assertThat(read).isEqualTo(refresh).hasSameHashCodeAs(refresh);
      assertThat(next((Refresh) read, "2026-11-30T12:00:00Z", 0)).isEqualTo("2026-12-07T06:00:00Z");
    }
    assertThat(refresh)
        .hasToString("on 0 6 * * MON (UTC) except during [0 22 * * * (UTC) for PT3H]")
        .isNotEqualTo(refresh.spreadOver(Duration.ZERO));
  }
}
