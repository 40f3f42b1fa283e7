package dev.leat.it.engine;

import org.junit.jupiter.api.AfterEach;

/** The scenarios on the testkit's fakes, of which each test has its own. */
class FaultsOnFakesTest extends FaultScenarios {
  private final FakeLake fakes = new FakeLake();

  @Override
  Lake lake() {
    return fakes;
  }

  @Override
  @AfterEach
  void end() {
    super.end();
    fakes.close();
  }
}
