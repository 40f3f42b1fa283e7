package dev.leat.internal.schema;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The names of a source's columns, found as a person means them: {@code customerId} finds {@code
 * customer_id}.
 */
public final class ColumnNames {
  private final List<String> names;

  /** Takes the names in the order of the source. */
  public ColumnNames(List<String> names) {
    this.names = List.copyOf(names);
  }

  /**
   * The positions of the columns that a name may mean: those of exactly this name; else those that
   * differ in case only; else those that differ in case and underscores.
   *
   * @return no position where there is no such column, several where the name is ambiguous
   */
  public List<Integer> positionsOf(String name) {
    List<Integer> spelled = positionsSpelled(name);
    return spelled.isEmpty() ? positions(name, true, true) : spelled;
  }

  /**
   * The positions of the columns of a name that a source has said itself: those of exactly this
   * name; else those that differ in case only.
   */
  public List<Integer> positionsSpelled(String name) {
    List<Integer> exact = positions(name, false, false);
    return exact.isEmpty() ? positions(name, true, false) : exact;
  }

  private List<Integer> positions(String name, boolean foldCase, boolean dropUnderscores) {
    String wanted = folded(name, foldCase, dropUnderscores);
    return IntStream.range(0, names.size())
        .filter(i -> folded(names.get(i), foldCase, dropUnderscores).equals(wanted))
        .boxed()
        .toList();
  }

  private static String folded(String name, boolean foldCase, boolean dropUnderscores) {
    String cased = foldCase ? name.toLowerCase(Locale.ROOT) : name;
    return dropUnderscores ? cased.replace("_", "") : cased;
  }

  /**
   * The column whose name is nearest to one that was not found, if it is near enough for a slip of
   * the pen.
   */
  public Optional<String> nearest(String name) {
    String wanted = folded(name, true, true);
    String best = null;
    int bestDistance = Math.max(2, wanted.length() / 3) + 1;
    for (String candidate : names) {
      int distance = editDistance(wanted, folded(candidate, true, true));
      if (distance < bestDistance) {
        best = candidate;
        bestDistance = distance;
      }
    }
    return Optional.ofNullable(best);
  }

  /** Levenshtein's distance: how many characters must be changed, added or taken away. */
  private static int editDistance(String a, String b) {
    int[] previous = IntStream.rangeClosed(0, b.length()).toArray();
    for (int i = 1; i <= a.length(); i++) {
      int[] current = new int[b.length() + 1];
      current[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        current[j] = Math.min(replaced, Math.min(previous[j], current[j - 1]) + 1);
      }
      previous = current;
    }
    return previous[b.length()];
  }
}
