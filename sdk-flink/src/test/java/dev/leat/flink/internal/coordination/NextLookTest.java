package dev.leat.flink.internal.coordination;

import static org.assertj.core.api.Assertions.assertThat;

import dev.leat.Refresh;
import dev.leat.Schedule;
import dev.leat.internal.engine.schedule.LookTimes;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.Test;

class NextLookTest {
  private static final long MINUTE = 60_000;

  private Instant shown = Instant.parse("2027-03-01T03:00:00Z");

  private NextLook looking(Refresh refresh) {
    Clock clock =
        new Clock() {
          @Override
          public ZoneId getZone() {
            return ZoneOffset.UTC;
          }

          @Override
          public Clock withZone(ZoneId zone) {
            throw new AssertionError("nobody asks");
          }

          @Override
          public Instant instant() {
            return shown;
          }
        };
    return new NextLook(LookTimes.of(refresh), () -> 0.5, clock);
  }

  @Test
  void anIntervalGoesOnEvenlyWhateverTheClockIsSetTo() {
    NextLook look = looking(Refresh.every(Duration.ofMinutes(1)).withJitter(0));
    look.after(500);
    shown = shown.minus(Duration.ofDays(1));
    assertThat(look.due()).isEqualTo(500 + MINUTE);
    assertThat(look.isDue(499 + MINUTE)).isFalse();
    assertThat(look.isDue(500 + MINUTE)).isTrue();
  }

  @Test
  void aLookAtAMomentOfTheDayIsPutOffWhereTheClockIsSetBack() {
    NextLook look = looking(Refresh.on(Schedule.cron("30 3 * * *", ZoneOffset.UTC)));
    look.after(0);
    assertThat(look.due()).isEqualTo(30 * MINUTE);
    shown = Instant.parse("2027-03-01T03:10:00Z");
    assertThat(look.isDue(30 * MINUTE)).isFalse();
    assertThat(look.due()).isEqualTo(50 * MINUTE);
    shown = Instant.parse("2027-03-01T03:30:00Z");
    assertThat(look.isDue(50 * MINUTE)).isTrue();
  }

  @Test
  void aLookAtOnceWaitsForNoMoment() {
    NextLook look = looking(Refresh.on(Schedule.cron("30 3 * * *", ZoneOffset.UTC)));
    look.after(0);
    look.atOnce(7);
    assertThat(look.isDue(7)).isTrue();
  }
}
