package dev.leat.testserver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The server's side of the protocol. The child announces itself with one line {@code READY
 * key=value key=value}, takes commands as lines on standard input, and ends when that ends.
 */
public final class ChildProcess {

  static final String READY = "READY";

  private final PrintStream announcements;

  private ChildProcess(PrintStream announcements) {
    this.announcements = announcements;
  }

  /**
   * Takes standard output for the protocol: from now on whatever a library prints goes to standard
   * error.
   *
   * @return the child's side
   */
  public static ChildProcess takeStandardOutput() {
    PrintStream out = System.out;
    System.setOut(System.err);
    return new ChildProcess(out);
  }

  /**
   * Reads the {@code key=value} arguments of a main method.
   *
   * @param args the arguments
   * @return them as a map
   */
  public static Map<String, String> arguments(String... args) {
    Map<String, String> arguments = new LinkedHashMap<>();
    for (String arg : args) {
      int equals = arg.indexOf('=');
      if (equals <= 0) {
        throw new IllegalArgumentException("'" + arg + "' is not key=value");
      }
      arguments.put(arg.substring(0, equals), arg.substring(equals + 1));
    }
    return arguments;
  }

  /**
   * Announces that the server serves.
   *
   * @param properties what a client needs; keys and values without blanks
   */
  public void ready(Map<String, String> properties) {
    StringBuilder line = new StringBuilder(READY);
    properties.forEach((key, value) -> line.append(' ').append(key).append('=').append(value));
    announcements.println(line);
    announcements.flush();
  }

  /**
   * Hands every line of standard input to {@code command} and returns when it ends, which is when
   * the server has to end.
   *
   * @param command takes one line
   */
  public void serveUntilInputEnds(Consumer<String> command) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        command.accept(line);
      }
    } catch (IOException e) {
      System.err.println("Standard input broke, so this server ends: " + e);
    }
  }
}
