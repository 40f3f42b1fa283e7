package dev.leat.testserver;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Runs the main class of somebody else's server, which knows nothing of the protocol of {@link
 * ChildProcess}, and ends it when standard input ends. READY only says that the class exists and is
 * called; whoever started it asks the server itself whether it serves.
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
    Method main = mainMethod(given.getOrDefault(MAIN, ""));
    ChildProcess child = ChildProcess.takeStandardOutput();
    Thread server = new Thread(() -> run(main, arguments), MAIN);
    server.start();
    child.ready(Map.of(MAIN, main.getDeclaringClass().getName()));
    child.serveUntilInputEnds(
        line -> {
          throw new UnsupportedOperationException("takes no command: " + line);
        });
    System.exit(0); // with the server's own shutdown hooks
  }

  private static Method mainMethod(String className) {
    try {
      ClassLoader loader = Tether.class.getClassLoader();
      return Class.forName(className, false, loader).getMethod("main", String[].class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException(
          MAIN + "=" + className + " is no class with a main method", e);
    }
  }

  private static void run(Method main, List<String> arguments) {
    try {
      main.invoke(null, (Object) arguments.toArray(String[]::new));
    } catch (ReflectiveOperationException e) {
      Throwable cause = e instanceof InvocationTargetException ? e.getCause() : e;
      new IllegalStateException(main.getDeclaringClass() + " failed", cause).printStackTrace();
      System.exit(1);
    }
  }
}
