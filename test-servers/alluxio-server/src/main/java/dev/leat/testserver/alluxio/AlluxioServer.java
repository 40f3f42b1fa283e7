package dev.leat.testserver.alluxio;

import dev.leat.testserver.ChildProcess;
import java.util.Map;

/** Runs the alluxio server until standard input ends. */
public final class AlluxioServer {

  private AlluxioServer() {}

  /**
   * Starts the server.
   *
   * @param args {@code key=value} pairs
   */
  public static void main(String... args) {
    ChildProcess child = ChildProcess.takeStandardOutput();
    Map<String, String> arguments = ChildProcess.arguments(args);
    child.ready(arguments);
    child.serveUntilInputEnds(line -> {});
    System.exit(0); // whatever threads the server's libraries have left
  }
}
