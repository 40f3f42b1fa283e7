package dev.leat.internal.engine.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.BlackOut;
import dev.leat.Schedule;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ZonedTimesTest {
  private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

  /** Half an hour, at 02:00 local time. */
  private static final ZoneId LORD_HOWE = ZoneId.of("Australia/Lord_Howe");

  private static List<String> moments(Schedule schedule, String after, int count) {
    List<String> moments = new ArrayList<>();
    Instant last = Instant.parse(after);
    for (int i = 0; i < count; i++) {
      last = schedule.next(last).orElseThrow();
      moments.add(last.toString());
    }
    return moments;
  }

  @Test
  void aFixedTimeThatTheClocksSkipComesWhenTheySkipIt() {
    assertThat(moments(Schedule.cron("30 2 * * *", BERLIN), "2026-03-28T00:00:00Z", 3))
        .containsExactly("2026-03-28T01:30:00Z", "2026-03-29T01:00:00Z", "2026-03-30T00:30:00Z");
  }

  @Test
  void aFixedTimeThatTheClocksShowTwiceComesOnce() {
    assertThat(moments(Schedule.cron("30 2 * * *", BERLIN), "2026-10-24T12:00:00Z", 2))
        .containsExactly("2026-10-25T00:30:00Z", "2026-10-26T01:30:00Z");
    assertThat(Schedule.cron("30 2 * * *", BERLIN).next(Instant.parse("2026-10-25T01:00:00Z")))
        .as("asked in the second of both hours")
        .contains(Instant.parse("2026-10-26T01:30:00Z"));
  }

  @Test
  void severalFixedTimesInASkippedHourComeOnceTogether() {
    assertThat(moments(Schedule.cron("0,20,40 2 * * *", BERLIN), "2026-03-29T00:30:00Z", 2))
        .containsExactly("2026-03-29T01:00:00Z", "2026-03-30T00:00:00Z");
  }

  @Test
  void timesThatRunOnFollowTheRealTime() {
    Schedule quarters = Schedule.cron("*/30 * * * *", BERLIN);
    assertThat(moments(quarters, "2026-03-29T00:20:00Z", 4))
        .containsExactly(
            "2026-03-29T00:30:00Z",
            "2026-03-29T01:00:00Z",
            "2026-03-29T01:30:00Z",
            "2026-03-29T02:00:00Z");
    assertThat(moments(quarters, "2026-10-25T00:20:00Z", 4))
        .containsExactly(
            "2026-10-25T00:30:00Z",
            "2026-10-25T01:00:00Z",
            "2026-10-25T01:30:00Z",
            "2026-10-25T02:00:00Z");
  }

  @Test
  void everyOtherHourIsCountedByTheClocksOfTheZone() {
    assertThat(moments(Schedule.cron("0 */2 * * *", BERLIN), "2026-03-28T23:30:00Z", 2))
        .as("02:00 does not exist")
        .containsExactly("2026-03-29T02:00:00Z", "2026-03-29T04:00:00Z");
    assertThat(moments(Schedule.cron("0 */2 * * *", BERLIN), "2026-10-24T22:30:00Z", 3))
        .as("02:00 comes twice")
        .containsExactly("2026-10-25T00:00:00Z", "2026-10-25T01:00:00Z", "2026-10-25T03:00:00Z");
  }

  @Test
  void aClockThatIsPutBackByHalfAnHourIsRight() {
    assertThat(moments(Schedule.cron("45 1 * * *", LORD_HOWE), "2026-04-04T12:00:00Z", 2))
        .containsExactly("2026-04-04T14:45:00Z", "2026-04-05T15:15:00Z");
  }

  @Test
  void aDailyTimeHasSecondsAndDaysThatAreTheSameEverywhere() {
    assertThat(moments(Schedule.daily(LocalTime.of(10, 15, 30), BERLIN), "2026-11-30T09:15:30Z", 2))
        .containsExactly("2026-12-01T09:15:30Z", "2026-12-02T09:15:30Z");
    Schedule weekly = Schedule.everyDays(7, LocalTime.MIDNIGHT, ZoneId.of("UTC"));
    assertThat(moments(weekly, "2026-11-30T00:00:00Z", 2))
        .containsExactly("2026-12-03T00:00:00Z", "2026-12-10T00:00:00Z");
    assertThat(moments(weekly, "2026-12-02T23:59:59.999Z", 1))
        .containsExactly("2026-12-03T00:00:00Z");
  }

  @Test
  void aBlackOutLastsAsLongAsItSaysWhateverTheClocksShow() {
    BlackOut night = BlackOut.beginning("0 22 * * *", BERLIN).lasting(Duration.ofHours(8));
    assertThat(night.endAt(Instant.parse("2026-03-28T20:59:59Z"))).isEmpty();
    assertThat(night.endAt(Instant.parse("2026-03-28T21:00:00Z")))
        .as("07:00 in summer time, eight hours after 22:00 in winter time")
        .contains(Instant.parse("2026-03-29T05:00:00Z"));
    assertThat(night.endAt(Instant.parse("2026-03-29T04:59:59Z")))
        .contains(Instant.parse("2026-03-29T05:00:00Z"));
    assertThat(night.endAt(Instant.parse("2026-03-29T05:00:00Z"))).isEmpty();
    assertThat(night.endAt(Instant.parse("2026-10-25T03:59:59Z")))
        .as("05:00 in winter time, eight hours after 22:00 in summer time")
        .contains(Instant.parse("2026-10-25T04:00:00Z"));
    assertThat(night.endAt(Instant.parse("2026-10-25T04:00:00Z"))).isEmpty();
  }

  @Test
  void aBlackOutThatBeginsInASkippedHourBeginsWhenItIsSkipped() {
    BlackOut early = BlackOut.beginning("30 2 * * *", BERLIN).lasting(Duration.ofMinutes(30));
    assertThat(early.endAt(Instant.parse("2026-03-29T01:00:00Z")))
        .contains(Instant.parse("2026-03-29T01:30:00Z"));
    assertThat(early.endAt(Instant.parse("2026-10-25T00:30:00Z")))
        .contains(Instant.parse("2026-10-25T01:00:00Z"));
    assertThat(early.endAt(Instant.parse("2026-10-25T01:30:00Z")))
        .as("the second 02:30 of the day")
        .isEmpty();
  }
}
