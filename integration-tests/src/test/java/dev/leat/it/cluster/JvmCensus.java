package dev.leat.it.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Counts what another JVM holds, from outside: its threads, open files and mappings as Linux knows
 * them, and with the JDK's own {@code jcmd} the objects that live after a collection.
 */
final class JvmCensus {
  private static final Path JCMD = Path.of(System.getProperty("java.home"), "bin", "jcmd");

  private final long pid;

  JvmCensus(long pid) {
    this.pid = pid;
  }

  /** The mappings of files below a directory. */
  long mappings(Path directory) throws IOException {
    try (Stream<String> lines = Files.lines(Path.of("/proc", Long.toString(pid), "maps"))) {
      return lines.filter(line -> line.contains(directory + "/")).count();
    }
  }

  long openFiles() throws IOException {
    return entries("fd");
  }

  long threads() throws IOException {
    return entries("task");
  }

  private long entries(String directory) throws IOException {
    try (Stream<Path> files = Files.list(Path.of("/proc", Long.toString(pid), directory))) {
      return files.count();
    }
  }

  /** The names of the threads that run Java. */
  List<String> threadNames() throws Exception {
    return jcmd("Thread.print")
        .lines()
        .filter(line -> line.startsWith("\""))
        .map(line -> line.substring(1, line.indexOf('"', 1)))
        .toList();
  }

  /** How many objects of each class live after a full collection; those with none are zero. */
  Map<String, Long> live(Collection<String> classes) throws Exception {
    Map<String, Long> live = new TreeMap<>();
    classes.forEach(each -> live.put(each, 0L));
    jcmd("GC.class_histogram")
        .lines()
        .map(line -> line.strip().split("\\s+"))
        .filter(words -> words.length >= 4 && live.containsKey(words[3]))
        .forEach(words -> live.merge(words[3], Long.parseLong(words[1]), Long::sum));
    return live;
  }

  private String jcmd(String... command) throws Exception {
    List<String> all = new ArrayList<>(List.of(JCMD.toString(), Long.toString(pid)));
    all.addAll(List.of(command));
    Process process = new ProcessBuilder(all).redirectErrorStream(true).start();
    String answer = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("jcmd " + pid + " " + List.of(command) + ": " + answer);
    }
    return answer;
  }
}
