package dev.leat.it.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SimulationTest {

  /** {@code integration-tests/simulate} runs any others. */
  private static final int SEEDS = Integer.getInteger("leat.simulation.seeds", 1000);

  @Test
  void noSeedShowsAWrongRowAStaleVersionALostOrDoubledEventOrALeak() {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    Simulation.Report report =
        new Simulation(Planted.NONE, Simulation.STEPS)
            .run(1, SEEDS, new PrintStream(printed, true, StandardCharsets.UTF_8), false);
    assertThat(report.toString())
        .as(printed.toString(StandardCharsets.UTF_8))
        .isEqualTo("RESULT seeds=" + SEEDS + " wrong=0 stale=0 lost=0 doubled=0 leaks=0");
  }

  @Test
  void aSeedShowsTheSameRunAgain() {
    Simulation simulation = new Simulation(Planted.NONE, Simulation.STEPS);
    for (long seed = 5001; seed <= 5020; seed++) {
      Outcome once = simulation.run(seed);
      Outcome again = simulation.run(seed);
      assertThat(again.trace()).as("seed %d", seed).isEqualTo(once.trace());
      assertThat(again.hash()).isEqualTo(once.hash());
      assertThat(once.trace().size()).as("lines of the trace of seed %d", seed).isGreaterThan(100);
    }
  }

  @ParameterizedTest
  @EnumSource(value = Planted.class, mode = EnumSource.Mode.EXCLUDE, names = "NONE")
  void aPlantedBugIsFound(Planted bug) {
    Simulation simulation = new Simulation(bug, Simulation.STEPS);
    int seeds = 0;
    while (true) {
      seeds++;
      assertThat(seeds).as("seeds without a sign of %s", bug).isLessThanOrEqualTo(150);
      Outcome outcome = simulation.run(seeds);
      if (outcome.count(bug.kind()) > 0) {
        assertThat(simulation.run(seeds).hash()).isEqualTo(outcome.hash());
        System.out.println(
            bug + " is found after " + seeds + " seeds: " + outcome.findings().get(0));
        return;
      }
    }
  }
}
