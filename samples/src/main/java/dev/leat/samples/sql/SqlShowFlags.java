package dev.leat.samples.sql;

import dev.leat.testserver.FlinkLine;

/**
 * What a person may choose.
 *
 * @param flink the line of Flink
 * @param customers the rows of the dimension
 * @param events the events that are joined
 */
record SqlShowFlags(FlinkLine flink, int customers, int events) {

  static final String HELP =
      """
      usage: samples/run sql [flags]

      Starts S3, Alluxio, Kafka, a Hive metastore, and a Flink session cluster with its SQL gateway on this machine, each a process of its own;
      makes the dimension's table in the metastore, runs the statements over the gateway's REST API, and checks every joined row.

        --flink LINE     1.20 (default) or 2.2
        --customers N    rows of the dimension, 100000 unless given
        --events N       events in Kafka, 1000 unless given
      """;

  static SqlShowFlags parse(String... args) {
    FlinkLine flink = FlinkLine.V1_20;
    int customers = 100_000;
    int events = 1_000;
    for (int i = 0; i < args.length; i += 2) {
      String flag = args[i];
      if (i + 1 == args.length) {
        throw new IllegalArgumentException("the flag '" + flag + "' needs a value; see --help");
      }
      String value = args[i + 1];
      switch (flag) {
        case "--flink" -> flink = line(value);
        case "--customers" -> customers = number(flag, value);
        case "--events" -> events = number(flag, value);
        default ->
            throw new IllegalArgumentException("there is no flag '" + flag + "'; see --help");
      }
    }
    return new SqlShowFlags(flink, customers, events);
  }

  private static FlinkLine line(String value) {
    for (FlinkLine line : FlinkLine.values()) {
      if (line.toString().equals(value)) {
        return line;
      }
    }
    throw new IllegalArgumentException("Flink '" + value + "' is not here; use 1.20 or 2.2");
  }

  private static int number(String flag, String value) {
    try {
      int number = Integer.parseInt(value);
      if (number > 0) {
        return number;
      }
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the flag '" + flag + "' needs a number, not '" + value + "'", e);
    }
    throw new IllegalArgumentException(
        "the flag '" + flag + "' needs a number above 0, not " + value);
  }
}
