package dev.leat.it.simulation;

import dev.leat.spi.StoreException;
import java.util.Random;

/**
 * How one store behaves: of a hundred calls so many fail, in one of its ways. Changed by the
 * simulation between two steps, asked by the threads of hosts.
 */
final class Weather {

  /** What happens to a call. */
  enum Strike {
    NONE,
    /** It fails before it has done anything. */
    FAILS,
    /** It does what it should, and the answer is lost. */
    ANSWER_LOST,
    /** It never returns. */
    STALLS,
    /** The content breaks off. */
    BREAKS,
    /** The content is another. */
    FLIPS
  }

  private static final StoreException.Kind[] KINDS = {
    StoreException.Kind.UNAVAILABLE,
    StoreException.Kind.UNAVAILABLE,
    StoreException.Kind.THROTTLED,
    StoreException.Kind.TIMEOUT,
    StoreException.Kind.ACCESS_DENIED
  };

  private int failing;
  private int latencyMillis = 10;
  private boolean flips;

  void fine() {
    failing = 0;
    latencyMillis = 10;
    flips = false;
  }

  /** Sets how it is from now on, and says so. */
  String change(Random random, boolean mayFlip) {
    fine();
    switch (random.nextInt(6)) {
      case 0 -> {
        return "fine";
      }
      case 1 -> failing = 100;
      case 2 -> failing = 30 + random.nextInt(40);
      case 3 -> latencyMillis = 500 + random.nextInt(15_000);
      case 4 -> flips = mayFlip;
      default -> failing = 5 + random.nextInt(15);
    }
    return failing + "% fail, " + latencyMillis + " ms" + (flips ? ", bits flip" : "");
  }

  long latency(Random random) {
    return 1L + random.nextInt(latencyMillis);
  }

  Strike strike(Random random, boolean reads, boolean checked, boolean changes) {
    if (flips && checked && random.nextInt(100) < 20) {
      return Strike.FLIPS;
    }
    if (random.nextInt(100) >= failing) {
      return Strike.NONE;
    }
    int how = random.nextInt(10);
    if (how < 1) {
      return Strike.STALLS;
    }
    if (how < 6 && reads) {
      return Strike.BREAKS;
    }
    return how < 6 && changes ? Strike.ANSWER_LOST : Strike.FAILS;
  }

  StoreException.Kind kind(Random random) {
    return KINDS[random.nextInt(KINDS.length)];
  }
}
