package dev.leat.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What was asked of a fake, in the order in which it was asked, so that a test can assert what was
 * done and not only what came back. Thread-safe.
 */
public final class Operations {

  /**
   * One call.
   *
   * @param name what was done, e.g. {@code READ}
   * @param subject the key or path it was done to
   */
  public record Operation(String name, String subject) {}

  private final List<Operation> recorded = new ArrayList<>();

  Operations() {}

  synchronized void record(String name, String subject) {
    recorded.add(new Operation(name, subject));
  }

  /** All calls so far, in order. */
  public synchronized List<Operation> all() {
    return List.copyOf(recorded);
  }

  /** How often each operation was done, as a multiset by name. */
  public synchronized Map<String, Integer> counts() {
    Map<String, Integer> counts = new TreeMap<>();
    recorded.forEach(operation -> counts.merge(operation.name(), 1, Integer::sum));
    return counts;
  }

  /** How often an operation was done. */
  public synchronized int count(String name) {
    return counts().getOrDefault(name, 0);
  }

  /** Forgets what was recorded, as at the begin of the part of a test that matters. */
  public synchronized void clear() {
    recorded.clear();
  }

  @Override
  public String toString() {
    return counts().toString();
  }
}
