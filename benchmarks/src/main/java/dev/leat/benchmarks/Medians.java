package dev.leat.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The values of several rounds, by name. */
public final class Medians {
  private final Map<String, List<Double>> values = new LinkedHashMap<>();

  /** Adds the value of a round. */
  public void add(String name, double value) {
    values.computeIfAbsent(name, n -> new ArrayList<>()).add(value);
  }

  /** Whether anything was added under the name. */
  public boolean has(String name) {
    return values.containsKey(name);
  }

  /** The middle one of the values of a name. */
  public double of(String name) {
    return quantile(name, 0.5);
  }

  /** The smallest value of a name that a share of its values does not exceed. */
  public double quantile(String name, double share) {
    List<Double> sorted = new ArrayList<>(values.getOrDefault(name, List.of()));
    if (sorted.isEmpty()) {
      throw new IllegalArgumentException("nothing was measured as '" + name + "'");
    }
    Collections.sort(sorted);
    return sorted.get(Math.min(sorted.size() - 1, (int) (sorted.size() * share)));
  }
}
