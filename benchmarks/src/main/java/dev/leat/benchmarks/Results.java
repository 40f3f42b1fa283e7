package dev.leat.benchmarks;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** The figures of a run, and their line. */
public final class Results {
  private final Map<String, String> values = new LinkedHashMap<>();

  /** Sets a figure; a plain number in the line. */
  public void put(String name, double value) {
    if (Double.isNaN(value) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(name + " is " + value + ", which is no figure");
    }
    values.put(
        name,
        Math.abs(value) >= 1000
            ? Long.toString(Math.round(value))
            : String.format(Locale.ROOT, "%.3f", value).replaceAll("\\.?0+$", ""));
  }

  /** A figure, as it was rounded. */
  public double of(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new IllegalArgumentException("there is no figure '" + name + "'");
    }
    return Double.parseDouble(value);
  }

  /** Whether there is a figure. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** The figure {@code rows}. */
  public long rows() {
    return (long) of("rows");
  }

  /** Takes the figures from a line that another process has printed. */
  public void putAll(String line) {
    for (String pair : line.substring("RESULT".length()).strip().split(" ", -1)) {
      values.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
    }
  }

  /** {@code RESULT name=value …}. */
  @Override
  public String toString() {
    StringBuilder line = new StringBuilder("RESULT");
    values.forEach((name, value) -> line.append(' ').append(name).append('=').append(value));
    return line.toString();
  }
}
