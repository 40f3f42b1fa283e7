package dev.leat.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The figures of a run, and their last line. */
final class Results {
  private final Map<String, String> values = new LinkedHashMap<>();

  void put(String name, double value) {
    values.put(
        name,
        value >= 1000
            ? Long.toString(Math.round(value))
            : String.format(Locale.ROOT, "%.3f", value).replaceAll("\\.?0+$", ""));
  }

  /** Prints {@code RESULT name=value …}. */
  void print() {
    StringBuilder line = new StringBuilder("RESULT");
    values.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    System.out.println(line);
  }
}
