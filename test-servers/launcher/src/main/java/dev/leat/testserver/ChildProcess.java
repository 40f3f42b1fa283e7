package dev.leat.testserver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The server's side of the protocol. The child announces itself with one line {@code READY
 * key=value key=value}, takes commands as lines on standard input, answers the nth with one line
 * {@code OK n answer} or {@code FAILED n reason}, and ends when its input ends.
 */
public final class ChildProcess {

  static final String READY = "READY";
  static final String OK = "OK";
  static final String FAILED = "FAILED";

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
    announce(line.toString());
  }

  /**
   * Runs every line of standard input as a command and returns when the input ends, which is when
   * the server has to end.
   *
   * @param command runs one line
   */
  public void serveUntilInputEnds(Command command) {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      long number = 0;
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        answer(command, line, ++number);
      }
    } catch (IOException e) {
      System.err.println("Standard input broke, so this server ends: " + e);
    }
  }

  private void answer(Command command, String line, long number) {
    try {
      announce(OK + " " + number + " " + command.run(line));
    } catch (Exception e) {
      e.printStackTrace();
      announce(FAILED + " " + number + " " + e.toString().replaceAll("\\s+", " "));
    }
  }

  private void announce(String line) {
    announcements.println(line);
    announcements.flush();
  }

  /** What a server does at a line of its standard input. */
  @FunctionalInterface
  public interface Command {

    /**
     * Runs one command.
     *
     * @param line the command
     * @return the answer, one line, may be empty
     * @throws Exception if it fails; the parent gets the reason
     */
    String run(String line) throws Exception;
  }
}
