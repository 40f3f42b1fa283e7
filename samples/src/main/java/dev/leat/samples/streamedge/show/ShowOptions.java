package dev.leat.samples.streamedge.show;

import java.time.Duration;

/**
 * What the command line asks for.
 *
 * @param atLeast how long plays are sent at least
 * @param events how many are sent at least
 * @param perSecond how many are sent per second
 * @param scale TPC-DS's scale factor of the customers
 * @param faults whether Alluxio is stopped
 * @param state what becomes of the temporary files at the end
 */
record ShowOptions(
    Duration atLeast, long events, int perSecond, double scale, Faults faults, State state) {

  /** Whether servers are stopped while the job runs. */
  enum Faults {
    INJECTED,
    SKIPPED
  }

  /** What becomes of the temporary files. */
  enum State {
    REMOVED,
    KEPT
  }

  static final String HELP =
      """
      ./samples/run streamedge [flags]

        Joins a stream of video plays (Kafka) with customers (S3, cached through Alluxio) in Flink, on real servers that it
        starts on this machine; publishes new editions of the customers, stops Alluxio and brings it back; then checks every
        output event against an independent join. Exit code 0 if all are right, else 1.

        --minutes N      send plays for at least N minutes (default: as long as the acts take, about one)
        --events N       send at least N plays
        --rate N         plays per second (default 2500)
        --scale N        scale factor of TPC-DS; 100,000 customers at 1 (default 1)
        --skip-faults    leave Alluxio alone
        --keep           keep the temporary files
        --help           this text
      """;

  static ShowOptions parse(String... args) {
    Duration atLeast = Duration.ZERO;
    long events = 0;
    int perSecond = 2_500;
    double scale = 1;
    Faults faults = Faults.INJECTED;
    State state = State.REMOVED;
    for (int i = 0; i < args.length; i++) {
      switch (args[i]) {
        case "--minutes" -> atLeast = Duration.ofSeconds((long) (60 * number(args, i++)));
        case "--events" -> events = (long) number(args, i++);
        case "--rate" -> perSecond = (int) number(args, i++);
        case "--scale" -> scale = number(args, i++);
        case "--skip-faults" -> faults = Faults.SKIPPED;
        case "--keep" -> state = State.KEPT;
        default ->
            throw new IllegalArgumentException("there is no flag '" + args[i] + "'; see --help");
      }
    }
    if (scale < 1) {
      throw new IllegalArgumentException(
          "a scale of " + scale + " is too small; TPC-DS begins at 1");
    }
    return new ShowOptions(atLeast, events, perSecond, scale, faults, state);
  }

  private static double number(String[] args, int flag) {
    if (flag + 1 == args.length) {
      throw new IllegalArgumentException("the flag '" + args[flag] + "' needs a number");
    }
    double number;
    try {
      number = Double.parseDouble(args[flag + 1]);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the flag '" + args[flag] + "' needs a number, not '" + args[flag + 1] + "'", e);
    }
    if (!(number > 0)) {
      throw new IllegalArgumentException(
          "the flag '" + args[flag] + "' needs a number above 0, not " + args[flag + 1]);
    }
    return number;
  }
}
