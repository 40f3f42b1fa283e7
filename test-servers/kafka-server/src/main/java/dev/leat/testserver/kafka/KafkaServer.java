package dev.leat.testserver.kafka;

import dev.leat.testserver.ChildProcess;
import java.util.Map;

/** Runs the kafka server until standard input ends. */
public final class KafkaServer {

  private KafkaServer() {}

  /**
   * Starts the server.
   *
   * @param args {@code key=value} pairs
   */
  public static void main(String... args) {
    ChildProcess child = ChildProcess.takeStandardOutput();
    Map<String, String> arguments = ChildProcess.arguments(args);
    child.ready(arguments);
    child.serveUntilInputEnds(line -> "");
    System.exit(0); // whatever threads the server's libraries have left
  }
}
