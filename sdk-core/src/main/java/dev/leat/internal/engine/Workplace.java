package dev.leat.internal.engine;

import dev.leat.event.DimensionEvent;
import dev.leat.internal.engine.tier.TierCounters;
import java.time.Clock;
import java.time.Instant;

/**
 * What the parts of one service share: what was asked for, the clock, the versions that are mapped,
 * and where it is told what happens.
 *
 * @param clockTime waits on the clock of the environment
 * @param realTime waits on the system's clock
 */
record Workplace(
    ServiceRequest<?, ?> request,
    ServiceEnvironment environment,
    EngineSettings settings,
    EventStream events,
    Waiting clockTime,
    Waiting realTime,
    LoadStatistics loads,
    TierCounters localCounters,
    Retirement retirement,
    LoadedVersions versions) {

  static Workplace of(
      ServiceRequest<?, ?> request, ServiceEnvironment environment, EngineSettings settings) {
    String dimension = request.dimension().name();
    Waiting clockTime = new Waiting(environment.clock());
    Waiting realTime = new Waiting(Clock.systemUTC());
    Retirement retirement =
        new Retirement(
            dimension,
            () -> {
              clockTime.wake();
              realTime.wake();
            });
    return new Workplace(
        request,
        environment,
        settings,
        new EventStream(dimension),
        clockTime,
        realTime,
        new LoadStatistics(),
        new TierCounters(),
        retirement,
        new LoadedVersions(retirement));
  }

  String dimension() {
    return request.dimension().name();
  }

  Instant now() {
    return environment.clock().instant();
  }

  void announce(DimensionEvent event) {
    events.announce(event);
  }

  /** Lets everybody who waits for something of this service look again. */
  void wake() {
    clockTime.wake();
    realTime.wake();
  }
}
