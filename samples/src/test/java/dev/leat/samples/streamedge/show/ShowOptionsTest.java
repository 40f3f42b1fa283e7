package dev.leat.samples.streamedge.show;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.leat.samples.streamedge.show.ShowOptions.Faults;
import dev.leat.samples.streamedge.show.ShowOptions.State;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ShowOptionsTest {

  @Test
  void withoutFlagsEverythingIsShownAndNothingIsKept() {
    assertThat(ShowOptions.parse())
        .isEqualTo(new ShowOptions(Duration.ZERO, 0, 2_500, 1, Faults.INJECTED, State.REMOVED));
  }

  @Test
  void everyFlagCounts() {
    assertThat(
            ShowOptions.parse(
                "--minutes",
                "2.5",
                "--events",
                "1000000",
                "--rate",
                "100",
                "--scale",
                "10",
                "--skip-faults",
                "--keep"))
        .isEqualTo(
            new ShowOptions(
                Duration.ofSeconds(150), 1_000_000, 100, 10, Faults.SKIPPED, State.KEPT));
  }

  @ParameterizedTest
  @CsvSource({"--minuets 1", "--minutes", "--minutes many", "--minutes 0", "--scale 0.5"})
  void aFlagThatMeansNothingIsRefused(String flags) {
    assertThatThrownBy(() -> ShowOptions.parse(flags.split(" ", -1)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
