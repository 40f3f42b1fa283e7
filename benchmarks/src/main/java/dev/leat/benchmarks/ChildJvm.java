package dev.leat.benchmarks;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A part of a benchmark in a process of its own, with a heap of its own. */
final class ChildJvm {
  private ChildJvm() {}

  /**
   * Runs {@link Benchmarks} and waits for its end.
   *
   * @return the last line that it printed, that of its results; the others are passed on
   */
  static String run(long heapMegabytes, String... args) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-") || flag.startsWith("-D"))
        .forEach(command::add);
    // Almost all of what the peers hold is old.
    command.addAll(
        List.of(
            "-Xmx" + heapMegabytes + "m",
            "-XX:NewSize=" + heapMegabytes / 8 + "m",
            "-XX:MaxNewSize=" + heapMegabytes / 8 + "m",
            "-XX:+UseParallelGC",
            "-cp",
            System.getProperty("java.class.path"),
            Benchmarks.class.getName()));
    command.addAll(List.of(args));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String last = "";
    try (BufferedReader lines = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        if (!line.startsWith("RESULT")) {
          System.out.println(line);
        }
        last = line;
      }
      int status = process.waitFor();
      if (status != 0 || !last.startsWith("RESULT")) {
        throw new IllegalStateException(
            "the process of " + args[0] + " ended with " + status + " after the line: " + last);
      }
      return last;
    } finally {
      process.destroy();
    }
  }
}
