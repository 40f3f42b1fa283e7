package dev.leat.testserver;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the main class of somebody else's server, which knows nothing of the protocol of {@link
 * ChildProcess}, and ends it when standard input ends. READY only says that it was called; whoever
 * started it asks the server itself whether it serves.
 *
 * <p>Arguments: {@code main=}the class, and its arguments in order, each as {@code arg…=}.
 */
public final class Tether {

  private static final String MAIN = "main";
  private static final String ARGUMENT = "arg";

  private Tether() {}

  /** Runs until standard input ends, or until the main class fails. */
  public static void main(String... args) {
    Map<String, String> given = ChildProcess.arguments(args);
    List<String> arguments = new ArrayList<>();
    given.forEach(
        (key, value) -> {
          if (key.startsWith(ARGUMENT)) {
            arguments.add(value);
          }
        });
    ChildProcess child = ChildProcess.takeStandardOutput();
    String mainClass = given.getOrDefault(MAIN, "");
    Thread server = new Thread(() -> run(mainClass, arguments), MAIN);
    server.start();
    child.ready(Map.of(MAIN, mainClass));
    child.serveUntilInputEnds(
        line -> {
          throw new UnsupportedOperationException("takes no command: " + line);
        });
    System.exit(0); // with the server's own shutdown hooks
  }

  private static void run(String mainClass, List<String> arguments) {
    try {
      Class.forName(mainClass)
          .getMethod("main", String[].class)
          .invoke(null, (Object) arguments.toArray(String[]::new));
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      new IllegalStateException(mainClass + " failed", cause).printStackTrace();
      System.exit(1);
    }
  }
}
