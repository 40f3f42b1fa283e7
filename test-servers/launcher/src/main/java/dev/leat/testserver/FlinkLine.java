package dev.leat.testserver;

/** The lines of Flink that are supported. */
public enum FlinkLine {
  /** Flink 1.20. */
  V1_20("1.20", ServerKind.FLINK_1_20),
  /** Flink 2.2. */
  V2_2("2.2", ServerKind.FLINK_2_2);

  private final String version;
  private final ServerKind server;

  FlinkLine(String version, ServerKind server) {
    this.version = version;
    this.server = server;
  }

  ServerKind server() {
    return server;
  }

  @Override
  public String toString() {
    return version;
  }
}
